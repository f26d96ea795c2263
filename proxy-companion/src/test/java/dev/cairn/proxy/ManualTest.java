package dev.cairn.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.manual.Completion;
import dev.cairn.manual.FlagsPage;
import dev.cairn.manual.Kept;
import dev.cairn.manual.ManPage;
import dev.cairn.manual.Metric;
import dev.cairn.proxy.config.ProxyMode;
import dev.cairn.proxy.health.HealthServers;
import dev.cairn.proxy.health.NodeHealth;
import dev.cairn.proxy.health.SyncMetrics;
import dev.cairn.proxy.iptables.IptablesMetrics;
import dev.cairn.proxy.plan.ServiceName;
import dev.cairn.proxy.userspace.UserspaceBackend;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The kept pages about {@code cairn-proxy} are what the code says; {@code ./gradlew docs} writes them anew by these tests. */
class ManualTest {
    private static final Path ROOT = Path.of(System.getProperty("cairn.root"));
    private static final String SHARE = "proxy-companion/src/dist/share/";

    @TempDir
    private Path directory;

    @Test
    void the_page_of_flags_is_what_the_command_takes() throws IOException {
        Kept.check("docs/reference/cairn-proxy-flags.md", FlagsPage.of(CairnProxy.commandLine().getCommandSpec()));
    }

    static Stream<CommandSpec> commands() {
        CommandLine proxy = CairnProxy.commandLine();
        return Stream.concat(Stream.of(proxy), proxy.getSubcommands().values().stream()).map(CommandLine::getCommandSpec);
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("commands")
    void manual_pages_are_what_the_commands_take_and_can_be_set(CommandSpec command) throws Exception {
        String file = SHARE + "man/man8/" + ManPage.name(command) + ".8";
        Kept.check(file, ManPage.of(command, 8));
        assertThat(run("groff", "-man", "-ww", "-z", "-Tutf8", ROOT.resolve(file).toString())).as("complaints").isEmpty();
    }

    @Test
    void shells_complete_commands_and_flags() throws Exception {
        String file = SHARE + "bash-completion/completions/cairn-proxy";
        Kept.check(file, Completion.of(CairnProxy.commandLine()));
        Path script = Files.writeString(directory.resolve("complete.sh"), Completion.script("cairn-proxy"));
        String completions = ROOT.resolve(file).toString();
        assertThat(run("bash", script.toString(), completions, "cairn-proxy", "aud").strip()).isEqualTo("audit");
        assertThat(run("bash", script.toString(), completions, "cairn-proxy", "--proxy-m").strip()).isEqualTo("--proxy-mode");
        Path zsh = Files.writeString(directory.resolve("complete.zsh"), Completion.zshScript());
        assertThat(run("timeout", "120", "zsh", zsh.toString(), completions, "cairn-proxy", "aud").strip()).isEqualTo("cairn-proxy audit");
    }

    /** Of all modes: what the sync loop counts, what each backend adds, and answers about health, which are counted when they were given. */
    @Test
    void the_page_of_metrics_is_what_the_proxy_tells() throws Exception {
        StringBuilder text = new StringBuilder();
        NodeHealth health = new NodeHealth(InstantSource.system(), Duration.ofSeconds(60));
        for (ProxyMode mode : ProxyMode.values()) {
            SyncMetrics metrics = new SyncMetrics(InstantSource.system(), mode, () -> Map.of(new ServiceName("shop", "web"), 1L));
            try (HealthServers servers = new HealthServers(health); HttpClient client = HttpClient.newHttpClient()) {
                InetSocketAddress at = servers.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), metrics);
                for (String path : List.of("/healthz", "/livez")) {
                    client.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + at.getPort() + path)).build(),
                            HttpResponse.BodyHandlers.discarding());
                }
            }
            text.append(metrics.text());
        }
        try (UserspaceBackend userspace = UserspaceBackend.of(Set.of(), 14, Duration.ofSeconds(60))) {
            text.append(userspace.metrics());
        }
        text.append(IptablesMetrics.text());
        List<Metric> metrics = Metric.read(text.toString());
        Kept.check("docs/reference/cairn-proxy-metrics.md", Metric.page("Metrics of `cairn-proxy`", metrics));
        Set<String> known = metrics.stream().map(Metric::name).collect(Collectors.toCollection(TreeSet::new));
        Set<String> named = Pattern.compile("`((?:kubeproxy|cairn_proxy)_[a-z0-9_]+)[{`]").matcher(Files.readString(ROOT.resolve("docs/proxy.md"))).results()
                .map(match -> match.group(1)).collect(Collectors.toCollection(TreeSet::new));
        assertThat(named).isNotEmpty();
        assertThat(known).as("metrics that docs/proxy.md names").containsAll(named);
    }

    @Test
    void the_version_is_the_one_of_the_build() {
        StringWriter out = new StringWriter();
        assertThat(CairnProxy.commandLine().setOut(new PrintWriter(out, true)).execute("--version")).isZero();
        assertThat(out.toString().lines().toList()).hasSize(2)
                .satisfies(lines -> assertThat(lines.getFirst()).isEqualTo("cairn-proxy-" + System.getProperty("cairn.version")))
                .satisfies(lines -> assertThat(lines.getLast()).matches("linux/\\w+, java\\d+, ([0-9a-f]{7,}(-changed)?|unknown)"));
    }
}
