package dev.cairn.explain;

import dev.cairn.server.ConfigSource;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is to be explained.
 *
 * @param name as a program would ask for it, with or without a last dot; an address stands for its reverse name
 * @param type the record type; 0 for addresses, of which A is asked for first and AAAA if there is none
 * @param from who asks: a pod, {@code NAMESPACE/POD}, or an address; empty for any pod of the namespace {@code default}
 * @param config the Corefile; null for one like kubeadm's
 * @param kubeconfig the cluster's API server, in place of what the Corefile says; null for none
 * @param manifests the cluster's objects, in place of what the Corefile says; empty for none
 * @param inPod whether this runs in a pod, which without anything else stands for its cluster
 * @param at where the question arrives, of the addresses that the Corefile names; null for the one that a pod would ask
 * @param server a running server that is asked, too; null for none
 */
public record Question(
        String name,
        int type,
        String from,
        @Nullable ConfigSource config,
        @Nullable Path kubeconfig,
        List<Path> manifests,
        boolean inPod,
        @Nullable InetSocketAddress at,
        @Nullable InetSocketAddress server) {
    public Question {
        manifests = List.copyOf(manifests);
    }

    /** Whether there is a cluster or a Corefile to explain from; if not, all that can be done is to ask the server. */
    boolean hasConfiguration() {
        return config != null || kubeconfig != null || !manifests.isEmpty() || (inPod && server == null);
    }
}
