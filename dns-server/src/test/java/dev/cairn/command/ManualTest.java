package dev.cairn.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.manual.Completion;
import dev.cairn.manual.FlagsPage;
import dev.cairn.manual.Kept;
import dev.cairn.manual.ManPage;
import dev.cairn.manual.Metric;
import dev.cairn.testing.CairnProcess;
import dev.cairn.testing.Programs;
import dev.cairn.testing.TestCertificates;
import dev.cairn.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The kept pages about {@code cairn} are what the code says; {@code ./gradlew docs} writes them anew by these tests. */
class ManualTest {
    private static final Path ROOT = Path.of(System.getProperty("cairn.root"));
    private static final Pattern IMAGE_VERSION = Pattern.compile("(newTag: |(?:^v|appV)ersion: |REGISTRY/cairn(?:-node)?:)[0-9][\\w.-]*", Pattern.MULTILINE);
    private static final String SHARE = "dns-server/src/dist/share/";

    @TempDir
    Path directory;

    @Test
    void the_page_of_flags_is_what_the_command_takes() throws IOException {
        Kept.check("docs/reference/cairn-flags.md", FlagsPage.of(Cairn.commandLine().getCommandSpec()));
    }

    static Stream<CommandSpec> commands() {
        CommandLine cairn = Cairn.commandLine();
        return Stream.concat(Stream.of(cairn), cairn.getSubcommands().values().stream()).map(CommandLine::getCommandSpec);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("commands")
    void manual_pages_are_what_the_commands_take_and_can_be_set(CommandSpec command) throws Exception {
        String file = SHARE + "man/man1/" + ManPage.name(command) + ".1";
        Kept.check(file, ManPage.of(command, 1));
        Programs.Result complaints = Programs.run("groff", "-man", "-ww", "-z", "-Tutf8", ROOT.resolve(file).toString());
        assertThat(complaints).isEqualTo(new Programs.Result(0, ""));
    }

    @Test
    void bash_completes_commands_and_flags() throws Exception {
        String file = SHARE + "bash-completion/completions/cairn";
        Kept.check(file, Completion.of(Cairn.commandLine()));
        Path script = Files.writeString(directory.resolve("complete.sh"), Completion.script("cairn"));
        assertThat(complete("bash", script, "expl")).containsExactly("explain");
        assertThat(complete("bash", script, "check", "--form")).containsExactly("--format");
    }

    @Test
    void zsh_completes_commands_flags_and_values() throws Exception {
        Path script = Files.writeString(directory.resolve("complete.zsh"), Completion.zshScript());
        assertThat(complete("zsh", script, "expl")).containsExactly("cairn explain");
        assertThat(complete("zsh", script, "check", "--form")).containsExactly("cairn check --format");
        assertThat(complete("zsh", script, "--udp-engine", "F")).containsExactly("cairn --udp-engine FFM");
    }

    private static List<String> complete(String shell, Path script, String... words) throws Exception {
        Programs.Result result = Programs.run(Stream.concat(
                Stream.of("timeout", "120", shell, script.toString(), ROOT.resolve(SHARE + "bash-completion/completions/cairn").toString(), "cairn"),
                Stream.of(words)).toArray(String[]::new));
        assertThat(result.code()).as(result.output()).isZero();
        return result.output().lines().map(String::strip).toList();
    }

    /** Every plugin that counts something, and what the servers of all transports count. */
    private String corefile() throws Exception {
        String tls = new TestCertificates(directory).leaf("server", "EC").arguments();
        return """
                .:0 {
                    prometheus 127.0.0.1:0
                    health 127.0.0.1:0
                    reload 1h
                    trace 127.0.0.1:9
                    dnstap tcp://127.0.0.1:9
                    log
                    errors
                    local
                    acl {
                        allow net 127.0.0.0/8
                    }
                    dns64
                    cache
                    template IN A example.org {
                        answer "{{ .Name }} 60 IN A 192.0.2.1"
                    }
                    hosts {
                        192.0.2.2 a.example.net
                    }
                    autopath @kubernetes
                    kubernetes cluster.local {
                        manifests %s
                        pods verified
                    }
                    forward . 127.0.0.1:9 tls://127.0.0.1:9
                }
                https://.:0 {
                    tls %s
                    whoami
                }
                quic://.:0 {
                    tls %s
                    whoami
                }
                """.formatted(ROOT.resolve("examples/cluster"), tls, tls);
    }

    @Test
    void the_page_of_metrics_is_what_a_server_tells() throws Exception {
        List<Metric> metrics;
        try (TestServer server = TestServer.start(corefile())) {
            NodeCacheCommand.setupErrors(server.server());
            metrics = server.server().metrics().descriptions().stream()
                    .map(family -> new Metric(family.name(), family.type(), family.labelNames(), family.help()))
                    .toList();
        }
        Kept.check("docs/reference/cairn-metrics.md", Metric.page("Metrics of `cairn`", metrics));
        Set<String> known = metrics.stream().map(Metric::name).collect(Collectors.toCollection(TreeSet::new));
        assertThat(known).as("metrics that the pages of plugins name").containsAll(named());
    }

    private static Set<String> named() throws IOException {
        Pattern name = Pattern.compile("`((?:coredns|cairn)_[a-z0-9_]+)[{`]");
        Set<String> found = new TreeSet<>();
        try (Stream<Path> pages = Files.list(ROOT.resolve("docs/plugins"))) {
            for (Path page : pages.toList()) {
                String there = Files.readString(page).split("## Differences", 2)[0];
                name.matcher(there).results().map(match -> match.group(1)).forEach(found::add);
            }
        }
        assertThat(found).hasSizeGreaterThan(20);
        return found;
    }

    /** Images that pages and manifests name are those of this version. */
    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"README.md", "docs/install.md", "deploy/dns/kustomization.yaml", "deploy/node/kustomization.yaml",
        "deploy/node-cache/kustomization.yaml", "deploy/proxy/base/kustomization.yaml", "deploy/helm/cairn/Chart.yaml"})
    void images_that_are_named_are_of_this_version(String file) throws IOException {
        String text = Files.readString(ROOT.resolve(file));
        String fresh = IMAGE_VERSION.matcher(text).replaceAll("$1" + System.getProperty("cairn.version"));
        assertThat(IMAGE_VERSION.matcher(text).find()).as("there is one in %s", file).isTrue();
        Kept.check(file, fresh);
    }

    @Test
    void the_version_is_the_one_of_the_build() throws Exception {
        try (CairnProcess cairn = CairnProcess.start(directory, "-version")) {
            assertThat(cairn.awaitExit()).isZero();
            assertThat(cairn.output()).hasSize(2).first().isEqualTo("Cairn-" + System.getProperty("cairn.version"));
            assertThat(cairn.output().getLast()).matches("linux/\\w+, java\\d+, ([0-9a-f]{7,}(-changed)?|unknown)");
        }
    }
}
