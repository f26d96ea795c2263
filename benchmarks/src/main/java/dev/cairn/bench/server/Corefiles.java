package dev.cairn.bench.server;

import java.io.IOException;
import java.nio.file.Path;

/** The Corefiles that cairn and CoreDNS are measured with: the same text for both, but for ports. */
public final class Corefiles {
    private Corefiles() {}

    /**
     * Kubeadm's, with all its plugins, but for what is forwarded to.
     *
     * @param source where the API server is, in the block of the plugin; nothing for that of a pod
     */
    static String kubeadm(int port, int metricsPort, int upstream, String source) throws IOException {
        return """
                .:%d {
                    bind 127.0.0.1
                    errors
                    health 127.0.0.1:%d {
                        lameduck 5s
                    }
                    ready 127.0.0.1:%d
                    kubernetes cluster.local in-addr.arpa ip6.arpa {
                        %s
                        pods insecure
                        fallthrough in-addr.arpa ip6.arpa
                        ttl 30
                    }
                    prometheus 127.0.0.1:%d
                    forward . 127.0.0.1:%d {
                        max_concurrent 1000
                    }
                    cache 30 {
                        disable success cluster.local
                        disable denial cluster.local
                    }
                    loop
                    reload
                    loadbalance
                }
                """.formatted(port, ServerProcess.freePort(), ServerProcess.freePort(), source, metricsPort, upstream);
    }

    /** A cache with room for 20,000 entries, since 10,000 do not all fit into the usual 9,984, for the names of one zone. */
    static String resolver(int port, String cached, int upstream) {
        return """
                .:%d {
                    bind 127.0.0.1
                    errors
                    cache 300 %s {
                        success 20000 300
                    }
                    forward . 127.0.0.1:%d
                }
                """.formatted(port, cached, upstream);
    }

    /** @param tls what TLS needs, in a block of a scheme that has it; empty otherwise */
    static String hosts(String scheme, int port, int metricsPort, Path hosts, String tls) {
        return """
                %s.:%d {
                    bind 127.0.0.1
                    %s
                    errors
                    prometheus 127.0.0.1:%d
                    loadbalance
                    hosts %s {
                        ttl 30
                    }
                }
                """.formatted(scheme, port, tls, metricsPort, hosts);
    }
}
