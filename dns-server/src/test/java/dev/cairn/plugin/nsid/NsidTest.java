package dev.cairn.plugin.nsid;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.plugin.HostName;
import dev.cairn.testing.TestServer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.Message;
import org.xbill.DNS.NSIDOption;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

class NsidTest {
    @ParameterizedTest
    @CsvSource({"nsid Use The Force,Use The Force", "nsid one,one"})
    void namesTheServerToClientsThatAsk(String directive, String expected) throws Exception {
        try (TestServer server = TestServer.start(". {\n whoami\n " + directive + "\n}")) {
            for (boolean tcp : new boolean[] {false, true}) {
                Message reply = server.ask(query(true), tcp);
                assertThat(nsids(reply)).containsExactly(expected);
                assertThat(reply.getSection(Section.ADDITIONAL)).hasSize(3);
            }
        }
    }

    @Test
    void isTheHostNameByDefault() throws Exception {
        try (TestServer server = TestServer.start(". {\n whoami\n nsid\n}")) {
            assertThat(nsids(server.ask(query(true), false))).containsExactly(HostName.get());
        }
    }

    @Test
    void othersGetNothingNew() throws Exception {
        try (TestServer server = TestServer.start(". {\n whoami\n nsid x\n}")) {
            assertThat(nsids(server.ask(query(false), false))).isEmpty();
            assertThat(server.ask("example.org", Type.A).getOPT()).isNull();
            // The reply before must not leave its option in the next.
            assertThat(nsids(server.ask(query(true), false))).containsExactly("x");
            assertThat(nsids(server.ask(query(false), false))).isEmpty();
        }
    }

    @Test
    void canBeUsedOnceAndNotForNovels() throws Exception {
        assertThat(TestServer.errorsOf(". {\n nsid a\n nsid b\n}")).singleElement().asString()
                .contains("can only be used once per server block");
        assertThat(TestServer.errorsOf(". {\n nsid " + "x".repeat(256) + "\n}")).singleElement().asString()
                .contains("the text has 256 bytes: write at most 255");
    }

    private static Message query(boolean nsid) throws Exception {
        Message query = TestServer.query("example.org", Type.A);
        List<EDNSOption> options = nsid ? List.of(new NSIDOption(new byte[0])) : List.of();
        query.addRecord(new OPTRecord(1232, 0, 0, 0, options), Section.ADDITIONAL);
        return query;
    }

    private static List<String> nsids(Message reply) {
        return reply.getOPT().getOptions(EDNSOption.Code.NSID).stream().map(NsidTest::data).toList();
    }

    /** What follows code and length. */
    private static String data(EDNSOption option) {
        byte[] wire = option.toWire();
        return new String(wire, 4, wire.length - 4, UTF_8);
    }
}
