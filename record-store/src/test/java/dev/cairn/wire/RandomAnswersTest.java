package dev.cairn.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.HINFORecord;
import org.xbill.DNS.MXRecord;
import org.xbill.DNS.NSRecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.PTRRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.Type;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.SRVRecord;
import org.xbill.DNS.TXTRecord;

/** Thousands of made-up answers, the same ones every time, written by one reused encoder and read back by dnsjava. */
class RandomAnswersTest {
    private static final int ROUNDS = 4_000;
    private static final String[] NAMES = {
        ".", "org.", "example.org.", "www.example.org.", "a.www.example.org.", "cluster.local.", "svc.cluster.local.",
        "web.default.svc.cluster.local.",
        "10-0-0-1.web.default.svc.cluster.local.", "10-0-0-2.web.default.svc.cluster.local.", "\\000\\255\\.\\193.org.", "wwwexample.org.",
        "x".repeat(63) + "." + "y".repeat(63) + ".org.",
        "b." + "x".repeat(63) + "." + "y".repeat(63) + ".org.", "a.".repeat(127), "_http._tcp.example.org."
    };

    private static final List<Answer.Section> SECTIONS = List.of(Answer.Section.values());

    private record Added(int section, boolean some, List<Record> records) {}

    private final AnswerEncoder encoder = new AnswerEncoder();
    private final Answer answer = new Answer();
    private final QueryView query = new QueryView();
    private Random random = new Random(0);

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void any_answer_under_any_limit_is_read_back(long seed) throws IOException {
        random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            Name question = name();
            readQuery(question);
            answer.reset(query);
            List<Added> added = fill(question);
            int limit = random.nextInt(4) == 0 ? 65535 : 512 + random.nextInt(2000);
            byte[] out = new byte[limit];
            int length = encoder.encode(query, answer, out, limit);
            assertThat(length).as("round %s", round).isLessThanOrEqualTo(limit);
            Reply reply = Reply.parse(new Packet().raw(out).cut(length).toBytes());
            assertThat(reply.message().getQuestion().getName()).hasToString(question.toString());
            assertThat(reply.opt() != null).isEqualTo(query.hasEdns());
            check(reply, added, limit);
        }
    }

    private void readQuery(Name question) {
        Packet packet = Packet.header(random.nextInt(2) << 8, 1, 0, 0, random.nextInt(2))
                .raw(question.toWire())
                .u16(1 + random.nextInt(300), 1);
        if (packet.toBytes()[11] == 1) {
            packet.opt(random.nextInt(5000), 0, random.nextInt(2) << 15, 0, 3, 0, 0);
        }
        assertThat(packet.readInto(query)).isEqualTo(Verdict.ANSWER);
    }

    private List<Added> fill(Name question) throws IOException {
        List<Added> added = new ArrayList<>();
        for (int parts = random.nextInt(9); parts > 0; parts--) {
            int section = random.nextInt(4);
            List<Record> records = records(section == 0 ? question : name());
            Answer.Part part = section == 0
                    ? answer.addForQuestion(Reply.set(records))
                    : answer.add(SECTIONS.get(section - 1), Reply.set(records));
            if (random.nextBoolean()) {
                int start = random.nextInt(records.size());
                part.rotate(start);
                Collections.rotate(records, -start);
            }
            if (random.nextInt(4) == 0) {
                int ttl = random.nextInt(1000);
                part.overrideTtl(ttl);
                records.replaceAll(r -> Record.newRecord(r.getName(), r.getType(), r.getDClass(), ttl, r.rdataToWireCanonical()));
            }
            int type = records.get(0).getType();
            added.add(new Added(Math.max(section, 1), section <= 1 && (type == 1 || type == 28 || type == 33), records));
        }
        return added;
    }

    /** Each section holds what was added, in order, up to the first set that did not fit; TC says so, for additional records only if SRV was asked for. */
    private void check(Reply reply, List<Added> added, int limit) {
        int uncompressed = query.questionEnd() + 11;
        boolean full = false;
        boolean truncated = false;
        for (int section = 1; section <= 3; section++) {
            List<Record> expected = new ArrayList<>();
            int got = reply.section(section).size();
            for (Added part : added) {
                if (part.section == section) {
                    int left = full ? 0 : got - expected.size();
                    boolean whole = left >= part.records.size();
                    assertThat(left == 0 || whole || part.some).as("whole sets").isTrue();
                    expected.addAll(part.records.subList(0, Math.min(left, part.records.size())));
                    full |= !whole;
                    truncated |= !whole && (section < 3 || query.type() == Type.SRV);
                    uncompressed += part.records.stream().mapToInt(r -> r.toWire(1).length).sum();
                }
            }
            reply.has(section, expected);
        }
        assertThat(reply.truncated()).isEqualTo(truncated);
        assertThat(full && uncompressed <= limit).as("left out though it fits").isFalse();
    }

    private Name name() {
        String text = NAMES[random.nextInt(NAMES.length)];
        StringBuilder mixed = new StringBuilder(text);
        for (int i = 0; i < text.length(); i++) {
            mixed.setCharAt(i, random.nextInt(4) == 0 ? Character.toUpperCase(text.charAt(i)) : text.charAt(i));
        }
        return Packet.name(mixed.toString(), Name.root);
    }

    private List<Record> records(Name owner) throws IOException {
        int kind = random.nextInt(10);
        int ttl = random.nextInt();
        List<Record> records = new ArrayList<>();
        int count = 1 + random.nextInt(random.nextInt(5) == 0 ? 40 : 4);
        for (int i = 0; i < count; i++) {
            records.add(record(kind, owner, ttl & 0x7fffffff));
        }
        return records;
    }

    private Record record(int kind, Name owner, int ttl) throws IOException {
        return switch (kind) {
            case 0 -> new ARecord(owner, 1, ttl, InetAddress.getByAddress(bytes(4)));
            case 1 -> new AAAARecord(owner, 1, ttl, bytes(16));
            case 2 -> new SRVRecord(owner, 1, ttl, random.nextInt(65536), 1, random.nextInt(65536), name());
            case 3 -> new CNAMERecord(owner, 1, ttl, name());
            case 4 -> new PTRRecord(owner, 1, ttl, name());
            case 5 -> new NSRecord(owner, 1, ttl, name());
            case 6 -> new SOARecord(owner, 1, ttl, name(), name(), random.nextInt() & 0xffffffffL, 2, 3, 4, 5);
            case 7 -> new MXRecord(owner, 1, ttl, random.nextInt(65536), name());
            case 8 -> new HINFORecord(owner, 1, ttl, "cpu" + random.nextInt(), "os");
            default -> new TXTRecord(owner, 1, ttl, "t".repeat(random.nextInt(256)));
        };
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
