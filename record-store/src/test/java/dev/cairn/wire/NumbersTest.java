package dev.cairn.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Type;

class NumbersTest {
    @Test
    void types_have_the_mnemonics_that_dnsjava_knows() {
        for (int type = 1; type <= 0xffff; type++) {
            String expected = Type.string(type);
            String text = DnsType.toText(type);
            if (!expected.startsWith("TYPE")) {
                assertThat(text).isIn(expected, "TYPE" + type);
            }
            assertThat(DnsType.fromText(text)).as(text).isEqualTo(type);
            assertThat(DnsType.fromText("type" + type)).isEqualTo(type);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "TYPE", "TYPE65536", "TYPE-1", "AB", "TYPE1234567"})
    void text_that_is_no_type_has_no_number(String text) {
        assertThat(DnsType.fromText(text)).isEqualTo(-1);
    }

    @ParameterizedTest
    @ValueSource(ints = {DnsClass.IN, DnsClass.CH, DnsClass.HS, DnsClass.NONE, DnsClass.ANY, 2000})
    void classes_have_the_mnemonics_of_dnsjava(int number) {
        assertThat(DnsClass.toText(number)).isEqualTo(DClass.string(number));
    }

    /** The names of the IANA registry "DNS RCODEs". */
    @ParameterizedTest
    @CsvSource({
        "0, NOERROR", "1, FORMERR", "2, SERVFAIL", "3, NXDOMAIN", "4, NOTIMP", "5, REFUSED", "6, YXDOMAIN", "7, YXRRSET", "8, NXRRSET",
        "9, NOTAUTH", "10, NOTZONE", "16, BADVERS", "17, BADKEY", "18, BADTIME", "19, BADMODE", "20, BADNAME", "21, BADALG", "22, BADTRUNC",
        "23, BADCOOKIE"})
    void codes_have_the_mnemonics_of_the_registry(int code, String text) {
        assertThat(Rcode.toText(code)).isEqualTo(text);
        assertThat(Rcode.fromText(text)).isEqualTo(code);
    }

    @Test
    void a_code_without_a_mnemonic_shows_its_number() {
        assertThat(Rcode.toText(12)).isEqualTo("RCODE12");
        assertThat(Rcode.toText(4000)).isEqualTo("RCODE4000");
        assertThat(Rcode.fromText("")).isEqualTo(-1);
    }

    @Test
    void flags_print_in_the_order_of_the_header() {
        assertThat(HeaderFlag.toText(0xffff)).isEqualTo("qr,aa,tc,rd,ra,z,ad,cd");
        assertThat(HeaderFlag.toText(0x0100)).isEqualTo("rd");
        assertThat(HeaderFlag.toText(0x780f)).isEmpty();
    }
}
