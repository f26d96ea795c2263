package dev.cairn.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.CairnProcess;
import dev.cairn.testing.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The image for nodes: the proxy and the node cache find in it the programs that they run. */
class NodeImageTest {
    @TempDir
    static Path directory;

    private static Container container;
    private PodNetwork network;

    @BeforeAll
    static void unpack() throws Exception {
        container = new Container("cairn-node", directory).capabilities(Container.NETWORK)
                .mount(Path.of(System.getProperty("cairn.root"), "examples/cluster"), "/manifests");
    }

    @BeforeEach
    void makeNetwork() throws Exception {
        network = new PodNetwork();
    }

    @AfterEach
    void removeNetwork() throws Exception {
        network.close();
    }

    @ParameterizedTest
    @CsvSource({"/cairn-proxy", "/usr/local/bin/cairn-proxy", "/usr/local/bin/kube-proxy", "/cairn-node"})
    void itsCommandsStartFromTheCacheThatWasMadeForThem(String command) throws Exception {
        Programs.Result result = container.variable("CAIRN_OPTS", "-XX:AOTMode=on").run(network, command, "--version");
        assertThat(result.code()).as(result.output()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "nftables, nft list ruleset,      table ip cairn-proxy",
        "iptables, iptables-nft-save,     KUBE-SERVICES",
        "iptables, ip6tables-nft-save,    KUBE-SERVICES",
    })
    void programsTheKernel(String mode, String look, String seen) throws Exception {
        Programs.Result result = container.run(network, "/usr/local/bin/kube-proxy", "--manifests", "/manifests", "--once", "--strict-mode",
                "--proxy-mode", mode, "--hostname-override", "node-1", "--cluster-cidr", "10.244.0.0/16,fd00:10:244::/56",
                "--conntrack-max-per-core", "0");
        assertThat(result.code()).as(result.output()).isZero();
        assertThat(network.run(look.split(" "))).contains(seen);
        Programs.Result audit = container.run(network, "/cairn-proxy", "audit", "--manifests", "/manifests", "--proxy-mode", mode,
                "--hostname-override", "node-1", "--cluster-cidr", "10.244.0.0/16,fd00:10:244::/56");
        assertThat(audit.code()).as(audit.output()).isZero();
    }

    @Test
    void explainFollowsConnectionsThoughNothingCanBeWritten() throws Exception {
        Programs.Result told = container.run(network, "/cairn", "explain", "search", "--from", "shop/db-0", "--manifests", "/manifests");
        assertThat(told.code()).as(told.output()).isZero();
        assertThat(told.output().lines())
                .contains("  cairn-proxy trace --from 10.244.1.20 --to 10.101.86.105:9000/tcp --manifests /manifests")
                .anyMatch(line -> line.startsWith("    -> "))
                .noneMatch(line -> line.contains("cannot be run"));
    }

    @Test
    void servesAsNodeCache() throws Exception {
        Path etc = Files.createDirectories(directory.resolve("etc"));
        Path template = Files.writeString(etc.resolve("Corefile.base"), """
                .:53 {
                    bind __PILLAR__LOCAL__DNS__
                    hosts {
                        192.0.2.1 a.example
                    }
                    health 169.254.20.10:8080
                }
                """);
        Path made = Files.createDirectories(directory.resolve("made"));
        try (CairnProcess cache = container.mount(template, "/etc/coredns/Corefile.base").mount(made, "/made")
                .start(network, "/cairn", "node-cache", "-localip", "169.254.20.10", "-conf", "/made/Corefile",
                        "-kubednsip", "10.96.0.11")) {
            cache.awaitOutput("Cairn-");
            assertThat(network.run("dig", "@169.254.20.10", "+short", "a.example")).as(cache.output().toString()).isEqualTo("192.0.2.1\n");
            cache.signal("TERM");
            assertThat(cache.awaitExit()).as(String.join("\n", cache.output())).isZero();
        }
    }
}
