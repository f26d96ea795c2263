package dev.cairn.plugin.whoami;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.TestServer;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

class WhoamiTest {
    @Test
    void tellsAUdpClientItsAddressAndPort() throws Exception {
        try (TestServer server = TestServer.start(". {\n whoami\n}")) {
            Message reply = server.ask("Example.ORG", Type.A);
            assertThat(reply.getHeader().getFlag(Flags.AA)).isTrue();
            assertThat(reply.getQuestion().getName()).hasToString("Example.ORG.");
            assertThat(TestServer.answers(reply)).isEmpty();
            assertThat(TestServer.rows(reply, Section.ADDITIONAL))
                    .satisfiesExactly(
                            address -> assertThat(address).isEqualToIgnoringCase("Example.ORG. 0 IN A 127.0.0.1"),
                            port -> assertThat(port).matches("(?i)_udp\\.example\\.org\\. 0 IN SRV 0 0 [0-9]+ \\."));
        }
    }

    @Test
    void namesTcpAndAnswersTheRoot() throws Exception {
        try (TestServer server = TestServer.start(". {\n whoami\n}")) {
            assertThat(TestServer.rows(server.askTcp(".", Type.TXT), Section.ADDITIONAL))
                    .satisfiesExactly(
                            address -> assertThat(address).isEqualTo(". 0 IN A 127.0.0.1"),
                            port -> assertThat(port).matches("_tcp\\. 0 IN SRV 0 0 [0-9]+ \\."));
        }
    }

    @Test
    void takesNoArguments() throws Exception {
        assertThat(TestServer.errorsOf(". {\n whoami now\n}")).singleElement().asString().startsWith("Corefile:2: ").contains("whoami");
    }
}
