package dev.cairn.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Plugin;
import dev.cairn.chain.Step;
import dev.cairn.corefile.CorefileParser;
import dev.cairn.corefile.Use;
import dev.cairn.listen.Engines;
import dev.cairn.log.Log;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.PluginSetup;
import dev.cairn.testing.TestServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Type;

/** A plugin with a defect that every query meets: clients have an answer, the operator a count of all and a log that is not flooded. */
class DefectTest {
    private final AtomicLong clock = new AtomicLong();
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();
    private @Nullable PrintStream logBefore;
    private String corefile = ". {\n whoami\n}\n";
    private Server server;

    /** Throws whatever is asked. */
    private static final class Broken implements PluginSetup, Plugin {
        @Override
        public String name() {
            return "whoami";
        }

        @Override
        public void setup(List<Use> uses, Block block) {
            block.add(this);
        }

        @Override
        public Step query(Exchange exchange) {
            throw new IllegalStateException("a defect");
        }
    }

    @BeforeEach
    void start() throws Exception {
        logBefore = Log.redirect(new PrintStream(log, true, StandardCharsets.UTF_8));
        server = new Server(problems -> CorefileParser.parse("Corefile", corefile, _ -> null, problems), 0, new Engines(Engines.Choice.AUTO),
                List.of(new Broken(), PluginList.inOrder().stream().filter(plugin -> plugin.name().equals("debug")).findFirst().orElseThrow()), clock::get);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(Duration.ZERO);
        Log.redirect(logBefore);
    }

    private void ask(int times) throws IOException {
        for (int i = 0; i < times; i++) {
            int port = server.ports().values().iterator().next();
            assertThat(TestServer.ask(port, TestServer.query("a.example", Type.A), i % 2 == 1).getRcode()).isEqualTo(Rcode.SERVFAIL);
        }
    }

    private List<String> lines() {
        Log.flush();
        return log.toString(StandardCharsets.UTF_8).lines().filter(line -> line.contains("Recovered from panic")).toList();
    }

    @Test
    void everyQueryIsAnsweredAndCountedAndFewAreTold() throws Exception {
        ask(25);
        assertThat(server.metrics().scrape()).contains("coredns_panics_total 25\n");
        assertThat(lines()).hasSize(10).allSatisfy(line -> assertThat(line)
                .matches("\\[ERROR] Recovered from panic in server: \"dns://:\\d+\" java.lang.IllegalStateException: a defect"));

        clock.addAndGet(Duration.ofSeconds(10).toNanos());
        ask(2);
        assertThat(lines()).hasSize(11).last().asString().endsWith("a defect (and 15 times more since the last such line)");
        assertThat(server.metrics().scrape()).contains("coredns_panics_total 27\n");
    }

    @Test
    void debugTellsWhere() throws Exception {
        corefile = ". {\n debug\n whoami\n}\n";
        assertThat(server.reload()).isTrue();
        ask(1);
        assertThat(lines()).hasSize(1);
        assertThat(log.toString(StandardCharsets.UTF_8)).contains("\tat " + Broken.class.getName() + ".query(DefectTest.java:");
    }
}
