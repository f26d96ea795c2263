package dev.cairn.plugin.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.testing.RawClient;
import dev.cairn.testing.ScriptedUpstream;
import dev.cairn.testing.TestServer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Type;

/** Names that are asked for once each, as those are that somebody makes up below a domain to overload its servers. */
class FloodTest {
    private static final int CAPACITY = 1024;
    private static final Pattern ENTRIES = Pattern.compile("coredns_cache_entries\\{[^}]*type=\"success\"[^}]*} ([0-9]+)");
    private static final Pattern REJECTED = Pattern.compile("coredns_forward_max_concurrent_rejects_total ([0-9]+)");

    private static long metric(TestServer server, Pattern name) {
        Matcher found = name.matcher(server.metrics());
        return found.find() ? Long.parseLong(found.group(1)) : 0;
    }

    @Test
    void madeUpNamesFillNeitherTheCacheNorTheQueueOfAnUpstreamThatIsSilent() throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(ScriptedUpstream.address("192.0.2.1"));
                TestServer server = TestServer.start(". {\n cache {\n success " + CAPACITY + "\n }\n forward . " + upstream.address()
                        + " {\n max_concurrent 50\n max_fails 0\n }\n}");
                RawClient client = RawClient.to(server)) {
            for (int i = 0; i < 2 * CAPACITY; i++) {
                assertThat(new Message(client.ask(false, TestServer.query("r" + i + ".flood.org.", Type.A).toWire())).getRcode()).isEqualTo(Rcode.NOERROR);
            }
            assertThat(metric(server, ENTRIES)).isBetween(1L, (long) CAPACITY);
            upstream.script(ScriptedUpstream.silent());
            for (int i = 0; i < CAPACITY; i++) {
                client.send(false, TestServer.query("s" + i + ".flood.org.", Type.A).toWire());
            }
            await().until(() -> metric(server, REJECTED) > 0);
            upstream.script(ScriptedUpstream.address("192.0.2.1"));
            await().until(() -> server.ask("good.org.", Type.A).getRcode() == Rcode.NOERROR);
        }
    }
}
