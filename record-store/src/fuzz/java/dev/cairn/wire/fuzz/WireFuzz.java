package dev.cairn.wire.fuzz;

import dev.cairn.wire.Answer;
import dev.cairn.wire.AnswerEncoder;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.Rcode;
import dev.cairn.wire.Rdata;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.Verdict;
import dev.cairn.wire.WireName;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.xbill.DNS.Message;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;

/**
 * Any packet, through objects that are reused as in a listener. Nothing may throw; a question that is answered is the one dnsjava reads;
 * every reply is read by dnsjava to its last byte. The packet's ID, which means nothing to the reader, chooses the records of the reply.
 */
public final class WireFuzz {
    private static final QueryView QUERY = new QueryView();
    private static final Answer ANSWER = new Answer();
    private static final AnswerEncoder ENCODER = new AnswerEncoder();
    private static final byte[] EDE = {0, 4, 'n', 'o'};
    private static final List<Answer.Section> SECTIONS = List.of(Answer.Section.values());
    private static final List<RrSet> SETS = sets();

    private WireFuzz() {}

    public static void fuzzerTestOneInput(byte[] packet) throws IOException {
        Verdict verdict = read(packet, 0xff);
        check(read(packet, 0) == verdict, "looked beyond the packet");
        if (verdict == Verdict.DROP) {
            check(packet.length < 12 || (packet[2] & 0x80) != 0, "dropped without need");
            return;
        }
        if (verdict == Verdict.ANSWER) {
            compareQuestion(packet);
        }
        ANSWER.reset(QUERY);
        fill(QUERY.id(), verdict);
        int limit = 512 + (Arrays.hashCode(packet) & 0x1ff); // so that replies end at, before and behind every limit
        byte[] out = new byte[limit];
        int length = ENCODER.encode(QUERY, ANSWER, out, limit);
        compareReply(packet, Arrays.copyOf(out, length));
    }

    /** Reads the packet with {@code rest} in the unused end of the buffer. */
    private static Verdict read(byte[] packet, int rest) {
        byte[] buffer = QUERY.buffer(packet.length);
        Arrays.fill(buffer, packet.length, buffer.length, (byte) rest);
        System.arraycopy(packet, 0, buffer, 0, packet.length);
        return QUERY.read(packet.length);
    }

    /** Only the question goes to dnsjava, which is stricter than need be about the data of records that are skipped here. */
    private static void compareQuestion(byte[] packet) throws IOException {
        byte[] alone = Arrays.copyOf(packet, QUERY.questionEnd());
        Arrays.fill(alone, 6, 12, (byte) 0);
        Record question = new Message(alone).getQuestion();
        byte[] name = Arrays.copyOf(QUERY.name(), QUERY.nameLength());
        check(Arrays.equals(name, question.getName().toWireCanonical()), "another name");
        check(QUERY.type() == question.getType() && QUERY.dnsClass() == question.getDClass(), "another type or class");
        check(QUERY.labelCount() == question.getName().labels() - 1, "another number of labels");
        check(QUERY.nameText().equals(question.getName().canonicalize().toString()), "another text");
        check(QUERY.is(WireName.parse(question.getName().toString())), "not itself");
    }

    private static void fill(int id, Verdict verdict) {
        ANSWER.rcode(switch (verdict) {
            case BAD_VERSION -> Rcode.BADVERS;
            case FORMAT_ERROR -> Rcode.FORMERR;
            case NOT_IMPLEMENTED -> Rcode.NOTIMP;
            default -> Rcode.NOERROR;
        });
        for (int i = 0; i < SETS.size(); i++) {
            if ((id >>> i & 1) != 0) {
                RrSet set = SETS.get(i);
                int place = (id + i) % 4;
                Answer.Part part = place == 3 ? ANSWER.addForQuestion(set) : ANSWER.add(SECTIONS.get(place), set);
                part.rotate((id >>> 4) % set.count());
            }
        }
        if ((id & 0x4000) != 0) {
            ANSWER.addOption(15, EDE);
        }
    }

    private static void compareReply(byte[] packet, byte[] reply) throws IOException {
        Message message = new Message(reply);
        check(message.numBytes() == reply.length, "bytes after the reply");
        for (int section = Section.QUESTION; section <= Section.ADDITIONAL; section++) {
            check(message.getSection(section).size() == message.getHeader().getCount(section), "records missing");
        }
        check(reply[0] == packet[0] && reply[1] == packet[1] && (reply[2] & 0x80) != 0, "not a reply to this query");
        check((message.getOPT() != null) == QUERY.hasEdns(), "OPT only for OPT");
        check(message.getRcode() == ANSWER.rcode(), "another code");
        int questionEnd = QUERY.questionEnd();
        check(Arrays.equals(packet, 12, questionEnd, reply, 12, questionEnd), "another question");
        check((message.getQuestion() != null) == questionEnd > 12, "a question that was not read");
    }

    private static List<RrSet> sets() {
        WireName web = WireName.parse("web.default.svc.cluster.local");
        WireName pod = WireName.parse("10-0-0-1.web.default.svc.cluster.local");
        WireName zone = WireName.parse("cluster.local");
        byte[] four = Rdata.address(new byte[] {10, 0, 0, 1});
        return List.of(
                RrSet.of(web, DnsType.A, 1, 5, Collections.nCopies(30, four)),
                Rdata.single(web, DnsType.AAAA, 5, Rdata.address(new byte[16])),
                RrSet.of(web, DnsType.SRV, 1, 5, services(pod, WireName.ROOT, web)),
                Rdata.single(pod, DnsType.A, 5, four),
                Rdata.single(web, DnsType.CNAME, 5, Rdata.name(WireName.parse("www.example.org"))),
                RrSet.of(zone, DnsType.NS, 1, 5, List.of(Rdata.name(WireName.parse("ns.dns.cluster.local")), Rdata.name(WireName.ROOT))),
                Rdata.single(zone, DnsType.SOA, 5, Rdata.soa(zone, WireName.parse("hostmaster.cluster.local"), 1, 2, 3, 4, 5)),
                Rdata.single(WireName.parse("1.0.0.10.in-addr.arpa"), DnsType.PTR, 5, Rdata.name(pod)),
                RrSet.of(WireName.parse("example.org"), DnsType.MX, 1, 5, List.of(Rdata.mx(1, web), Rdata.mx(2, WireName.parse("a.org")))),
                RrSet.of(web, DnsType.TXT, 1, 5, List.of(Rdata.txt("x".repeat(300)), Rdata.txt(""))),
                Rdata.single(WireName.ROOT, DnsType.HINFO, 5, Rdata.hinfo("ANY obsoleted", "See RFC 8482")));
    }

    private static List<byte[]> services(WireName... targets) {
        return Arrays.stream(targets).map(target -> Rdata.srv(0, 1, 80, target)).toList();
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
