package dev.cairn.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.Name;
import org.xbill.DNS.TextParseException;

class WireNameTest {
    private static final String L63 = "a".repeat(63);
    private static final String N192 = (L63 + ".").repeat(3);

    private static byte[] bytes(WireName name) {
        byte[] bytes = new byte[name.length()];
        assertThat(name.copyTo(bytes, 0)).isEqualTo(name.length());
        return bytes;
    }

    @ParameterizedTest
    @ValueSource(strings = {
        ".", "org", "org.", "Example.ORG", "a.b.c.d.e.f.", "_http._tcp.svc", "*.example.org.", "a\\.b.org.", "a\\\\b.",
        "\\000.\\255.", "\\065bc.",
        "\\(x\\).", "a\\@b.", "\\\"q\\\".", "a b.", "1.0.0.127.in-addr.arpa.", "xn--bcher-kva.example.", "-a-.", "\\046.",
        "a\\;b.", "a$b.", "\\."})
    void text_reads_and_prints_as_in_dnsjava(String text) throws TextParseException {
        Name expected = Name.fromString(text, Name.root).canonicalize();
        WireName name = WireName.parse(text);
        assertThat(bytes(name)).isEqualTo(expected.toWire());
        assertThat(name).hasToString(expected.toString());
        assertThat(name.labelCount()).isEqualTo(expected.labels() - 1);
        assertThat(WireName.parse(name.toString())).isEqualTo(name).hasSameHashCodeAs(name);
    }

    static Stream<Arguments> notNames() {
        return Stream.of(
                Arguments.of("", "a name must not be empty"),
                Arguments.of("..", "'..' has an empty label"),
                Arguments.of(".a", "'.a' has an empty label"),
                Arguments.of("a..b", "'a..b' has an empty label"),
                Arguments.of("a..", "'a..' has an empty label"),
                Arguments.of("\\", "'\\' has a broken escape"),
                Arguments.of("a.b\\", "'a.b\\' has a broken escape"),
                Arguments.of("\\2", "'\\2' has a broken escape"),
                Arguments.of("\\25", "'\\25' has a broken escape"),
                Arguments.of("\\25a", "'\\25a' has a broken escape"),
                Arguments.of("\\256", "'\\256' has a broken escape"),
                Arguments.of("\\999.org", "'\\999.org' has a broken escape"),
                Arguments.of(L63 + "a.org", "'" + L63 + "a.org' has a label longer than 63 bytes"),
                Arguments.of(N192 + "a".repeat(62), "'" + N192 + "a".repeat(62) + "' is longer than 255 bytes"),
                Arguments.of("a.".repeat(128), "'" + "a.".repeat(128) + "' is longer than 255 bytes"));
    }

    @ParameterizedTest(name = "''{0}''")
    @MethodSource("notNames")
    void text_that_is_not_a_name_is_refused_with_the_reason(String text, String reason) {
        assertThatIllegalArgumentException().isThrownBy(() -> WireName.parse(text)).withMessage(reason);
        assertThatThrownBy(() -> Name.fromString(text, Name.root)).as("dnsjava").isInstanceOf(TextParseException.class);
    }

    @Test
    void names_up_to_the_limits_are_read() throws TextParseException {
        String[] texts = {L63, N192 + "a".repeat(60), N192 + "a".repeat(61), N192 + "a".repeat(61) + ".", "a.".repeat(127)};
        for (String text : texts) {
            assertThat(bytes(WireName.parse(text))).isEqualTo(Name.fromString(text, Name.root).toWire());
        }
    }

    /** Unlike dnsjava, which takes characters for Latin-1: a name that is written in UTF-8 is sent in UTF-8. */
    @Test
    void text_beyond_ascii_is_taken_as_utf_8() {
        byte[] utf8 = "bücher".getBytes(StandardCharsets.UTF_8);
        assertThat(bytes(WireName.parse("bücher"))).containsSubsequence(utf8).hasSize(utf8.length + 2);
        assertThat(WireName.parse("bücher")).hasToString("b\\195\\188cher.");
    }

    @Test
    void random_names_go_to_text_and_back_as_in_dnsjava() throws IOException {
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            byte[] wire = randomWire(random);
            Name expected = new Name(wire).canonicalize();
            WireName name = WireName.of(wire, 0, wire.length);
            assertThat(bytes(name)).isEqualTo(expected.toWire());
            assertThat(name).hasToString(expected.toString());
            assertThat(WireName.parse(new Name(wire).toString())).isEqualTo(name).hasSameHashCodeAs(name);
        }
    }

    /** Names over three letters in two cases and few labels, so that equal ones, suffixes and look-alikes are common. */
    @Test
    void equality_hash_order_and_containment_agree_with_dnsjava() throws IOException {
        Random random = new Random(2);
        byte[][] wires = new byte[600][];
        for (int i = 0; i < wires.length; i++) {
            wires[i] = smallWire(random);
        }
        for (byte[] left : wires) {
            for (byte[] right : wires) {
                check(left, right);
            }
        }
    }

    private static void check(byte[] left, byte[] right) throws IOException {
        WireName a = WireName.of(left, 0, left.length);
        WireName b = WireName.of(right, 0, right.length);
        boolean equal = new Name(left).equals(new Name(right));
        boolean within = new Name(left).subdomain(new Name(right));
        if (a.equals(b) != equal
                || a.isWithin(b) != within
                || (a.compareTo(b) == 0) != equal
                || Integer.signum(a.compareTo(b)) != -Integer.signum(b.compareTo(a))
                || (equal && a.hashCode() != b.hashCode())) {
            throw new AssertionError(a + " and " + b + ": equal " + equal + ", within " + within);
        }
    }

    @Test
    void a_name_hashes_the_same_wherever_it_lies() {
        Random random = new Random(3);
        for (int i = 0; i < 2_000; i++) {
            byte[] wire = randomWire(random);
            WireName name = WireName.of(wire, 0, wire.length);
            byte[] larger = new byte[300];
            random.nextBytes(larger);
            int at = random.nextInt(larger.length - name.length() + 1);
            name.copyTo(larger, at);
            assertThat(WireName.hash(larger, at, name.length())).isEqualTo(name.hashCode());
            assertThat(name.matches(larger, at, name.length())).isTrue();
            assertThat(name.matches(larger, at, name.length() - 1)).isFalse();
            assertThat(WireName.of(larger, at, name.length())).isEqualTo(name);
        }
    }

    @Test
    void a_name_equals_no_other_kind_of_object() {
        assertThat(WireName.parse("org")).isNotEqualTo("org.").isNotEqualTo(null);
    }

    private static byte[] randomWire(Random random) {
        Packet name = new Packet();
        int length = 1;
        for (int labels = random.nextInt(6); labels > 0; labels--) {
            int size = random.nextInt(8) == 0 ? 63 : 1 + random.nextInt(12);
            if (length + size + 1 <= WireName.MAX_LENGTH) {
                name.u8(size).u8(random.ints(size, 0, 256).toArray());
                length += size + 1;
            }
        }
        return name.u8(0).toBytes();
    }

    private static byte[] smallWire(Random random) {
        Packet name = new Packet();
        for (int labels = random.nextInt(4); labels > 0; labels--) {
            int size = 1 + random.nextInt(3);
            name.u8(size);
            for (int i = 0; i < size; i++) {
                name.u8("aAbB\1\2".charAt(random.nextInt(6)));
            }
        }
        return name.u8(0).toBytes();
    }
}
