package dev.cairn.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.proxy.packets.ProxyProcess;
import dev.cairn.proxy.packets.Testbed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The command as a process that lacks what it needs: it ends, and says why in one line. */
@EnabledIf(value = "dev.cairn.proxy.packets.Testbed#isPossible", disabledReason = Testbed.NEEDS)
class HinderedProxyTest {
    @TempDir
    private Path directory;

    private final Testbed testbed = new Testbed();

    @BeforeEach
    void cluster() throws IOException {
        new ProxyProcess(testbed, directory).cluster("10.180.0.1");
    }

    @AfterEach
    void tearDown() {
        testbed.close();
    }

    /** What it says, with words before the command. */
    private List<String> said(int code, List<String> before, String... more) throws IOException, InterruptedException {
        ProcessBuilder command = new ProxyProcess(testbed, directory).command(more);
        List<String> words = new ArrayList<>(command.command());
        words.addAll(words.indexOf(testbed.name(Testbed.NODE)) + 1, before);
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        List<String> lines = process.inputReader(StandardCharsets.UTF_8).lines().toList();
        assertThat(process.waitFor()).as(lines.toString()).isEqualTo(code);
        return lines;
    }

    @Test
    void without_the_right_to_it() throws IOException, InterruptedException {
        List<String> lines = said(1, List.of("setpriv", "--inh-caps=-net_admin", "--bounding-set=-net_admin"), "--strict-mode");
        assertThat(lines).singleElement().asString().startsWith("cairn-proxy: mode nftables cannot be had: ").contains("NET_ADMIN");
    }

    @Test
    void without_the_programs_for_it() throws IOException, InterruptedException {
        List<String> lines = said(1, List.of("env", "PATH=/nowhere"));
        assertThat(lines).singleElement().asString().startsWith("cairn-proxy: mode nftables cannot be had: ").contains(
                "install nftables", "iptables cannot be had: ", "userspace cannot be had: ");
    }

    @Test
    void with_a_configuration_that_is_none() throws IOException, InterruptedException {
        Path config = Files.writeString(directory.resolve("config.conf"), "kind: [\n");
        assertThat(said(2, List.of(), "--config", config.toString())).singleElement().asString().startsWith("cairn-proxy: " + config + ": not YAML: ");
        Files.writeString(config, "apiVersion: v1\nkind: Pod\n");
        assertThat(said(2, List.of(), "--config", config.toString()))
                .containsExactly("cairn-proxy: " + config + ": kind is Pod, not KubeProxyConfiguration");
    }
}
