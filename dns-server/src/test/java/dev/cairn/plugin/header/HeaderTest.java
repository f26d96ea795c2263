package dev.cairn.plugin.header;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Step;
import dev.cairn.testing.TestServer;
import dev.cairn.wire.HeaderFlag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.Type;

class HeaderTest {
    /** whoami sets AA, and the client RD. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            response set ra                       | qr aa rd ra
            response clear aa                     | qr rd
            response clear rd                     | qr aa
            response set ra aa; response clear rd | qr aa ra
            response set ra; response clear ra    | qr aa rd
            response clear aa ra; response set aa | qr aa rd
            RESPONSE Set RA                       | qr aa rd ra
            query clear rd                        | qr aa rd
            """)
    void changesFlagsOfTheReply(String rules, String expected) throws Exception {
        try (TestServer server = TestServer.start(". {\n header {\n " + rules.replace(";", "\n") + "\n }\n whoami\n}")) {
            assertThat(server.ask("example.org", Type.A).getHeader().printFlags().strip()).isEqualTo(expected);
        }
    }

    @Test
    void changesFlagsOfTheQueryForThePluginsBelow() {
        Exchange exchange = new Exchange();
        exchange.query().flags(HeaderFlag.RD | HeaderFlag.CD);
        HeaderPlugin plugin = new HeaderPlugin(FlagChange.NONE.then(HeaderFlag.RD, false).then(HeaderFlag.AA, true), FlagChange.NONE);
        assertThat(plugin.query(exchange)).isEqualTo(Step.NEXT);
        assertThat(exchange.query().flags()).isEqualTo(HeaderFlag.AA | HeaderFlag.CD);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "header",
        "header {\n }",
        "header response {\n response set ra\n }",
        "header {\n request set ra\n }",
        "header {\n response\n }",
        "header {\n response set\n }",
        "header {\n response put ra\n }",
        "header {\n response set ad\n }",
    })
    void refuses(String directive) throws Exception {
        assertThat(TestServer.errorsOf(". {\n " + directive + "\n}")).hasSize(1);
    }

    @Test
    void reportsAllMistakes() throws Exception {
        assertThat(TestServer.errorsOf(". {\n header {\n response set tc ra qr\n query clean rd\n }\n}")).hasSize(3);
    }
}
