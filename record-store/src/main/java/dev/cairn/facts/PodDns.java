package dev.cairn.facts;

import java.util.List;

/**
 * How a pod asks for names, as its specification has it.
 *
 * @param policy {@code dnsPolicy}
 * @param nameservers {@code dnsConfig.nameservers}
 * @param searches {@code dnsConfig.searches}
 * @param options {@code dnsConfig.options} as resolv.conf has them, such as {@code ndots:2}
 */
public record PodDns(String policy, List<String> nameservers, List<String> searches, List<String> options) {
    /** What a pod has that says nothing. */
    public static final PodDns CLUSTER_FIRST = new PodDns("ClusterFirst", List.of(), List.of(), List.of());

    public PodDns {
        nameservers = List.copyOf(nameservers);
        searches = List.copyOf(searches);
        options = List.copyOf(options);
    }
}
