package dev.cairn.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.proxy.packets.ProxyProcess;
import dev.cairn.proxy.packets.Testbed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** What the command says of itself while it runs. */
@EnabledIf(value = "dev.cairn.proxy.packets.Testbed#isPossible", disabledReason = Testbed.NEEDS)
class RunningLogTest {
    /** More than a pipe holds, which is 64 KiB. */
    private static final int COMPLAINTS = 2000;

    @TempDir
    private Path directory;

    private final Testbed testbed = new Testbed();
    private ProxyProcess command;

    @BeforeEach
    void setUp() {
        command = new ProxyProcess(testbed, directory);
    }

    @AfterEach
    void tearDown() {
        testbed.close();
    }

    /** Services that cannot be read, each of which is a line in the log. */
    private void wrongServices() throws IOException {
        Files.writeString(directory.resolve("wrong.yaml"), IntStream.range(0, COMPLAINTS)
                .mapToObj(i -> "apiVersion: v1\nkind: Service\nmetadata: {name: wrong-" + i + ", namespace: shop}\nspec: {clusterIP: none-at-all}\n")
                .collect(Collectors.joining("---\n")));
    }

    private void awaitRules() {
        List<String> list = testbed.inside(Testbed.NODE, List.of("nft", "list", "ruleset"));
        await().untilAsserted(() -> assertThat(Testbed.run(list)).contains(ProxyProcess.VIP));
    }

    private String metrics() {
        return Testbed.run(testbed.inside(Testbed.NODE, List.of("curl", "-sS", "http://127.0.0.1:10249/metrics")));
    }

    @Test
    void one_who_does_not_read_the_log_does_not_hold_it_up() throws IOException, InterruptedException {
        command.cluster("10.180.0.1");
        wrongServices();
        Process proxy = command.command().start();
        try {
            awaitRules();
            command.cluster("10.180.0.2");
            List<String> list = testbed.inside(Testbed.NODE, List.of("nft", "list", "ruleset"));
            await().untilAsserted(() -> assertThat(Testbed.run(list)).contains("10.180.0.2"));
            assertThat(metrics()).contains("\ncairn_log_dropped_lines_total 0\n", "\nprocess_resident_memory_bytes ", "\nprocess_open_fds ",
                    "\nprocess_cpu_seconds_total ", "\nprocess_max_fds ", "\nprocess_start_time_seconds ", "\nprocess_virtual_memory_bytes ",
                    "\njvm_threads_current ", "\ncairn_proxy_services 1\n");
            proxy.destroy();
            assertThat(proxy.waitFor()).as("ends although nobody reads").isEqualTo(128 + 15);
        } finally {
            proxy.destroyForcibly();
            proxy.waitFor();
        }
    }

    @Test
    void lines_of_json_have_the_fields_of_the_dns_servers() throws IOException, InterruptedException {
        command.cluster("10.180.0.1");
        wrongServices();
        Path log = directory.resolveSibling(directory.getFileName() + ".log");
        Process proxy = command.command("--logging-format", "json", "-v", "4").redirectError(log.toFile()).start();
        try {
            awaitRules();
            await().untilAsserted(() -> assertThat(Files.readString(log)).contains("\"nothing of kube-proxy or of another mode had to be removed\""));
            proxy.destroy();
            assertThat(proxy.waitFor()).isEqualTo(128 + 15);
            List<Map<?, ?>> lines = Files.readAllLines(log, StandardCharsets.UTF_8).stream().<Map<?, ?>>map(RunningLogTest::json).toList();
            assertThat(lines).hasSizeGreaterThan(COMPLAINTS).allSatisfy(line -> {
                assertThat(line.keySet()).map(String::valueOf).containsExactlyInAnyOrder("time", "level", "msg");
                assertThat(OffsetDateTime.parse(line.get("time").toString())).isNotNull();
                assertThat(line.get("level")).isIn("DEBUG", "INFO", "WARN");
            });
            List<String> messages = lines.stream().map(line -> line.get("msg").toString()).toList();
            assertThat(messages).anyMatch(line -> line.startsWith("cairn-proxy-"))
                    .anyMatch(line -> line.matches("node node \\(.*\\), mode nftables \\(the default\\), cluster from manifests .*"))
                    .anyMatch(line -> line.matches("synced 1 service with 1 endpoint from manifests \\S+ in \\d+ ms, by \\d+ changes to nftables"))
                    .anyMatch(line -> line.matches("programmed 1 services in \\d+ ms"))
                    .last().isEqualTo("shutting down");
        } finally {
            proxy.destroyForcibly();
            proxy.waitFor();
            Files.deleteIfExists(log);
        }
    }

    /** JSON is YAML, too. */
    private static Map<?, ?> json(String line) {
        assertThat(line).startsWith("{").endsWith("}");
        return (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(line);
    }
}
