package dev.cairn.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.xbill.DNS.Rcode;

/** A real CoreDNS on the same cluster. */
final class CoreDnsProcess implements AutoCloseable {
    private final Process process;
    private final int port = RealCluster.freePort();

    /** @param kubernetes what stands in the block of the kubernetes plugin */
    CoreDnsProcess(Path kubeconfig, Path directory, String kubernetes) throws IOException {
        Path corefile = Files.writeString(directory.resolve("Corefile.coredns"), """
                .:%d {
                    kubernetes cluster.local in-addr.arpa ip6.arpa {
                        kubeconfig %s
                        %s
                    }
                }
                """.formatted(port, kubeconfig, kubernetes.indent(8).strip()));
        Path log = directory.resolve("coredns.log");
        process = new ProcessBuilder(Peers.find("coredns").toString(), "-conf", corefile.toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Awaitility.await("CoreDNS, see " + log).pollInterval(Duration.ofMillis(20)).ignoreExceptions()
                .until(() -> PodOfCairn.ask(port, "not-there.cluster.local", "A").getRcode() == Rcode.NXDOMAIN);
    }

    int port() {
        return port;
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
