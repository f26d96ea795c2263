package dev.cairn.proxy.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.proxy.config.ProxyConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConntrackSettingsTest {
    private static final String BELOW = "net/netfilter/nf_conntrack_";

    @TempDir
    private Path root;

    private static ConntrackSettings of(Map<String, String> settings, int processors) {
        return ConntrackSettings.of(new ProxyConfig(settings), processors);
    }

    @BeforeEach
    void makeKernel() throws IOException {
        for (String file : new String[] {"max", "tcp_timeout_established", "tcp_timeout_close_wait"}) {
            write("proc/sys/" + BELOW + file, "65536\n");
        }
        write("sys/module/nf_conntrack/parameters/hashsize", "16384\n");
    }

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private String read(String file) throws IOException {
        return Files.readString(root.resolve(file)).strip();
    }

    @ParameterizedTest
    @CsvSource({"2, '', '', 131072", "8, '', '', 262144", "64, '', '', 1048576", "2, 100000, 5, 200000", "4, 0, '', 0"})
    void the_limit_grows_with_the_processors(int processors, String perCore, String least, long max) {
        assertThat(of(Map.of("conntrack.maxPerCore", perCore, "conntrack.min", least), processors).max()).isEqualTo(max);
    }

    @Test
    void times_are_kube_proxys_unless_told_otherwise() {
        assertThat(of(Map.of(), 1).sysctls()).containsOnly(
                Map.entry(BELOW + "tcp_timeout_established", "86400"), Map.entry(BELOW + "tcp_timeout_close_wait", "3600"));
        assertThat(of(Map.of("conntrack.tcpEstablishedTimeout", "0s", "conntrack.tcpCloseWaitTimeout", "1h30m", "conntrack.udpTimeout", "45s",
                "conntrack.udpStreamTimeout", "2m0s", "conntrack.tcpBeLiberal", "true"), 1).sysctls()).containsOnly(
                Map.entry(BELOW + "tcp_timeout_close_wait", "5400"), Map.entry(BELOW + "udp_timeout", "45"),
                Map.entry(BELOW + "udp_timeout_stream", "120"), Map.entry(BELOW + "tcp_be_liberal", "1"));
        assertThatThrownBy(() -> of(Map.of("conntrack.udpTimeout", "soon"), 1))
                .hasMessage("conntrack.udpTimeout \"soon\" is not a time: write it as 30s, 5m or 1h30m");
    }

    @Test
    void what_is_lower_is_raised_and_what_is_higher_stays() throws IOException {
        KernelSettings kernel = new KernelSettings(root);
        of(Map.of(), 1).set(kernel);
        assertThat(kernel.complaints()).isEmpty();
        assertThat(read("proc/sys/" + BELOW + "max")).isEqualTo("131072");
        assertThat(read("proc/sys/" + BELOW + "tcp_timeout_close_wait")).isEqualTo("3600");
        assertThat(read("sys/module/nf_conntrack/parameters/hashsize")).isEqualTo("32768");
        of(Map.of("conntrack.min", "1000", "conntrack.maxPerCore", "1000"), 1).set(kernel);
        assertThat(read("proc/sys/" + BELOW + "max")).isEqualTo("131072");
    }

    @Test
    void how_much_the_process_is_spared_is_set() throws IOException {
        write("proc/self/oom_score_adj", "0\n");
        new KernelSettings(root).oomScore("-998");
        assertThat(read("proc/self/oom_score_adj")).isEqualTo("-998");
    }

    @Test
    void what_is_not_there_is_named() {
        KernelSettings kernel = new KernelSettings(root);
        of(Map.of("conntrack.tcpBeLiberal", "true"), 1).set(kernel);
        assertThat(kernel.complaints()).containsExactly("net.netfilter.nf_conntrack_tcp_be_liberal is not there to be set to 1: is its module loaded?");
    }
}
