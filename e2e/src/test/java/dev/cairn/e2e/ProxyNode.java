package dev.cairn.e2e;

import dev.cairn.proxy.packets.Testbed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A node of the cluster in network namespaces, with a proxy on it, clients on one side and pods on the other. */
final class ProxyNode implements AutoCloseable {
    static final String ADDRESS = "192.168.0.2";
    static final String CLIENT = "203.0.113.2";
    /** A pod that serves nothing. Two that are on one machine here could not answer each other. */
    static final String POD = "10.180.0.9";
    static final String NAME = "node-1";
    static final List<String> PODS = List.of("10.180.0.1", "10.180.0.2");
    static final int PORT = 8080;

    /** How this node is told to the cluster. */
    static final String OBJECT = """
            apiVersion: v1
            kind: Node
            metadata: {name: node-1}
            spec: {podCIDR: 10.180.0.0/24, podCIDRs: [10.180.0.0/24]}
            status: {addresses: [{type: InternalIP, address: 192.168.0.2}]}
            """;

    private final Testbed testbed = new Testbed();
    private final Path directory;
    private final Path kubeconfig;
    private @Nullable Process proxy;
    private Path log;

    /** A node without a proxy yet; its pods answer on TCP and UDP. */
    ProxyNode(RealCluster cluster, Path directory) throws IOException {
        this.directory = directory;
        kubeconfig = cluster.kubeconfig("proxy", cluster.admin().tokenFor("kube-system", SharedCluster.PROXY));
        log = directory;
        testbed.nodeAddress(ADDRESS);
        testbed.address(Testbed.CLIENTS, CLIENT);
        testbed.address(Testbed.CLIENTS, POD);
        for (String pod : PODS) {
            testbed.address(Testbed.ENDPOINTS, pod);
            testbed.listen(pod, PORT, "tcp");
            testbed.listen(pod, PORT, "udp");
        }
        testbed.reachOutside(cluster.port(), directory);
    }

    Testbed testbed() {
        return testbed;
    }

    /** Starts kube-proxy. Sizes of the connection tracker are the machine's and not the namespace's, so it shall leave them. */
    void startKubeProxy(String mode) throws IOException {
        start("kube-proxy", Peers.find("kube-proxy"), mode, List.of("--conntrack-max-per-core=0"));
    }

    /** Starts the installed cairn-proxy. */
    void startCairn(String mode) throws IOException {
        Path installed = Path.of(System.getProperty("cairn.root"), "proxy-companion", "build", "install", "cairn-proxy", "bin", "cairn-proxy");
        start("cairn-proxy", installed, mode, List.of("--conntrack-max-per-core=0"));
    }

    private void start(String name, Path program, String mode, List<String> more) throws IOException {
        List<String> command = new ArrayList<>(List.of(program.toString(), "--kubeconfig", kubeconfig.toString(), "--proxy-mode", mode,
                "--hostname-override", NAME, "--cluster-cidr", "10.180.0.0/24"));
        command.addAll(more);
        log = directory.resolve(name + ".log");
        proxy = new ProcessBuilder(testbed.inside(Testbed.NODE, command))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    /** Ends the proxy as a crash would; what it programmed stays. */
    void kill() {
        if (proxy != null) {
            proxy.destroyForcibly().onExit().join();
        }
    }

    /** Says what the proxy wrote, if it has ended by itself. */
    void check() throws IOException {
        if (proxy == null || !proxy.isAlive()) {
            throw new IllegalStateException("the proxy ended: " + output());
        }
    }

    /** What the proxy has written. */
    String output() throws IOException {
        return Files.readString(log);
    }

    /** What becomes of connections. */
    String connect(String machine, String from, String to, int port, String protocol, int count, double seconds) {
        return testbed.connect(machine, from, to, port, protocol, count, seconds);
    }

    /** What a command prints that is run on the node. */
    String run(String... command) {
        return Testbed.run(testbed.inside(Testbed.NODE, List.of(command)));
    }

    @Override
    public void close() {
        kill();
        testbed.close();
    }
}
