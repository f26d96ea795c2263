package dev.cairn.wire;

import static dev.cairn.wire.Reply.answerTo;
import static dev.cairn.wire.Reply.records;
import static dev.cairn.wire.Reply.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;

class AnswerEncoderTest {
    private static final String WWW = "www.example.org.";
    private static final List<Answer.Section> SECTIONS = List.of(Answer.Section.values());

    private static Arguments kind(String text, int type, byte[] data) {
        return Arguments.of(text, type, data);
    }

    static Stream<Arguments> kinds() {
        WireName host = WireName.parse("host.example.org");
        WireName root = WireName.ROOT;
        return Stream.of(
                kind("A 192.0.2.255", 1, Rdata.address(new byte[] {(byte) 192, 0, 2, -1})),
                kind("AAAA 2001:db8::ff", 28, Rdata.address(new byte[] {0x20, 1, 0x0d, (byte) 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1})),
                kind("SRV 1 65535 8080 host.example.org.", 33, Rdata.srv(1, 65535, 8080, host)),
                kind("SRV 0 0 0 .", 33, Rdata.srv(0, 0, 0, root)),
                kind("CNAME host.example.org.", 5, Rdata.name(host)),
                kind("PTR host.example.org.", 12, Rdata.name(host)),
                kind("NS host.example.org.", 2, Rdata.name(host)),
                kind("NS .", 2, Rdata.name(root)),
                kind("SOA host.example.org. admin.example.com. 4294967295 7200 1800 86400 5", 6,
                        Rdata.soa(host, WireName.parse("admin.example.com"), -1, 7200, 1800, 86400, 5)),
                kind("SOA . . 1 2 3 4 5", 6, Rdata.soa(root, root, 1, 2, 3, 4, 5)),
                kind("MX 10 host.example.org.", 15, Rdata.mx(10, host)),
                kind("MX 65535 .", 15, Rdata.mx(65535, root)),
                kind("HINFO \"ANY obsoleted\" \"See RFC 8482\"", 13, Rdata.hinfo("ANY obsoleted", "See RFC 8482")),
                kind("HINFO \"\" \"\"", 13, Rdata.hinfo("", "")),
                kind("TXT \"1.1.0\"", 16, Rdata.txt("1.1.0")),
                kind("TXT \"\"", 16, Rdata.txt("")),
                kind("TXT \"b\\195\\188cher\"", 16, Rdata.txt("bücher")),
                kind("TXT \"" + "x".repeat(255) + "\"", 16, Rdata.txt("x".repeat(255))),
                kind("TXT \"" + "x".repeat(255) + "\" \"x\"", 16, Rdata.txt("x".repeat(256))),
                kind("TXT \"" + "x".repeat(255) + "\" \"" + "y".repeat(255) + "\"", 16, Rdata.txt("x".repeat(255) + "y".repeat(255))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    void every_kind_of_record_arrives_in_every_section(String text, int type, byte[] data) {
        QueryView query = Packet.query(WWW, type).view();
        for (String owner : new String[] {WWW, "other.example.net.", "a.www.example.org.", "."}) {
            RrSet set = Rdata.single(WireName.parse(owner), type, 2147483647, data);
            Answer answer = answerTo(query);
            for (Answer.Section section : Answer.Section.values()) {
                answer.add(section, set);
            }
            Reply reply = Reply.of(query, answer, 4096);
            for (int section = Section.ANSWER; section <= Section.ADDITIONAL; section++) {
                reply.has(section, records(owner + " 2147483647 " + text));
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    void every_kind_of_record_answers_for_the_name_of_the_question(String text, int type, byte[] data) {
        QueryView query = Packet.query(WWW, type).view();
        Answer answer = answerTo(query);
        answer.addForQuestion(Rdata.single(WireName.parse("*.example.org"), type, 5, data));
        Reply.of(query, answer, 4096).has(Section.ANSWER, records(WWW + " 5 " + text));
    }

    @Test
    void the_question_comes_back_in_the_clients_spelling() {
        QueryView query = Packet.query("wWw.ExAmPlE.oRg.", 1).view();
        Answer answer = answerTo(query);
        answer.addForQuestion(set("www.example.org. 5 A 192.0.2.1"));
        answer.add(Answer.Section.AUTHORITY, set("example.org. 5 NS ns.example.org."));
        Reply reply = Reply.of(query, answer, 512);
        assertThat(reply.message().getQuestion().getName()).hasToString("wWw.ExAmPlE.oRg.");
        assertThat(reply.section(Section.ANSWER).get(0).getName()).hasToString("wWw.ExAmPlE.oRg.");
        reply.has(Section.AUTHORITY, records("example.org. 5 NS ns.example.org."));
    }

    /** RFC 1035 section 4.1.1 (ID, RD), RFC 4035 section 3.2.2 (CD is copied), section 3.2.3 (AD only after validation). */
    @ParameterizedTest(name = "query flags {0} give reply flags {1}")
    @CsvSource({"0x0000, 0x8000", "0x0100, 0x8100", "0x0010, 0x8010", "0x0110, 0x8110", "0x0020, 0x8000", "0x07ff, 0x8110"})
    void the_reply_mirrors_rd_and_cd_and_nothing_else(int asked, int replied) {
        QueryView query = Packet.header(asked, 1, 0, 0, 0).name(WWW).u16(1, 1).view();
        Reply reply = Reply.of(query, answerTo(query), 512);
        assertThat(reply.message().getHeader().getID()).isEqualTo(0x1234);
        assertThat(reply.flags()).isEqualTo(replied);
    }

    @Test
    void flags_and_code_that_plugins_set_are_sent() {
        QueryView query = Packet.query(WWW, 1).view();
        Answer answer = answerTo(query);
        answer.set(HeaderFlag.AA | HeaderFlag.RA);
        answer.clear(HeaderFlag.RD);
        answer.rcode(Rcode.NXDOMAIN);
        assertThat(Reply.of(query, answer, 512).flags()).isEqualTo(0x8483);
        answer.reset(query);
        assertThat(Reply.of(query, answer, 512).flags()).as("after reset").isEqualTo(0x8100);
    }

    @Test
    void opt_is_sent_only_to_a_client_that_sent_one() {
        QueryView plain = Packet.query(WWW, 1).view();
        Answer answer = answerTo(plain);
        answer.addOption(15, new byte[] {0, 4});
        assertThat(Reply.of(plain, answer, 512).opt()).isNull();
        QueryView edns = Packet.ednsQuery(WWW, 1).opt(4096, 0, 0).view();
        answer = answerTo(edns);
        answer.addForQuestion(set("www.example.org. 5 A 192.0.2.1"));
        Reply reply = Reply.of(edns, answer, 512);
        assertThat(reply.opt().getName().isAbsolute() && reply.opt().getName().labels() == 1).isTrue();
        assertThat(reply.opt().getVersion()).isZero();
        assertThat(reply.opt().getPayloadSize()).isEqualTo(1232);
        assertThat(reply.opt().getFlags()).isZero();
        assertThat(reply.opt().getOptions()).isEmpty();
    }

    @ParameterizedTest(name = "flags {0} give {1}")
    @CsvSource({"0x8000, 0x8000", "0xffff, 0x8000", "0x7fff, 0"})
    void the_dnssec_flag_is_mirrored_and_other_opt_flags_are_not(int asked, int replied) {
        QueryView query = Packet.ednsQuery(WWW, 1).opt(4096, 0, asked).view();
        assertThat(Reply.of(query, answerTo(query), 512).opt().getFlags()).isEqualTo(replied);
    }

    @Test
    void our_options_are_sent_and_the_clients_are_not_echoed() {
        QueryView query = Packet.ednsQuery(WWW, 1).opt(4096, 0, 0, 0, 3, 0, 0, 0xfd, 0xe9, 0, 1, 7).view();
        Answer answer = answerTo(query);
        answer.addOption(15, new byte[] {0, 4, 'h', 'i'});
        answer.addOption(65001, new byte[] {});
        byte[] bytes = Reply.of(query, answer, 512).bytes();
        assertThat(bytes).endsWith(0, 12, 0, 15, 0, 4, 0, 4, 'h', 'i', 0xfd, 0xe9, 0, 0);
        answer.reset(query);
        assertThat(Reply.of(query, answer, 512).opt().getOptions()).as("after reset").isEmpty();
    }

    /** Up to half the range: dnsjava takes the upper bits for a TTL, and one with its top bit set for 0. */
    @ParameterizedTest(name = "rcode {0}")
    @ValueSource(ints = {0, 3, 15, 16, 23, 2047})
    void the_upper_bits_of_a_code_travel_in_opt(int rcode) {
        QueryView query = new QueryView();
        assertThat(Packet.ednsQuery(WWW, 1).opt(4096, 1, 0x8000).readInto(query)).isEqualTo(Verdict.BAD_VERSION);
        Answer answer = answerTo(query);
        answer.rcode(rcode);
        Reply reply = Reply.of(query, answer, 512);
        assertThat(reply.message().getRcode()).isEqualTo(rcode);
        assertThat(reply.opt().getVersion()).as("ours, not the client's").isZero();
    }

    /** What a listener sends for the verdicts that are neither ANSWER nor DROP. */
    @Test
    void a_query_without_a_readable_question_gets_a_reply_without_one() {
        QueryView query = new QueryView();
        assertThat(Packet.header(0x2900, 1, 0, 0, 0).name(WWW).u16(6, 1).readInto(query)).isEqualTo(Verdict.NOT_IMPLEMENTED);
        Answer answer = answerTo(query);
        answer.rcode(Rcode.NOTIMP);
        Reply reply = Reply.of(query, answer, 512);
        assertThat(reply.bytes()).containsExactly(0x12, 0x34, 0xa9, 0x04, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    @Test
    void a_reply_without_a_question_can_carry_records() {
        QueryView query = new QueryView();
        assertThat(Packet.header(0, 0, 0, 0, 0).readInto(query)).isEqualTo(Verdict.FORMAT_ERROR);
        Answer answer = answerTo(query);
        answer.add(Answer.Section.AUTHORITY, set("example.org. 5 NS ns.example.org."));
        answer.addForQuestion(set("example.org. 5 A 192.0.2.1"));
        Reply reply = Reply.of(query, answer, 512);
        reply.has(Section.AUTHORITY, records("example.org. 5 NS ns.example.org."));
        reply.has(Section.ANSWER, records("example.org. 5 A 192.0.2.1"));
    }

    static Stream<Arguments> rotatable() {
        return Stream.of(
                Arguments.of("A", IntStream.range(0, 7).mapToObj(i -> "A 192.0.2." + i).toList()),
                Arguments.of("AAAA", IntStream.range(0, 7).mapToObj(i -> "AAAA 2001:db8::" + i).toList()),
                Arguments.of("SRV", List.of("SRV 0 1 80 a.org.", "SRV 0 1 80 bbb.example.org.", "SRV 0 1 80 .")),
                Arguments.of("TXT", List.of("TXT a", "TXT bbbb", "TXT \"\" \"\"", "TXT cc")),
                Arguments.of("MX", List.of("MX 1 www.example.org.", "MX 2 b.www.example.org.", "MX 3 com.")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rotatable")
    void every_rotation_is_the_cyclic_order(String type, List<String> data) {
        List<Record> expected = new ArrayList<>(data.stream().map(d -> Reply.record(WWW + " 5 " + d)).toList());
        RrSet set = set(expected);
        QueryView query = Packet.query(WWW, 1).view();
        for (int start = 0; start < data.size(); start++) {
            for (boolean forQuestion : new boolean[] {true, false}) {
                Answer answer = answerTo(query);
                (forQuestion ? answer.addForQuestion(set) : answer.add(Answer.Section.ANSWER, set)).rotate(start);
                Reply.of(query, answer, 4096).has(Section.ANSWER, expected);
            }
            Collections.rotate(expected, -1);
        }
    }

    /** In another class than IN an A record may have any size (RFC 1035 section 3.4.1 defines it for IN only). */
    @Test
    void rotation_goes_by_the_true_size_of_records() {
        RrSet set = RrSet.of(WireName.parse(WWW), 1, 3, 5, List.of(new byte[] {1}, new byte[] {2, 2, 2, 2, 2, 2}, new byte[] {3, 3}));
        QueryView query = Packet.query(WWW, 1).view();
        Answer answer = answerTo(query);
        answer.addForQuestion(set).rotate(2);
        byte[] out = new byte[512];
        int length = new AnswerEncoder().encode(query, answer, out, out.length);
        byte[] head = {(byte) 0xc0, 12, 0, 1, 0, 3, 0, 0, 0, 5, 0};
        byte[] expected = new Packet().raw(head).u8(2, 3, 3).raw(head).u8(1, 1).raw(head).u8(6, 2, 2, 2, 2, 2, 2).toBytes();
        assertThat(new Packet().raw(out).cut(length).toBytes()).endsWith(expected);
    }

    @ParameterizedTest
    @EnumSource(Answer.Section.class)
    void an_overridden_ttl_is_sent_on_every_record(Answer.Section section) {
        QueryView query = Packet.query(WWW, 1).view();
        for (String[] texts : new String[][] {{WWW + " 30 A 192.0.2.1", WWW + " 30 A 192.0.2.2"}, {WWW + " 30 TXT a", WWW + " 30 TXT bb"},
            {WWW + " 30 SRV 0 1 2 a.org.", WWW + " 30 SRV 0 1 2 b.org."}}) {
            for (int ttl : new int[] {0, 7, 2147483647}) {
                Answer answer = answerTo(query);
                (section == Answer.Section.ANSWER ? answer.addForQuestion(set(texts)) : answer.add(section, set(texts))).overrideTtl(ttl);
                List<Record> sent = Reply.of(query, answer, 512).section(SECTIONS.indexOf(section) + 1);
                assertThat(sent).hasSize(2).extracting(Record::getTTL).containsOnly((long) ttl);
                assertThat(answer.part(0).ttl()).isEqualTo(ttl);
            }
        }
        assertThat(set(WWW + " 30 A 192.0.2.1").ttl()).as("the set itself").isEqualTo(30);
    }

    @Test
    void parts_can_be_removed_by_section_and_replaced() {
        QueryView query = Packet.query(WWW, 1).view();
        Answer answer = answerTo(query);
        for (int i = 0; i < 20; i++) {
            answer.add(SECTIONS.get(i % 3), set(WWW + " 5 A 192.0.2." + i));
        }
        answer.remove(Answer.Section.AUTHORITY);
        assertThat(answer.has(Answer.Section.AUTHORITY)).isFalse();
        answer.part(0).rotate(0);
        answer.part(0).replace(set(WWW + " 5 A 198.51.100.1"));
        Reply reply = Reply.of(query, answer, 4096);
        reply.has(Section.ANSWER, records(IntStream.range(0, 7)
                .mapToObj(i -> WWW + " 5 A " + (i == 0 ? "198.51.100.1" : "192.0.2." + 3 * i)).toArray(String[]::new)));
        reply.has(Section.AUTHORITY, List.of());
        reply.has(Section.ADDITIONAL, records(IntStream.range(0, 6)
                .mapToObj(i -> WWW + " 5 A 192.0.2." + (3 * i + 2)).toArray(String[]::new)));
    }

    @Test
    void a_set_that_cannot_be_sent_is_refused() {
        WireName name = WireName.parse(WWW);
        assertThatIllegalArgumentException().isThrownBy(() -> RrSet.of(name, 1, 1, 5, List.of()));
        assertThatIllegalArgumentException().isThrownBy(() -> RrSet.of(name, 1, 1, -1, List.of(new byte[4])));
        assertThatIllegalArgumentException().isThrownBy(() -> Rdata.single(name, 16, 5, Rdata.txt("x".repeat(65_536))))
                .withMessage("record data has at most 65535 bytes, not 65794");
        assertThatIllegalArgumentException().isThrownBy(() -> Rdata.hinfo("x".repeat(256), ""));
        assertThatIllegalArgumentException().isThrownBy(() -> Rdata.address(new byte[5]));
        assertThatIllegalArgumentException().isThrownBy(() -> Rdata.soa(name, name, 1, 2, 3));
    }

    @ParameterizedTest(name = "type {0}: {1}")
    @CsvSource({
        "2, ''", "2, 0161", "2, c00c", "2, 0161c00c", "2, 016100ff", "2, 4161", "5, 00ff", "12, c000",
        "15, 00", "15, 0001", "15, 0001c00c", "33, 000000000000",
        "33, 000000000000c00c", "6, 0000", "6, 00000000000000000000000000000000000000",
        "6, 000000000001000000020000000300000004000000", "6, c00cc00c0000000100000002000000030000000400000005"})
    void data_whose_names_are_not_whole_is_refused(int type, String hex) {
        byte[] data = HexFormat.of().parseHex(hex);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Rdata.single(WireName.ROOT, type, 5, data))
                .withMessageContaining("whole and uncompressed");
    }
}
