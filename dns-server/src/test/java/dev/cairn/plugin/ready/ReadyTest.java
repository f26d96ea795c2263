package dev.cairn.plugin.ready;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.cairn.corefile.Corefile;
import dev.cairn.corefile.CorefileParser;
import dev.cairn.corefile.Problems;
import dev.cairn.corefile.ServerBlock;
import dev.cairn.corefile.Use;
import dev.cairn.http.HttpEndpoints;
import dev.cairn.log.Log;
import dev.cairn.metrics.MetricRegistry;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.Host;
import dev.cairn.plugin.Reloading;
import dev.cairn.plugin.Shared;
import dev.cairn.plugin.ShutdownHook;
import dev.cairn.plugin.StartHook;
import dev.cairn.testing.HttpGet;
import dev.cairn.testing.TestServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadyTest {
    private static final Reloading NO_RELOADING = new Reloading() {
        @Override
        public @Nullable String digestOnDisk(Problems problems) {
            return null;
        }

        @Override
        public boolean reload() {
            return false;
        }
    };

    private final HttpEndpoints http = new HttpEndpoints();
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final Host host = new Host(new MetricRegistry(), http, scheduler, NO_RELOADING, new Shared(), () -> "");
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();
    private @Nullable PrintStream logBefore;

    @BeforeEach
    void keepLog() {
        logBefore = Log.redirect(new PrintStream(log, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void close() {
        Log.redirect(logBefore);
        http.close();
        scheduler.shutdownNow();
    }

    @Test
    void aServerWithNothingToWaitForIsReady() throws Exception {
        try (TestServer server = TestServer.start(". {\n whoami\n ready 127.0.0.1:0\n}")) {
            assertThat(HttpGet.of(server.http("/ready"))).isEqualTo(new HttpGet(200, "OK"));
        }
    }

    @Test
    void namesThePluginsOfAllBlocksThatAreNotReady() throws Exception {
        List<Block> blocks = setUp("a {\n ready 127.0.0.1:0\n}\nb {\n ready 127.0.0.1:0\n}\nc {\n whoami\n}");
        AtomicBoolean kubernetes = new AtomicBoolean();
        AtomicBoolean otherKubernetes = new AtomicBoolean();
        AtomicBoolean file = new AtomicBoolean();
        // Plugins name themselves after ready was set up, being below it.
        blocks.get(0).readiness("kubernetes", kubernetes::get);
        blocks.get(1).readiness("kubernetes", otherKubernetes::get);
        blocks.get(1).readiness("file", file::get);
        blocks.get(2).readiness("auto", () -> false);
        start(blocks);

        for (int probe = 0; probe < 20; probe++) {
            assertThat(get()).isEqualTo(new HttpGet(503, "file,kubernetes"));
        }
        file.set(true);
        kubernetes.set(true);
        assertThat(get()).isEqualTo(new HttpGet(503, "kubernetes"));
        Log.flush();
        assertThat(log.toString(StandardCharsets.UTF_8).lines().distinct()).as("not one for each probe").containsExactly(
                "[INFO] plugin/ready: Plugins not ready: \"file,kubernetes\"", "[INFO] plugin/ready: Plugins not ready: \"kubernetes\"");
        assertThat(log.toString(StandardCharsets.UTF_8).lines()).hasSizeLessThan(10);
        otherKubernetes.set(true);
        assertThat(get()).isEqualTo(new HttpGet(200, "OK"));
        stop(blocks);
    }

    @Test
    void onceReadyIsReadyUnlessMonitoredContinuously() throws Exception {
        List<Block> blocks = setUp("""
                a {
                    ready 127.0.0.1:0 {
                        monitor until-ready
                    }
                }
                b {
                    ready 127.0.0.1:0 {
                        monitor continuously
                    }
                }
                """);
        AtomicBoolean once = new AtomicBoolean(true);
        AtomicBoolean always = new AtomicBoolean(true);
        blocks.get(0).readiness("once", once::get);
        blocks.get(1).readiness("always", always::get);
        start(blocks);

        assertThat(get().status()).isEqualTo(200);
        once.set(false);
        always.set(false);
        assertThat(get()).isEqualTo(new HttpGet(503, "always"));
        always.set(true);
        assertThat(get().status()).isEqualTo(200);
        stop(blocks);
    }

    @Test
    void goesAtTheFirstSignOfShutdown() throws Exception {
        List<Block> blocks = setUp("a {\n ready 127.0.0.1:0\n}\nb {\n ready 127.0.0.1:0\n}");
        start(blocks);
        URI ready = uri();
        blocks.getFirst().shutdownHooks().stream().map(ShutdownHook::action).forEach(Runnable::run);
        assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> HttpGet.of(ready));
        stop(blocks);
    }

    @Test
    void stoppingWhatNeverStartedDoesNoHarm() {
        stop(setUp("a {\n ready 127.0.0.1:0\n}"));
        assertThat(http.addressesOf("/ready")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ready 8181                          | 2 | "8181" has no port: write :8181
            ready :1 :2                         | 2 | wants at most 1 argument, got 2
            ready {;monitor;}                   | 3 | write: monitor until-ready|continuously
            ready {;monitor sometimes;}         | 3 | "sometimes" is not known here
            ready {;watch continuously;}        | 3 | unknown property "watch"
            ready;ready                         | 3 | can only be used once per server block
            """, quoteCharacter = '`')
    void saysWhatIsWrongAndWhatToWrite(String directive, int line, String message) throws Exception {
        assertThat(TestServer.errorsOf(". {\n" + directive.replace(';', '\n') + "\n}")).singleElement().asString()
                .startsWith("Corefile:" + line + ": plugin/ready").contains(message);
    }

    private List<Block> setUp(String text) {
        Problems problems = new Problems();
        Corefile corefile = CorefileParser.parse("Corefile", text, _ -> null, problems);
        Shared shared = new Shared();
        List<Block> blocks = new ArrayList<>();
        for (ServerBlock source : corefile.blocks()) {
            Block block = new Block(host, shared, source.at(), List.of());
            List<Use> uses = Use.of(source.directives().stream().filter(line -> line.name().text().equals("ready")).toList(), problems);
            if (!uses.isEmpty()) {
                new ReadySetup().setup(uses, block);
            }
            blocks.add(block);
        }
        assertThat(problems.all()).isEmpty();
        return blocks;
    }

    private static void start(List<Block> blocks) throws IOException {
        for (Block block : blocks) {
            for (StartHook hook : block.startHooks()) {
                hook.start();
            }
        }
    }

    private static void stop(List<Block> blocks) {
        blocks.forEach(block -> block.stopHooks().forEach(Runnable::run));
    }

    private URI uri() {
        InetSocketAddress address = http.addressesOf("/ready").getFirst();
        return URI.create("http://127.0.0.1:" + address.getPort() + "/ready");
    }

    private HttpGet get() throws IOException {
        return HttpGet.of(uri());
    }
}
