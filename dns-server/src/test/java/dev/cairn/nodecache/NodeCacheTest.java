package dev.cairn.nodecache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.conformance.Namespaces;
import dev.cairn.testing.CairnProcess;
import dev.cairn.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a process on a node of its own: a network namespace that stays when the process goes. */
class NodeCacheTest {
    private static final String LOCAL = "169.254.20.10";
    private static final String SERVICE = "10.96.0.10";

    /** So many that each of two processes has a query of theirs. */
    private static final int CLIENTS = 8;

    @TempDir
    Path directory;

    private Process node;

    @BeforeEach
    void makeNode() throws IOException {
        List<String> command = new ArrayList<>(Namespaces.make("", List.of()));
        command.addAll(List.of("sh", "-c", "echo up; exec sleep 600"));
        node = new ProcessBuilder(command).redirectErrorStream(true).start();
        assertThat(node.inputReader().readLine()).isEqualTo("up");
        Files.writeString(directory.resolve("Corefile.base"), """
                .:53 {
                    bind __PILLAR__LOCAL__DNS__ __PILLAR__DNS__SERVER__
                    health 127.0.0.1:8080
                    ready 127.0.0.1:8181
                    prometheus 127.0.0.1:9253
                    hosts {
                        __PILLAR__CLUSTER__DNS__ upstream.example
                    }
                }
                """);
    }

    @AfterEach
    void removeNode() {
        node.destroyForcibly().onExit().join();
    }

    /** What to put before a command that shall run on the node for as long as it likes. */
    private List<String> onNode() {
        List<String> limited = Namespaces.enter(node.pid());
        return limited.subList(0, limited.size() - 2);
    }

    private String run(String... command) throws IOException, InterruptedException {
        return Programs.run(Stream.concat(onNode().stream(), Stream.of(command)).toArray(String[]::new)).output();
    }

    private String[] arguments(String... more) {
        List<String> args = new ArrayList<>(List.of("node-cache", "-localip", LOCAL + "," + SERVICE, "-conf",
                directory.resolve("Corefile").toString(), "-basecorefile", directory.resolve("Corefile.base").toString(), "-kubednsip", "10.96.0.99",
                "-metrics-listen-address", "127.0.0.1:9353", "-kubednscm", directory.resolve("none").toString()));
        args.addAll(List.of(more));
        return args.toArray(String[]::new);
    }

    private CairnProcess start(List<String> wrapper, String... more) throws IOException {
        List<String> whole = new ArrayList<>(onNode());
        whole.addAll(wrapper);
        CairnProcess process = CairnProcess.startBy(whole, directory, arguments(more));
        process.port();
        return process;
    }

    private String ask(String server) throws IOException, InterruptedException {
        return run("dig", "+short", "+tries=1", "+timeout=30", "@" + server, "upstream.example").strip();
    }

    private Path stop() {
        return directory.resolve("stop");
    }

    /**
     * Clients on the node that each ask one query after the other until {@link #stop} is there, and tell of those without the right answer. Each has a
     * hundred ports of its own: with ports chosen by the kernel, two digs at once can share one, and one gets the other's reply.
     */
    private Process clients(int count, String name, String answer) throws IOException {
        List<String> command = new ArrayList<>(onNode());
        command.addAll(List.of("sh", "-c", "for c in $(seq " + count + "); do (n=0; while [ ! -e \"$0\" ]; do n=$((n+1)); dig +short +tries=1 +timeout=30 "
                + "-b 0.0.0.0#$((20000+100*c+n%100)) @" + LOCAL + " " + name + " | grep -qx " + answer + " || echo lost $n; done; echo asked $n) & done; wait", stop().toString()));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private long count(String text, String part) {
        return text.lines().filter(line -> line.contains(part)).count();
    }

    private void end(CairnProcess process) throws IOException, InterruptedException {
        process.signal("TERM");
        assertThat(process.awaitExit()).isZero();
    }

    @Test
    void theNodeGetsAddressesAndRulesAndIsLeftAsItWas() throws Exception {
        try (CairnProcess cache = start(List.of())) {
            assertThat(run("ip", "address")).contains(LOCAL + "/32", SERVICE + "/32");
            assertThat(ask(LOCAL)).isEqualTo("10.96.0.99");
            assertThat(ask(SERVICE)).isEqualTo("10.96.0.99");
            await().untilAsserted(() -> {
                String rules = run("iptables-save");
                assertThat(count(rules, "-j NOTRACK")).as(rules).isEqualTo(16);
                assertThat(count(rules, "-j ACCEPT")).as(rules).isEqualTo(8);
            });
            assertThat(run("iptables", "-t", "raw", "-S", "PREROUTING"))
                    .contains("-A PREROUTING -d 169.254.20.10/32 -p udp -m udp --dport 53")
                    .contains("NodeLocal DNS Cache: skip conntrack");
            assertThat(Files.readString(directory.resolve("Corefile"))).contains("bind 169.254.20.10 10.96.0.10 \n", "10.96.0.99 upstream");
            end(cache);
            assertThat(run("ip", "address")).doesNotContain(LOCAL, SERVICE);
            String left = run("iptables-save");
            assertThat(count(left, "-j NOTRACK") + count(left, "-j ACCEPT")).as(left).isZero();
        }
    }

    @Test
    void itsLogMayBeJson() throws Exception {
        try (CairnProcess cache = CairnProcess.startBy(onNode(), directory, arguments("-log-format", "json"))) {
            cache.awaitOutput("Cairn-");
            end(cache);
            assertThat(cache.output()).anyMatch(line -> line.startsWith("{\"time\":") && line.contains("\"msg\":\"Cairn-"))
                    .noneMatch(line -> line.startsWith("Cairn-") || line.startsWith("["));
        }
    }

    @Test
    void rulesThatAreTakenAwayComeBack() throws Exception {
        try (CairnProcess cache = start(List.of(), "-syncinterval", "1", "-skipteardown=true")) {
            await().until(() -> count(run("iptables-save"), "-j NOTRACK") == 16);
            run("iptables", "-t", "raw", "-F");
            run("ip", "address", "delete", SERVICE + "/32", "dev", "lo");
            await().until(() -> count(run("iptables-save"), "-j NOTRACK") == 16);
            await().until(() -> run("ip", "address").contains(SERVICE));
            end(cache);
            assertThat(run("ip", "address")).contains(LOCAL);
            assertThat(count(run("iptables-save"), "-j NOTRACK")).isEqualTo(16);
        }
    }

    @Test
    void withoutIptablesATableOfNftDoesTheSame() throws Exception {
        Path programs = Files.createDirectories(directory.resolve("bin"));
        for (String program : List.of("ip", "nft")) {
            Path real = Stream.of("/usr/sbin/", "/sbin/", "/usr/bin/", "/bin/").map(at -> Path.of(at + program)).filter(Files::exists)
                    .findFirst().orElseThrow();
            Files.createSymbolicLink(programs.resolve(program), real);
        }
        try (CairnProcess cache = start(List.of("env", "PATH=" + programs))) {
            await().untilAsserted(() -> assertThat(count(run("nft", "list", "ruleset"), "notrack")).isEqualTo(16));
            assertThat(ask(LOCAL)).isEqualTo("10.96.0.99");
            end(cache);
            assertThat(run("nft", "list", "ruleset")).isEmpty();
        }
    }

    @Test
    void oneProcessTakesOverFromAnotherWithoutLosingAQuery() throws Exception {
        Process client = null;
        try (CairnProcess before = start(List.of())) {
            await().until(() -> count(run("iptables-save"), "-j NOTRACK") == 16);
            client = clients(1, "upstream.example", "10.96.0.99");
            try (CairnProcess after = start(List.of())) {
                end(before);
                assertThat(before.output()).anyMatch(line -> line.contains("another process serves the addresses"));
                assertThat(run("ip", "address")).contains(LOCAL);
                assertThat(count(run("iptables-save"), "-j NOTRACK")).isEqualTo(16);
                await().pollDelay(Duration.ofMillis(300)).until(() -> ask(LOCAL).equals("10.96.0.99"));
                for (String url : List.of("127.0.0.1:8080/health", "127.0.0.1:8181/ready", "127.0.0.1:9253/metrics", "127.0.0.1:9353/metrics")) {
                    await().until(() -> run("curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "http://" + url).equals("200"));
                }
                Files.createFile(stop());
                assertThat(client.inputReader().lines()).singleElement().asString().startsWith("asked ");
                end(after);
                assertThat(run("ip", "address")).doesNotContain(LOCAL);
            }
        } finally {
            if (client != null) {
                client.destroyForcibly();
            }
        }
    }

    @Test
    void queriesThatWaitForAnUpstreamAreAnsweredThoughTheirProcessIsReplaced() throws Exception {
        Process client = null;
        try (SlowUpstream upstream = new SlowUpstream(onNode())) {
            Files.writeString(directory.resolve("Corefile.base"), """
                    .:53 {
                        bind __PILLAR__LOCAL__DNS__
                        forward . %s
                    }
                    """.formatted(upstream.address()));
            try (CairnProcess before = start(List.of())) {
                client = clients(CLIENTS, "q$n-$c.example", SlowUpstream.ADDRESS);
                try (CairnProcess after = start(List.of())) {
                    end(before);
                    assertThat(before.output()).anyMatch(line -> line.contains("another process serves the addresses"));
                    assertThat(ask(LOCAL)).isEqualTo(SlowUpstream.ADDRESS);
                    Files.createFile(stop());
                    assertThat(client.inputReader().lines()).hasSize(CLIENTS).allMatch(line -> line.startsWith("asked "));
                    end(after);
                }
            }
        } finally {
            if (client != null) {
                client.destroyForcibly();
            }
        }
    }
}
