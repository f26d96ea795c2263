package dev.cairn.wire;

import static dev.cairn.wire.Reply.answerTo;
import static dev.cairn.wire.Reply.records;
import static dev.cairn.wire.Reply.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.Message;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;

class CompressionTest {
    private static final String WWW = "www.example.org.";

    /** The size of the same message as dnsjava writes it; it compresses the same types and neither SRV. */
    private static int dnsjavaSize(Reply reply) {
        Message copy = new Message(1);
        copy.addRecord(reply.message().getQuestion(), Section.QUESTION);
        for (int section = Section.ANSWER; section <= Section.ADDITIONAL; section++) {
            for (Record record : reply.section(section)) {
                copy.addRecord(record, section);
            }
        }
        return copy.toWire().length;
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "NS ns.example.org.", "NS www.example.org.", "NS org.", "NS ns.www.example.org.", "NS ns.example.net.",
        "CNAME host.EXAMPLE.org.", "PTR a.b.org.",
        "MX 1 mail.example.org.", "SOA ns.dns.example.org. hostmaster.example.org. 1 2 3 4 5", "SOA a.net. b.a.net. 1 2 3 4 5",
        "SRV 0 1 2 www.example.org.", "SRV 0 1 2 a.b.net.", "TXT www.example.org.", "A 192.0.2.1"})
    void a_reply_is_not_larger_than_dnsjavas(String data) {
        for (String owner : new String[] {WWW, "WWW.Example.ORG.", "a.www.example.org.", "b.org.", "net."}) {
            QueryView query = Packet.query(WWW, 1).view();
            Answer answer = answerTo(query);
            answer.addForQuestion(set(WWW + " 5 " + data, WWW + " 5 " + data));
            answer.add(Answer.Section.AUTHORITY, set(owner + " 5 " + data));
            answer.add(Answer.Section.ADDITIONAL, set("x." + owner + " 5 A 192.0.2.1"));
            Reply reply = Reply.of(query, answer, 4096);
            reply.has(Section.ANSWER, records(WWW + " 5 " + data, WWW + " 5 " + data));
            reply.has(Section.AUTHORITY, records(owner + " 5 " + data));
            reply.has(Section.ADDITIONAL, records("x." + owner + " 5 A 192.0.2.1"));
            assertThat(reply.bytes().length).isLessThanOrEqualTo(dnsjavaSize(reply));
        }
    }

    @Test
    void srv_targets_stand_in_full() {
        QueryView query = Packet.query("_x._tcp.example.org.", 33).view();
        Answer answer = answerTo(query);
        answer.addForQuestion(set("_x._tcp.example.org. 5 SRV 0 1 2 a.example.org.", "_x._tcp.example.org. 5 SRV 0 1 2 a.example.org."));
        byte[] bytes = Reply.of(query, answer, 4096).bytes();
        byte[] record = new Packet().u16(0xc00c, 33, 1, 0, 5, 6 + 15, 0, 1, 2).name("a.example.org.").toBytes();
        assertThat(bytes).endsWith(new Packet().raw(record).raw(record).toBytes());
    }

    @ParameterizedTest(name = "{0} targets")
    @ValueSource(ints = {1, 10, 60, 200})
    void owners_of_additional_records_point_into_srv_targets(int count) {
        String service = "_http._tcp.web.default.svc.cluster.local.";
        String[] targets = IntStream.range(0, count)
                .mapToObj(i -> "10-0-0-" + i + ".web.default.svc.cluster.local.").toArray(String[]::new);
        QueryView query = Packet.query(service, 33).view();
        Answer answer = answerTo(query);
        answer.addForQuestion(set(Arrays.stream(targets).map(t -> service + " 5 SRV 0 1 80 " + t).toArray(String[]::new)));
        for (String target : targets) {
            answer.add(Answer.Section.ADDITIONAL, set(target + " 5 A 10.0.0.1"));
        }
        Reply reply = Reply.of(query, answer, 65535);
        List<Record> additional = reply.section(Section.ADDITIONAL);
        assertThat(additional).extracting(r -> r.getName().toString()).containsExactly(targets);
        int services = Arrays.stream(targets).mapToInt(t -> 12 + 6 + t.length() + 1).sum();
        assertThat(reply.bytes()).hasSize(query.questionEnd() + services + count * (12 + 4));
    }

    @Test
    void a_name_beyond_the_reach_of_pointers_is_written_out_and_stays_readable() {
        String text = "x".repeat(250);
        QueryView query = Packet.query(WWW, 255).view();
        Answer answer = answerTo(query);
        for (int i = 0; i < 400; i++) {
            answer.add(Answer.Section.ANSWER, set("n" + i + ".far.net. 5 TXT " + text));
            answer.add(Answer.Section.ANSWER, set("n" + i + ".far" + i + ".com. 5 MX 1 n" + (i / 2) + ".far" + i + ".com."));
        }
        Reply reply = Reply.of(query, answer, 65535);
        assertThat(reply.truncated()).isTrue();
        List<Record> got = reply.section(Section.ANSWER);
        assertThat(got).hasSizeGreaterThan(200);
        for (int i = 0; i < got.size(); i++) {
            assertThat(got.get(i)).isEqualTo(Reply.record(i % 2 == 0
                    ? "n" + i / 2 + ".far.net. 5 TXT " + text
                    : "n" + i / 2 + ".far" + i / 2 + ".com. 5 MX 1 n" + i / 4 + ".far" + i / 2 + ".com."));
        }
    }

    /** The stamp that empties the table is back at its start after 2^32 messages: half a day at 100,000 queries a second. */
    @Test
    void the_table_of_names_is_empty_when_its_stamp_has_gone_round() {
        NameCompressor names = new NameCompressor(-1);
        byte[] message = new byte[512];
        byte[] name = Packet.wire("host.example.org.");
        names.reset();
        assertTimeoutPreemptively(Duration.ofSeconds(10), () -> {
            assertThat(names.write(name, 0, message, 12, 512)).isEqualTo(12 + name.length);
            assertThat(names.write(name, 0, message, 100, 512)).isEqualTo(100 + 2);
        });
    }
}
