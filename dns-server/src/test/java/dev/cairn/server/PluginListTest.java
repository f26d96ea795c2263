package dev.cairn.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.TestServer;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Type;

class PluginListTest {
    @Test
    void pluginsThatChangeNoAnswerAreToldOfAndServedWithout() throws Exception {
        try (TestServer server = TestServer.start(". {\n pprof localhost:6053\n shed\n on startup /bin/true\n whoami\n}")) {
            assertThat(server.logLinesWith("has no effect in Cairn")).hasSize(3).allMatch(line -> line.contains("[WARNING] Corefile:"));
            assertThat(server.ask("a.org", Type.A).getRcode()).isEqualTo(Rcode.NOERROR);
        }
    }

    @Test
    void pluginsWithoutWhichAnswersWouldBeOthersAreRefused() throws Exception {
        assertThat(TestServer.errorsOf(". {\n dnssec\n route53 example.org.:Z1\n whoami\n}")).hasSize(2)
                .allMatch(line -> line.contains("is CoreDNS's but not in Cairn"));
    }
}
