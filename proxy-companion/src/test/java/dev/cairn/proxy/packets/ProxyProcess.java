package dev.cairn.proxy.packets;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/** The command as a process on the node of a test bed, with a cluster from files. */
public final class ProxyProcess {
    public static final String VIP = "172.30.0.41";
    public static final int NODE_PORT = 30053;

    private final Testbed testbed;
    private final Path directory;

    public ProxyProcess(Testbed testbed, Path directory) {
        this.testbed = testbed;
        this.directory = directory;
    }

    /** Makes it a cluster with one service, of UDP port 53, and one endpoint of it at port 5353. */
    public void cluster(String endpoint) throws IOException {
        cluster(endpoint, "UDP");
    }

    /** The same with another protocol. */
    public void cluster(String endpoint, String protocol) throws IOException {
        Path next = Files.writeString(directory.resolve("next"), """
                apiVersion: v1
                kind: Service
                metadata: {name: dns, namespace: shop}
                spec: {type: NodePort, clusterIP: %1$s, ports: [{name: dns, port: 53, protocol: %4$s, nodePort: %2$d}]}
                ---
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {name: dns-1, namespace: shop, labels: {kubernetes.io/service-name: dns}}
                addressType: IPv4
                ports: [{name: dns, port: 5353, protocol: %4$s}]
                endpoints: [{addresses: [%3$s]}]
                """.formatted(VIP, NODE_PORT, endpoint, protocol));
        Files.move(next, directory.resolve("cluster.yaml"), StandardCopyOption.REPLACE_EXISTING);
    }

    /** Starts it; to be ended by the caller. */
    public Process start(String... more) throws IOException {
        return reported(command(more));
    }

    /** Starts a process whose lines become part of the report of the test, and not of the output of the build. */
    public static Process reported(ProcessBuilder command) throws IOException {
        Process process = command.redirectErrorStream(true).start();
        Thread.ofVirtual().name("report").start(() -> report(process));
        return process;
    }

    private static void report(Process process) {
        try {
            process.inputReader(StandardCharsets.UTF_8).lines().forEach(System.err::println);
        } catch (UncheckedIOException _) {
            // It was ended, and what it had not written yet is lost.
        }
    }

    /** What starts it. */
    public ProcessBuilder command(String... more) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"), "dev.cairn.proxy.CairnProxy",
                "--manifests", directory.toString(), "--hostname-override", "node"));
        command.addAll(List.of(more));
        return new ProcessBuilder(testbed.inside(Testbed.NODE, command));
    }
}
