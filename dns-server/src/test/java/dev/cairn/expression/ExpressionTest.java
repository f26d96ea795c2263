package dev.cairn.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Protocol;
import dev.cairn.testing.TestServer;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.ExtendedFlags;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

class ExpressionTest {
    private final Exchange exchange = new Exchange();

    /** A question for www.example.com AAAA from 10.0.0.9:1053 to 10.0.0.1:53. */
    @BeforeEach
    void ask() throws Exception {
        Message query = TestServer.query("www.Example.com.", Type.AAAA);
        query.getHeader().setID(4711);
        query.addRecord(new OPTRecord(1400, 0, 0, ExtendedFlags.DO), Section.ADDITIONAL);
        byte[] packet = query.toWire();
        System.arraycopy(packet, 0, exchange.query().buffer(packet.length), 0, packet.length);
        exchange.query().read(packet.length);
        exchange.from(Protocol.UDP, new byte[] {10, 0, 0, 9}, 1053, new byte[] {10, 0, 0, 1}, 53, 4);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            true                                                        | true
            not true                                                    | false
            !(1 == 2) && 2 > 1                                          | true
            type() == 'AAAA'                                            | true
            type() != 'AAAA'                                            | false
            type() in ['A', 'AAAA']                                     | true
            type() not in ['A', 'AAAA']                                 | false
            not (type() in ['A', 'MX'])                                 | true
            type() in ['a']                                             | false
            name() == 'www.example.com.'                                | true
            name() == 'www.Example.com.'                                | false
            name() matches '^www\\\\..*\\\\.com\\\\.$'                  | true
            name() matches "^mail"                                      | false
            name() contains 'example'                                   | true
            name() startsWith 'www.' and name() endsWith '.com.'        | true
            name() not startsWith 'www.'                                | false
            class() == 'IN' or false                                    | true
            proto() == 'udp'                                            | true
            client_ip() == '10.0.0.9'                                   | true
            server_ip() == '10.0.0.1'                                   | true
            port() == '1053' && server_port() == '53'                   | true
            incidr(client_ip(), '10.0.0.0/24')                          | true
            incidr(client_ip(), '10.0.1.0/24')                          | false
            incidr(server_ip(), '10.0.0.1/32')                          | true
            incidr('invalid', '1.2.3.0/24')                             | false
            incidr('2001:db8::7', '2001:0DB8::/32')                     | true
            id() == 4711                                                | true
            id() in 4000..5000                                          | true
            opcode() == 0                                               | true
            do()                                                        | true
            bufsize() >= 1400 && bufsize() < 1401                       | true
            size() > 12                                                 | true
            1 + 2 * 3 == 7                                              | true
            7 % 4 == 3 && 7 / 2 == 3.5 && -1 < 0                        | true
            'a' + 'b' == 'ab'                                           | true
            'a' < 'b'                                                   | true
            type() == 'A' ? false : true                                | true
            any(['192.168.0.0/16', '10.0.0.0/8'], incidr(client_ip(), #)) | true
            all([1, 2, 3], {# > 1})                                     | false
            none([1, 2], # == 3)                                        | true
            one([1, 2], # == 2) and count([1, 1], # == 1) == 2          | true
            len(filter([1, 2, 3], # > 1)) == 2                          | true
            first(map(['A'], lower(#))) == 'a'                          | true
            split(name(), '.')[0] == 'www'                              | true
            split(name(), '.')[-2] == 'com'                             | true
            replace(client_ip(), '.', '-') == '10-0-0-9'                | true
            int('12') == 12 && string(12) == '12'                       | true
            trimSuffix(name(), '.') == 'www.example.com'                | true
            metadata('some/label') == 'told'                            | true
            metadata('other/label') == ''                               | true
            split(name(), '.')[9] == 'www'                              | false
            """)
    void isTrueOrFalse(String text, boolean expected) {
        Expression expression = Expression.condition(text, new Expression.Names(false));
        expression.bind(Map.of("some/label", (dev.cairn.plugin.MetadataValue) _ -> "told")::get);
        assertThat(expression.isTrue(exchange, Frame.NONE)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            ~~                          | 1: the expression ends too early
            invalid expression          | 1: "invalid" is not known
            name                        | 1: name is a function; write: name()
            name() = 'a'                | 8: "=" is not understood
            names()                     | 1: the function "names" is not known, did you mean name?
            name() == 1                 | 8: a string is never equal to a whole number
            name() && true              | 8: && wants true or false on both sides
            not name()                  | 1: not wants true or false
            type() in 'A'               | 8: in wants a list on its right
            name() matches '('          | 8: "(" is not a regular expression
            name() matches name()       | 8: matches wants a pattern in quotes
            incidr(client_ip())         | 1: incidr() wants a string, a string
            incidr(client_ip(), '10/8') | 1: "10/8" is not a network
            metadata(name())            | 1: metadata wants a label in quotes
            (true                       | 6: ")" is missing
            [1, 2                       | 6: "," is missing
            # == 1                      | 1: # stands for an element
            true true                   | 6: "true" is not expected here
            group(1) == ''              | 1: the function "group" is not known
            {'a': 1}                    | 1: "{" is not expected here
            """)
    void tellsWhereAMistakeIs(String text, String complaint) {
        assertThatThrownBy(() -> Expression.condition(text, new Expression.Names(false)))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("at character " + complaint);
    }

    @ParameterizedTest
    @ValueSource(strings = {"name()", "1", "[true]"})
    void aConditionIsTrueOrFalse(String text) {
        assertThatThrownBy(() -> Expression.condition(text, new Expression.Names(false))).hasMessageContaining("true or false");
    }

    @Test
    void variablesAndGroupsCanBeUsed() {
        Expression.Names names = new Expression.Names(true);
        Expression ip = Expression.value("replace(group('ip'), '-', '.')", names);
        assertThat(names.declare("ip", ip)).isZero();
        Expression condition = Expression.condition("incidr(ip, '10.0.0.0/8') && group(0) == 'all'", names);
        Frame frame = Frame.of(1, Map.of("ip", "10-1-2-3", "0", "all")::get);
        frame.variable(0, ip.evaluate(exchange, frame));
        assertThat(frame.variable(0)).isEqualTo("10.1.2.3");
        assertThat(condition.isTrue(exchange, frame)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"ip, true", "len, false", "true, false", "name, false", "1a, false", "any, false", "group, false", "_x9, true"})
    void namesOfVariablesMeanNothingElse(String name, boolean free) {
        assertThat(Expression.isFree(name)).isEqualTo(free);
    }
}
