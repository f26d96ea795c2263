package dev.cairn.proxy.ipvs;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.proxy.sync.ApplyFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The command as a process in the virtual machine, with a cluster from files. */
final class VmProxy {
    /** Less than the time from one audit to the next. */
    static final Duration PATIENCE = Duration.ofMinutes(3);

    private VmProxy() {}

    /** Starts it with a service {@code web}; to be ended by the caller. */
    static Process start(String... more) throws IOException {
        Path manifests = Files.createDirectories(Path.of("/run/tmp/taken-over"));
        Files.writeString(manifests.resolve("cluster.yaml"), """
                apiVersion: v1
                kind: Service
                metadata: {name: web, namespace: ns}
                spec:
                  type: NodePort
                  clusterIP: %s
                  externalIPs: [%s]
                  ports: [{name: tcp, port: 80, nodePort: %d}, {name: udp, port: 80, protocol: UDP}]
                ---
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {name: web-1, namespace: ns, labels: {kubernetes.io/service-name: web}}
                addressType: IPv4
                ports: [{name: tcp, port: 8080}, {name: udp, port: 8080, protocol: UDP}]
                endpoints: [{addresses: [10.180.0.1], nodeName: node}, {addresses: [10.180.0.2], nodeName: node}]
                """.formatted(KubeProxyLeft.WEB, KubeProxyLeft.EXTERNAL, KubeProxyLeft.NODE_PORT));
        return List.of(more).contains("--cleanup") ? run(List.of(more)) : startOn(manifests, more);
    }

    /** Starts it for the cluster of some files. */
    static Process startOn(Path manifests, String... more) throws IOException {
        List<String> flags = new ArrayList<>(List.of(more));
        flags.addAll(List.of("--manifests", manifests.toString(), "--hostname-override", "node", "--cluster-cidr", "10.0.0.0/8,fd00:10::/32"));
        return run(flags);
    }

    private static Process run(List<String> flags) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData", "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"), "dev.cairn.proxy.CairnProxy"));
        command.addAll(flags);
        return new ProcessBuilder(command).inheritIO().start();
    }

    /** Removes what is programmed by IPVS and iptables, faster than a process of its own does. */
    static void clear() throws ApplyFailure {
        try (IpvsBackend backend = IpvsBackend.of(Set.of(IpFamily.values()),
                new IpvsOptions("rr", List.of(), false, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO, 14))) {
            backend.cleanUp();
        }
        for (String restore : List.of("iptables-restore", "ip6tables-restore")) {
            VmNetwork.run("*filter\nCOMMIT\n*nat\nCOMMIT\n*mangle\nCOMMIT\n", restore);
        }
    }

    static void end(Process process) throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }
}
