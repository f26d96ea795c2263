package dev.cairn.wire;

import static dev.cairn.wire.Reply.answerTo;
import static dev.cairn.wire.Reply.set;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;

/** Replies that do not fit (RFC 2181 section 9): every limit from 512 on, with and without OPT, in arrays of exactly that size. */
class TruncationTest {
    private static final String WWW = "www.example.org.";
    private static final int QUESTION_END = 12 + 17 + 4;
    private static final int OPT = 11;

    private static RrSet many(int count, IntFunction<String> text) {
        return set(IntStream.range(0, count).mapToObj(text).toArray(String[]::new));
    }

    private static QueryView query(boolean edns) {
        return edns ? Packet.ednsQuery(WWW, 1).opt(4096, 0, 0).view() : Packet.query(WWW, 1).view();
    }

    private static Reply reply(QueryView query, Answer answer, int limit) {
        Reply reply = Reply.of(query, answer, limit);
        assertThat(reply.opt() != null).isEqualTo(query.hasEdns());
        return reply;
    }

    private static int answers(Reply reply) {
        return reply.section(Section.ANSWER).size();
    }

    /** All records of one size, {@code total} of them: as many must be there as the limit has room for, the first ones. */
    private static void keepsWhatFits(RrSet set, int recordSize, int total) {
        for (boolean edns : new boolean[] {false, true}) {
            for (int rotation = 0; rotation < total; rotation += total / 2) {
                QueryView query = query(edns);
                Answer answer = answerTo(query);
                answer.addForQuestion(set).rotate(rotation);
                List<Record> whole = reply(query, answer, 65535).section(Section.ANSWER);
                assertThat(whole).hasSize(total);
                for (int limit = 512; limit < 1400; limit++) {
                    Reply reply = reply(query, answer, limit);
                    int fitting = Math.min(total, (limit - QUESTION_END - (edns ? OPT : 0)) / recordSize);
                    reply.has(Section.ANSWER, whole.subList(0, fitting));
                    assertThat(reply.truncated()).isEqualTo(fitting < total);
                }
            }
        }
    }

    @Test
    void addresses_keep_what_fits() {
        keepsWhatFits(many(60, i -> WWW + " 5 A 10.0.0." + i), 16, 60);
        keepsWhatFits(many(40, i -> WWW + " 5 AAAA 2001:db8::" + i), 28, 40);
    }

    @Test
    void services_keep_what_fits() {
        keepsWhatFits(many(40, i -> WWW + " 5 SRV 0 1 80 n" + (10 + i) + ".example.org."), 12 + 6 + 17, 40);
    }

    @ParameterizedTest(name = "{0} records")
    @ValueSource(ints = {1, 3, 8})
    void texts_are_there_all_or_none(int count) {
        RrSet set = many(count, i -> WWW + " 5 TXT " + "x".repeat(100) + i);
        int size = QUESTION_END + count * (12 + 1 + 101);
        for (boolean edns : new boolean[] {false, true}) {
            QueryView query = query(edns);
            Answer answer = answerTo(query);
            answer.addForQuestion(set);
            for (int limit = 512; limit < 1400; limit++) {
                Reply reply = reply(query, answer, limit);
                boolean fits = size + (edns ? OPT : 0) <= limit;
                assertThat(answers(reply)).isEqualTo(fits ? count : 0);
                assertThat(reply.truncated()).isEqualTo(!fits);
            }
        }
    }

    @Test
    void a_chain_keeps_its_alias_and_the_addresses_that_fit() {
        for (boolean edns : new boolean[] {false, true}) {
            QueryView query = query(edns);
            Answer answer = answerTo(query);
            answer.addForQuestion(set(WWW + " 5 CNAME web.example.net."));
            answer.add(Answer.Section.ANSWER, many(60, i -> "web.example.net. 5 A 10.0.0." + i));
            List<Record> whole = reply(query, answer, 65535).section(Section.ANSWER);
            for (int limit = 512; limit < 1400; limit++) {
                Reply reply = reply(query, answer, limit);
                int fitting = Math.min(60, (limit - QUESTION_END - (edns ? OPT : 0) - 12 - 17) / 16);
                reply.has(Section.ANSWER, whole.subList(0, 1 + fitting));
                assertThat(reply.truncated()).isEqualTo(fitting < 60);
            }
        }
    }

    @Test
    void lost_additional_records_are_not_truncation() {
        for (boolean edns : new boolean[] {false, true}) {
            QueryView query = query(edns);
            Answer answer = answerTo(query);
            answer.addForQuestion(many(20, i -> WWW + " 5 SRV 0 1 80 n" + (10 + i) + ".example.org."));
            for (int i = 0; i < 20; i++) {
                answer.add(Answer.Section.ADDITIONAL, set("n" + (10 + i) + ".example.org. 5 A 10.0.0." + i));
            }
            for (int limit = 512; limit < 1400; limit++) {
                Reply reply = reply(query, answer, limit);
                int room = limit - QUESTION_END - (edns ? OPT : 0);
                assertThat(answers(reply)).isEqualTo(Math.min(20, room / 35));
                assertThat(reply.truncated()).isEqualTo(room < 20 * 35);
                int additional = room < 20 * 35 ? 0 : Math.min(20, (room - 20 * 35) / 16);
                assertThat(reply.section(Section.ADDITIONAL)).hasSize(additional);
            }
        }
    }

    @Test
    void lost_addresses_of_services_are_truncation_for_who_asked_for_services() {
        QueryView query = Packet.query(WWW, 33).view();
        Answer answer = answerTo(query);
        answer.addForQuestion(many(5, i -> WWW + " 5 SRV 0 1 80 n" + (10 + i) + ".example.org."));
        for (int i = 0; i < 40; i++) {
            answer.add(Answer.Section.ADDITIONAL, set("n10.example.org. 5 A 10.0.0." + i));
        }
        for (int limit = 512; limit < 1400; limit++) {
            Reply reply = reply(query, answer, limit);
            assertThat(reply.truncated()).isEqualTo(reply.section(Section.ADDITIONAL).size() < 40);
        }
    }

    @Test
    void a_set_in_the_additional_section_is_there_whole_or_not_at_all() {
        QueryView query = query(true);
        Answer answer = answerTo(query);
        answer.addForQuestion(set(WWW + " 5 SRV 0 1 80 a.example.org."));
        answer.add(Answer.Section.ADDITIONAL, many(40, i -> "a.example.org. 5 A 10.0.0." + i));
        for (int limit = 512; limit < 1400; limit++) {
            Reply reply = reply(query, answer, limit);
            assertThat(reply.section(Section.ADDITIONAL)).hasSize(limit < QUESTION_END + OPT + 12 + 6 + 15 + 40 * 16 ? 0 : 40);
            assertThat(reply.truncated()).isFalse();
        }
    }

    @Test
    void a_lost_authority_is_truncation() {
        QueryView query = query(true);
        Answer answer = answerTo(query);
        answer.addForQuestion(many(28, i -> WWW + " 5 A 10.0.0." + i));
        answer.add(Answer.Section.AUTHORITY, set("net. 5 SOA ns.dns.net. hostmaster.net. 1 2 3 4 5"));
        answer.add(Answer.Section.ADDITIONAL, set("org. 5 A 10.0.0.1"));
        for (int limit = 512; limit < 1000; limit++) {
            Reply reply = reply(query, answer, limit);
            assertThat(reply.truncated()).isEqualTo(reply.section(Section.AUTHORITY).isEmpty());
            assertThat(answers(reply)).isEqualTo(28);
        }
        assertThat(reply(query, answer, 512).truncated()).isTrue();
        assertThat(reply(query, answer, 999).truncated()).isFalse();
    }

    @Test
    void options_that_do_not_fit_are_left_out_and_opt_stays() {
        String name = "a.".repeat(127);
        QueryView query = Packet.ednsQuery(name, 1).opt(512, 0, 0).view();
        for (int size = 0; size < 300; size++) {
            Answer answer = answerTo(query);
            answer.addOption(65001, new byte[size]);
            Reply reply = reply(query, answer, 512);
            boolean fits = 12 + 255 + 4 + OPT + 4 + size <= 512;
            assertThat(reply.opt().getOptions()).hasSize(fits ? 1 : 0);
            assertThat(reply.truncated()).isFalse();
        }
    }
}
