package dev.cairn.plugin.reload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Type;

class ReloadTest {
    private static final String OLD = "old.example {\n whoami\n reload 2s 0s\n}\n";
    private static final String NEW = "old.example new.example {\n whoami\n reload 2s 0s\n}\n";
    private static final String BROKEN = "old.example {\n whomi\n}\n";

    @TempDir
    Path directory;

    @Test
    void aChangedFileComesIntoServiceWithoutALostQueryAndABrokenOneDoesNot() throws Exception {
        Path file = Files.writeString(directory.resolve("Corefile"), OLD);
        AtomicBoolean done = new AtomicBoolean();
        AtomicInteger lost = new AtomicInteger();
        try (TestServer server = TestServer.start(file)) {
            assertThat(server.logLinesWith("[INFO] plugin/reload: Running configuration SHA512 = ")).hasSize(1);
            assertThat(server.ask("new.example", Type.A).getRcode()).isEqualTo(Rcode.REFUSED);
            Thread client = Thread.ofPlatform().start(() -> askUntil(server, done, lost));

            Files.writeString(file, NEW);
            await().until(() -> server.ask("new.example", Type.A).getRcode() == Rcode.NOERROR);
            await().untilAsserted(() -> assertThat(server.logLinesWith("Reloading complete")).hasSize(1));

            Files.writeString(file, BROKEN);
            await()
                    .untilAsserted(() -> assertThat(server.metrics()).contains("coredns_reload_failed_total 1\n"));
            assertThat(server.logLinesWith("[ERROR]").toList()).anySatisfy(line -> assertThat(line).contains("unknown plugin 'whomi'"))
                    .anySatisfy(line -> assertThat(line).contains("plugin/reload: Corefile changed but reload failed"));
            assertThat(server.ask("new.example", Type.A).getRcode()).isEqualTo(Rcode.NOERROR);

            done.set(true);
            client.join();
            assertThat(lost).hasValue(0);
            assertThat(server.metrics()).containsOnlyOnce("coredns_reload_version_info{hash=\"sha512\",value=\"");
        }
    }

    private static void askUntil(TestServer server, AtomicBoolean done, AtomicInteger lost) {
        int port = server.port();
        while (!done.get()) {
            try {
                if (TestServer.ask(port, TestServer.query("old.example", Type.A), false).getRcode() != Rcode.NOERROR) {
                    lost.incrementAndGet();
                }
            } catch (IOException e) {
                lost.incrementAndGet();
            }
        }
    }

    @Test
    void theVersionTellsWhatRunsAlsoAfterTheSameIsReadAgain() throws Exception {
        try (TestServer server = TestServer.start(OLD)) {
            String before = versions(server);
            assertThat(before).contains("hash=\"sha512\"").endsWith(" 1");
            assertThat(server.reload(OLD)).isTrue();
            assertThat(versions(server)).isEqualTo(before);
            assertThat(server.reload(NEW)).isTrue();
            assertThat(versions(server)).isNotEqualTo(before).contains("sha512");
            assertThat(server.reload(BROKEN)).isFalse();
            assertThat(versions(server)).contains("sha512");
            assertThat(server.reload(". {\n whoami\n}")).isTrue();
            assertThat(versions(server)).isEmpty();
        }
    }

    private static String versions(TestServer server) {
        return String.join("\n", server.metrics().lines().filter(line -> line.startsWith("coredns_reload_version_info")).toList());
    }

    @Test
    void spreadsTheIntervalByAtMostAQuarter() {
        RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
        Duration ten = Duration.ofSeconds(10);
        for (int i = 0; i < 1000; i++) {
            assertThat(ReloadSetup.spread(ten, Duration.ofSeconds(15), random))
                    .isBetween(Duration.ofMillis(7500), Duration.ofMillis(12500));
            assertThat(ReloadSetup.spread(ten, Duration.ofSeconds(2), random)).isBetween(Duration.ofSeconds(9), Duration.ofSeconds(11));
        }
        assertThat(ReloadSetup.spread(ten, Duration.ZERO, random)).isEqualTo(ten);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            reload 1s                   | 2 | 1s is out of range: write a duration from 2s
            reload 30                   | 2 | write 30s for seconds
            reload 10s 500ms            | 2 | the jitter 500ms is too small: write 0s for none, or at least 1s
            reload 10s -1s              | 2 | out of range
            reload 1m 1s 1s             | 2 | wants at most 2 arguments, got 3; write: reload [INTERVAL] [JITTER]
            reload;reload               | 3 | can only be used once per server block
            """)
    void saysWhatIsWrongAndWhatToWrite(String directive, int line, String message) throws Exception {
        assertThat(TestServer.errorsOf(". {\n" + directive.replace(';', '\n') + "\n}")).singleElement().asString()
                .startsWith("Corefile:" + line + ": plugin/reload").contains(message);
    }
}
