package dev.cairn.wire;

import static dev.cairn.wire.Verdict.ANSWER;
import static dev.cairn.wire.Verdict.BAD_VERSION;
import static dev.cairn.wire.Verdict.DROP;
import static dev.cairn.wire.Verdict.FORMAT_ERROR;
import static dev.cairn.wire.Verdict.NOT_IMPLEMENTED;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.Message;

class QueryViewTest {
    private static final String WWW = "www.example.org.";
    private static final int A = 1;

    private static Arguments row(Verdict verdict, String what, Packet packet) {
        return Arguments.of(verdict, what, packet);
    }

    static Stream<Arguments> headers() {
        Stream<Arguments> fixed = Stream.of(
                row(DROP, "an empty datagram", new Packet()),
                row(DROP, "a header short of one byte", Packet.query(WWW, A).cut(11)),
                row(DROP, "a response", Packet.header(0x8180, 1, 0, 0, 0).name(WWW).u16(A, 1)),
                row(DROP, "a response without a question", Packet.header(0x8000, 0, 0, 0, 0)),
                row(DROP, "a response with another opcode", Packet.header(0xa800, 1, 0, 0, 0).name(WWW).u16(6, 1)),
                row(FORMAT_ERROR, "no question", Packet.header(0, 0, 0, 0, 0)),
                row(FORMAT_ERROR, "no question but an OPT", Packet.header(0, 0, 0, 0, 1).opt(1232, 0, 0)),
                row(FORMAT_ERROR, "two questions", Packet.header(0, 2, 0, 0, 0).name(WWW).u16(A, 1).name(WWW).u16(28, 1)),
                row(FORMAT_ERROR, "65535 questions", Packet.header(0, 65535, 0, 0, 0).name(WWW).u16(A, 1)),
                row(ANSWER, "one question", Packet.query(WWW, A)),
                row(ANSWER, "a NOTIFY", Packet.header(0x2400, 1, 0, 0, 0).name(WWW).u16(6, 1)),
                row(FORMAT_ERROR, "a NOTIFY without a question", Packet.header(0x2400, 0, 0, 0, 0)),
                row(ANSWER, "every flag of a query set", Packet.header(0x07ff, 1, 0, 0, 0).name(WWW).u16(A, 1)));
        return Stream.concat(fixed, IntStream.range(1, 16)
                .filter(opcode -> opcode != 4)
                .mapToObj(opcode -> row(NOT_IMPLEMENTED, "opcode " + opcode, Packet.header(opcode << 11, 1, 0, 0, 0).name(WWW).u16(A, 1))));
    }

    static Stream<Arguments> errorsWithOpt() {
        return Stream.of(
                Arguments.of(true, "no question", Packet.header(0, 0, 0, 0, 1).opt(1232, 0, 0)),
                Arguments.of(true, "two questions", Packet.header(0, 2, 0, 0, 1).name(WWW).u16(A, 1).name(WWW).u16(28, 1).opt(1232, 0, 0)),
                Arguments.of(true, "an opcode", Packet.header(0x2800, 1, 0, 0, 1).name(WWW).u16(6, 1).opt(1232, 0, 0)),
                Arguments.of(true, "an opcode with a pointer", Packet.header(0x2800, 1, 0, 0, 1).u16(0xc00c, A, 1).opt(1232, 0, 0)),
                Arguments.of(false, "no OPT", Packet.header(0x2800, 1, 0, 0, 0).name(WWW).u16(6, 1)),
                Arguments.of(false, "no question where one is told", Packet.header(0x2800, 1, 0, 0, 1).opt(1232, 0, 0)),
                Arguments.of(false, "bytes after the end", Packet.header(0x2800, 1, 0, 0, 1).name(WWW).u16(6, 1).opt(1232, 0, 0).u8(1)),
                Arguments.of(false, "more questions than there are", Packet.header(0, 65535, 0, 0, 1).name(WWW).u16(A, 1).opt(1232, 0, 0)));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("errorsWithOpt")
    void an_opt_is_found_in_what_gets_an_error(boolean found, String name, Packet packet) {
        QueryView query = new QueryView();
        assertThat(packet.readInto(query)).isIn(FORMAT_ERROR, NOT_IMPLEMENTED);
        assertThat(query.hasEdns()).isEqualTo(found);
        assertThat(query.udpSize()).isEqualTo(found ? 1232 : 512);
        assertThat(query.questionEnd()).isEqualTo(QueryView.HEADER);
    }

    static Stream<Arguments> questions() {
        return Stream.of(
                row(ANSWER, "the root", Packet.query(".", 2)),
                row(ANSWER, "a label of 63 bytes", Packet.header(0, 1, 0, 0, 0).label(63, 'a').u8(0).u16(A, 1)),
                row(FORMAT_ERROR, "a label of 64 bytes", Packet.header(0, 1, 0, 0, 0).label(64, 'a').u8(0).u16(A, 1)),
                row(FORMAT_ERROR, "reserved label type 01", Packet.header(0, 1, 0, 0, 0).u8(0x41, 8, 0).u16(A, 1)),
                row(FORMAT_ERROR, "reserved label type 10", Packet.header(0, 1, 0, 0, 0).u8(0x81, 'a', 0).u16(A, 1)),
                row(FORMAT_ERROR, "a pointer to itself", Packet.header(0, 1, 0, 0, 0).u16(0xc00c, A, 1)),
                row(FORMAT_ERROR, "a pointer into the header", Packet.header(0, 1, 0, 0, 0).u16(0xc004, A, 1)),
                row(FORMAT_ERROR, "a pointer after a label", Packet.header(0, 1, 0, 0, 0).label(3, 'w').u16(0xc00c, A, 1)),
                row(ANSWER, "a name of 254 bytes", longName(60)),
                row(ANSWER, "a name of 255 bytes", longName(61)),
                row(FORMAT_ERROR, "a name of 256 bytes", longName(62)),
                row(ANSWER, "127 labels", manyLabels(127)),
                row(FORMAT_ERROR, "128 labels", manyLabels(128)),
                row(FORMAT_ERROR, "no bytes after the header", Packet.query(WWW, A).cut(12)),
                row(FORMAT_ERROR, "a name that stops within a label", Packet.query(WWW, A).cut(14)),
                row(FORMAT_ERROR, "a name that stops between labels", Packet.query(WWW, A).cut(16)),
                row(FORMAT_ERROR, "a name without type", Packet.query(WWW, A).cut(12 + 17)),
                row(FORMAT_ERROR, "half a type", Packet.query(WWW, A).cut(12 + 18)),
                row(FORMAT_ERROR, "a type without class", Packet.query(WWW, A).cut(12 + 19)),
                row(FORMAT_ERROR, "half a class", Packet.query(WWW, A).cut(12 + 20)));
    }

    static Stream<Arguments> records() {
        return Stream.of(
                row(ANSWER, "an OPT", Packet.ednsQuery(WWW, A).opt(1232, 0, 0)),
                row(ANSWER, "an OPT with unknown flags", Packet.ednsQuery(WWW, A).opt(1232, 0, 0x7fff)),
                row(ANSWER, "an unknown option", Packet.ednsQuery(WWW, A).opt(1232, 0, 0, 0xfd, 0xe9, 0, 2, 1, 2)),
                row(ANSWER, "an empty option", Packet.ednsQuery(WWW, A).opt(1232, 0, 0, 0, 3, 0, 0)),
                row(ANSWER, "the same option twice", Packet.ednsQuery(WWW, A).opt(1232, 0, 0, 0, 3, 0, 0, 0, 3, 0, 0)),
                row(BAD_VERSION, "EDNS version 1", Packet.ednsQuery(WWW, A).opt(1232, 1, 0)),
                row(BAD_VERSION, "EDNS version 255", Packet.ednsQuery(WWW, A).opt(1232, 255, 0x8000)),
                row(FORMAT_ERROR, "two OPTs", header(0, 0, 2).opt(1232, 0, 0).opt(1232, 0, 0)),
                row(FORMAT_ERROR, "two OPTs, the second of version 1", header(0, 0, 2).opt(1232, 0, 0).opt(1232, 1, 0)),
                row(FORMAT_ERROR, "an OPT in the answer section", header(1, 0, 0).opt(1232, 0, 0)),
                row(FORMAT_ERROR, "an OPT in the authority section", header(0, 1, 0).opt(1232, 0, 0)),
                row(FORMAT_ERROR, "an OPT of another owner", header(0, 0, 1).name("a.").optBody(1232, 0, 0)),
                row(FORMAT_ERROR, "an OPT owned by a pointer to the root", header(0, 0, 1).u16(0xc000 + 12 + 16).optBody(1232, 0, 0)),
                row(FORMAT_ERROR, "an option of three bytes", Packet.ednsQuery(WWW, A).opt(1232, 0, 0, 0, 3, 0)),
                row(FORMAT_ERROR, "an option longer than OPT", Packet.ednsQuery(WWW, A).opt(1232, 0, 0, 0, 3, 0, 2, 1)),
                row(FORMAT_ERROR, "bytes after the last option", Packet.ednsQuery(WWW, A).opt(1232, 0, 0, 0, 3, 0, 1, 1, 0)),
                row(FORMAT_ERROR, "an OPT longer than the message", header(0, 0, 1).u8(0).u16(41, 1232, 0, 0, 4)),
                row(FORMAT_ERROR, "an OPT that is counted but not there", header(0, 0, 1)),
                row(FORMAT_ERROR, "an OPT that is there but not counted", header(0, 0, 0).opt(1232, 0, 0)),
                row(FORMAT_ERROR, "one byte after the question", Packet.query(WWW, A).u8(0)),
                row(FORMAT_ERROR, "one byte after the OPT", Packet.ednsQuery(WWW, A).opt(1232, 0, 0).u8(0)),
                row(ANSWER, "records in every section", header(1, 1, 2).aRecord().aRecord().aRecord().opt(1232, 0, 0)),
                row(ANSWER, "a record after the OPT", header(0, 0, 2).opt(1232, 0, 0).aRecord()),
                row(ANSWER, "a compressed owner", header(0, 0, 1).u16(0xc00c, A, 1, 0, 30, 4, 0xc000, 0x0201)),
                row(FORMAT_ERROR, "half a pointer at the end", header(0, 0, 1).u8(0xc0)),
                row(FORMAT_ERROR, "an owner and nothing more", header(0, 0, 1).u16(0xc00c)),
                row(FORMAT_ERROR, "an owner that runs out", header(0, 0, 1).u8(5, 'a')),
                row(FORMAT_ERROR, "an owner with a reserved label type", header(0, 0, 1).u8(0x41, 0).u16(A, 1, 0, 30, 0)),
                row(FORMAT_ERROR, "a record head short of one byte", header(0, 0, 1).u8(0).u16(A, 1, 0, 30).u8(0)),
                row(FORMAT_ERROR, "record data short of one byte", header(0, 0, 1).u8(0).u16(A, 1, 0, 30, 4).u8(1, 2, 3)),
                row(FORMAT_ERROR, "more records counted than there are", header(65535, 65535, 65535).aRecord()));
    }

    private static Packet header(int answers, int authorities, int additionals) {
        return Packet.header(0, 1, answers, authorities, additionals).name(WWW).u16(A, 1);
    }

    private static Packet longName(int lastLabel) {
        return Packet.header(0, 1, 0, 0, 0).label(63, 'a').label(63, 'b').label(63, 'c').label(lastLabel, 'd').u8(0).u16(A, 1);
    }

    private static Packet manyLabels(int count) {
        Packet packet = Packet.header(0, 1, 0, 0, 0);
        for (int i = 0; i < count; i++) {
            packet.label(1, 'a');
        }
        return packet.u8(0).u16(A, 1);
    }

    @ParameterizedTest(name = "{0} for {1}")
    @MethodSource({"headers", "questions", "records"})
    void a_packet_gets_the_verdict_of_the_protocol(Verdict verdict, String what, Packet packet) {
        assertThat(packet.verdict()).as(what).isEqualTo(verdict);
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource({"headers", "questions", "records"})
    void what_is_answered_reads_the_same_in_dnsjava(Verdict verdict, String what, Packet packet) throws IOException {
        if (verdict == ANSWER) {
            QueryView view = packet.view();
            org.xbill.DNS.Record question = new Message(packet.toBytes()).getQuestion();
            assertThat(Arrays.copyOf(view.name(), view.nameLength())).as(what).isEqualTo(question.getName().toWireCanonical());
            assertThat(view.type()).isEqualTo(question.getType());
            assertThat(view.dnsClass()).isEqualTo(question.getDClass());
            assertThat(view.labelCount()).isEqualTo(question.getName().labels() - 1);
        }
    }

    @Test
    void every_cut_of_a_good_query_is_refused() {
        Packet whole = Packet.ednsQuery(WWW, A).opt(1232, 0, 0, 0, 10, 0, 8, 1, 2, 3, 4, 5, 6, 7, 8);
        int length = whole.toBytes().length;
        for (int cut = 0; cut < length; cut++) {
            assertThat(whole.cut(cut).verdict()).as("%s bytes", cut).isEqualTo(cut < 12 ? DROP : FORMAT_ERROR);
        }
        assertThat(whole.verdict()).isEqualTo(ANSWER);
    }

    @ParameterizedTest(name = "{0} bytes told count as {1}")
    @CsvSource({"0, 512", "511, 512", "512, 512", "513, 513", "1232, 1232", "4096, 4096", "65535, 65535"})
    void a_udp_size_below_512_counts_as_512(int told, int counts) {
        QueryView view = Packet.ednsQuery(WWW, A).opt(told, 0, 0).view();
        assertThat(view.hasEdns()).isTrue();
        assertThat(view.udpSize()).isEqualTo(counts);
    }

    @Test
    void a_query_without_opt_takes_512_bytes_and_no_dnssec() {
        QueryView view = Packet.query(WWW, A).view();
        assertThat(view.hasEdns()).isFalse();
        assertThat(view.dnssecOk()).isFalse();
        assertThat(view.udpSize()).isEqualTo(512);
        assertThat(view.option(10)).isEqualTo(-1);
    }

    @ParameterizedTest(name = "{0} capped at {1} is {2}")
    @CsvSource({"4096, 1232, 1232", "600, 1232, 600", "4096, 100, 512"})
    void a_cap_lowers_the_udp_size_but_not_below_512(int told, int cap, int left) {
        QueryView view = Packet.ednsQuery(WWW, A).opt(told, 0, 0).view();
        view.capUdpSize(cap);
        assertThat(view.udpSize()).isEqualTo(left);
    }

    @ParameterizedTest(name = "flags {0}")
    @CsvSource({"0x0000, false", "0x8000, true", "0x7fff, false", "0xffff, true"})
    void the_dnssec_flag_is_the_first_bit_of_the_opt_flags(int flags, boolean dnssecOk) {
        assertThat(Packet.ednsQuery(WWW, A).opt(1232, 0, flags).view().dnssecOk()).isEqualTo(dnssecOk);
    }

    @Test
    void an_option_is_found_by_its_code() {
        QueryView view = Packet.ednsQuery(WWW, A).opt(1232, 0, 0, 0, 3, 0, 0, 0, 10, 0, 2, 0x0a, 0x0b, 0, 10, 0, 1, 0x0c).view();
        int first = 12 + 17 + 4 + 11;
        assertThat(view.option(3)).isEqualTo(first + 4);
        assertThat(view.option(10)).as("the first of two").isEqualTo(first + 8);
        assertThat(view.message()[view.option(10)]).isEqualTo((byte) 0x0a);
        assertThat(view.option(0x0a0b)).as("data is not taken for a code").isEqualTo(-1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"WWW.EXAMPLE.ORG.", "wWw.eXaMpLe.oRg.", "www.example.org."})
    void names_in_any_case_are_the_same_name(String spelling) {
        QueryView view = Packet.query(spelling, A).view();
        WireName name = WireName.parse(WWW);
        assertThat(view.nameText()).isEqualTo(WWW);
        assertThat(view.nameHash()).isEqualTo(name.hashCode());
        assertThat(view.is(name)).isTrue();
        assertThat(view.message()).as("the packet keeps its spelling").containsSequence(Packet.wire(spelling));
    }

    /** Every byte value at every place in a word of eight, since case is folded eight bytes at a time. */
    @Test
    void only_ascii_letters_change_case() {
        for (int value = 0; value < 256; value++) {
            for (int length = 1; length <= 17; length++) {
                Packet packet = Packet.header(0, 1, 0, 0, 0).label(length, (char) value).u8(0).u16(A, 1);
                QueryView view = packet.view();
                byte expected = (byte) (value >= 'A' && value <= 'Z' ? value - 'A' + 'a' : value);
                for (int i = 1; i <= length; i++) {
                    assertThat(view.name()[i]).as("byte %s of %s", i, value).isEqualTo(expected);
                }
                assertThat(view.nameHash()).isEqualTo(WireName.of(packet.toBytes(), 12, length + 2).hashCode());
            }
        }
    }

    @Test
    void bytes_above_ascii_that_look_like_letters_without_their_top_bit_stay_apart() {
        QueryView view = Packet.header(0, 1, 0, 0, 0).u8(8, 'A' | 0x80, 'Z' | 0x80, 'A', 'z', '@', '[', 0xff, 0x80, 0).u16(A, 1).view();
        assertThat(Arrays.copyOf(view.name(), view.nameLength()))
                .containsExactly(8, 'A' | 0x80, 'Z' | 0x80, 'a', 'z', '@', '[', 0xff, 0x80, 0);
    }

    @ParameterizedTest(name = "{0} within {1}: {2}")
    @CsvSource({
        "www.example.org., example.org., true",
        "WWW.EXAMPLE.ORG., example.org., true",
        "example.org., example.org., true",
        "xexample.org., example.org., false",
        "org., example.org., false",
        "example.com., example.org., false",
        "example.org., ., true",
        "., ., true",
        "., org., false",
        // One label whose content is the zone on the wire: length byte, text, length byte, text.
        "x\\007example\\003org., example.org., false",
        "x\\007example.org., example.org., false",
        "a.x\\003org., org., false",
        "a\\.org., org., false",
    })
    void a_name_is_within_a_zone_only_at_a_label_boundary(String name, String zone, boolean within) {
        assertThat(Packet.query(name, A).view().isWithin(WireName.parse(zone))).isEqualTo(within);
        assertThat(WireName.parse(name).isWithin(WireName.parse(zone))).isEqualTo(within);
        assertThat(Packet.name(name, org.xbill.DNS.Name.root).subdomain(Packet.name(zone, org.xbill.DNS.Name.root)))
                .as("dnsjava")
                .isEqualTo(within);
    }

    @Test
    void label_starts_lead_to_the_root() {
        QueryView view = Packet.query("a.bcd.org.", A).view();
        assertThat(IntStream.rangeClosed(0, view.labelCount()).map(view::labelAt)).containsExactly(0, 2, 6, 10);
    }

    @Test
    void nothing_of_the_last_query_shows_in_an_unreadable_one() {
        QueryView view = Packet.ednsQuery("secret.example.org.", 28).opt(4096, 0, 0x8000, 0, 10, 0, 0).view();
        assertThat(Packet.header(0, 1, 0, 0, 0).u16(0xc00c, A, 1).readInto(view)).isEqualTo(FORMAT_ERROR);
        assertThat(view.nameText()).isEqualTo(".");
        assertThat(view.type()).isZero();
        assertThat(view.dnsClass()).isZero();
        assertThat(view.labelCount()).isZero();
        assertThat(view.hasEdns()).isFalse();
        assertThat(view.dnssecOk()).isFalse();
        assertThat(view.udpSize()).isEqualTo(512);
        assertThat(view.option(10)).isEqualTo(-1);
        assertThat(view.isWithin(WireName.ROOT)).isFalse();
        assertThat(view.questionEnd()).isEqualTo(12);
    }

    @Test
    void a_buffer_grows_to_the_largest_tcp_message() {
        QueryView view = new QueryView();
        assertThat(view.buffer(100)).hasSizeGreaterThanOrEqualTo(100);
        assertThat(view.buffer(513)).hasSizeGreaterThanOrEqualTo(513);
        assertThat(view.buffer(65535)).hasSize(65535);
        Packet big = Packet.ednsQuery(WWW, A).u8(0).u16(41, 1232, 0, 0, 60004, 12, 60000).raw(" ".repeat(60000).getBytes(US_ASCII));
        assertThat(big.readInto(view)).isEqualTo(ANSWER);
    }

    @Test
    void a_copy_has_all_there_is_in_a_view() throws ReflectiveOperationException {
        QueryView view = new QueryView();
        Packet.ednsQuery(WWW, A).opt(1232, 0, 0x8000, 0, 10, 0, 2, 7, 7).readInto(view);
        new QueryChange(view).name(WireName.parse("a.".repeat(127))).apply();
        view.flags(view.flags() | HeaderFlag.AD);
        view.capUdpSize(600);
        view.wireName();
        List<Field> fields = Stream.of(QueryView.class.getDeclaredFields()).filter(field -> !Modifier.isStatic(field.getModifiers())).toList();
        QueryView copy = new QueryView();
        copy.copy(view);
        // What was shown in place of the query received is the query received of the copy.
        assertThat(Arrays.copyOf(copy.received(), copy.receivedLength())).isEqualTo(Arrays.copyOf(view.message(), view.length()));
        for (Field field : fields) {
            field.setAccessible(true);
            if (field.getName().startsWith("re")) {
                continue;
            }
            int counts = switch (field.getName()) {
                case "message" -> view.length();
                case "name" -> view.nameLength();
                default -> view.labelCount() + 1;
            };
            Object expected = field.get(view) instanceof byte[] bytes ? Arrays.copyOf(bytes, counts) : field.get(view);
            assertThat(field.get(copy) instanceof byte[] bytes ? Arrays.copyOf(bytes, counts) : field.get(copy))
                    .as(field.getName()).isEqualTo(expected);
        }
    }

    @Test
    void a_copy_stays_as_it_is_whatever_the_view_reads_next() {
        QueryView view = new QueryView();
        Packet.query(WWW, A).readInto(view);
        QueryView copy = new QueryView();
        copy.copy(view);
        QueryView copyOfCopy = new QueryView();
        copyOfCopy.copy(copy);
        Packet.query("other.example.net.", A).readInto(view);
        Packet.query("third.example.com.", A).readInto(copyOfCopy);
        assertThat(copy.nameText()).isEqualTo(WWW);
        assertThat(WireName.toText(copy.message(), QueryView.HEADER)).isEqualTo(WWW);
        assertThat(copy.isWithin(WireName.parse("example.org."))).isTrue();
        assertThat(view.nameText()).isEqualTo("other.example.net.");
        assertThat(copyOfCopy.nameText()).isEqualTo("third.example.com.");
    }

    @Test
    void a_copy_stays_as_it_is_when_another_query_is_shown_in_the_place_of_either() {
        QueryView view = new QueryView();
        Packet.query(WWW, A).readInto(view);
        QueryView copy = new QueryView();
        copy.copy(view);
        byte[] shown = Packet.query("shown.example.net.", A).toBytes();
        view.replace(shown, shown.length);
        assertThat(copy.nameText()).isEqualTo(WWW);
        copy.replace(shown, shown.length);
        view.restore();
        assertThat(view.nameText()).isEqualTo(WWW);
        assertThat(copy.nameText()).isEqualTo("shown.example.net.");
        Packet.query("other.example.net.", A).readInto(view);
        copy.restore();
        assertThat(copy.nameText()).isEqualTo(WWW);
        assertThat(WireName.toText(copy.message(), QueryView.HEADER)).isEqualTo(WWW);
    }

    @Test
    void a_view_grows_for_the_longest_name_and_the_most_labels_and_goes_on_with_short_ones() {
        QueryView query = new QueryView();
        String longest = "A.".repeat(127);
        for (String name : List.of(WWW, longest, ("b".repeat(63) + ".").repeat(3) + "c.example.org.", WWW)) {
            assertThat(Packet.query(name, A).readInto(query)).isEqualTo(ANSWER);
            QueryView copy = new QueryView();
            copy.copy(query);
            for (QueryView view : List.of(query, copy)) {
                assertThat(view.nameText()).isEqualToIgnoringCase(name);
                assertThat(view.labelCount()).isEqualTo(name.length() - name.replace(".", "").length());
                assertThat(view.labelAt(view.labelCount())).isEqualTo(view.nameLength() - 1);
                assertThat(view.isWithin(WireName.parse("."))).isTrue();
                assertThat(view.isWithin(WireName.parse("example.org."))).isEqualTo(name.endsWith("example.org."));
                assertThat(view.isWithin(WireName.parse("a.a.a."))).isEqualTo(name.equals(longest));
                assertThat(view.isWithin(WireName.parse("xample.org."))).isFalse();
            }
        }
    }
}
