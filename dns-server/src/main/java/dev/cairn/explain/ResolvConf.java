package dev.cairn.explain;

import dev.cairn.facts.PodDns;
import dev.cairn.wire.WireName;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What stands in a client's resolv.conf, as far as that can be known.
 *
 * @param policy the DNS policy that made it; empty for clients that are no pods
 * @param nameservers those of the pod's own; empty for the cluster's
 * @param search the search path
 * @param ndots names with fewer dots are tried with the search path first
 * @param notes what is to be known beside
 */
record ResolvConf(String policy, List<String> nameservers, List<String> search, int ndots, List<String> notes) {
    private static final int CLUSTER_NDOTS = 5;
    private static final int USUAL_NDOTS = 1;

    /** Of a client that has no search path: it is no pod, or one that nothing is known of. */
    static final ResolvConf BARE = new ResolvConf("", List.of(), List.of(), USUAL_NDOTS, List.of());

    ResolvConf {
        nameservers = List.copyOf(nameservers);
        search = List.copyOf(search);
        notes = List.copyOf(notes);
    }

    /** A name that the client tries; {@code suffix} is what the search path added, empty if nothing. */
    record Candidate(WireName name, String suffix) {}

    /**
     * As the kubelet makes it.
     *
     * @param onHost whether the pod is on its node's network, for which ClusterFirst means Default
     */
    static ResolvConf of(String namespace, @Nullable PodDns told, boolean onHost, WireName zone) {
        PodDns dns = told == null ? PodDns.CLUSTER_FIRST : told;
        String policy = dns.policy().equals("ClusterFirst") && onHost ? "Default" : dns.policy();
        Set<String> search = new LinkedHashSet<>();
        List<String> notes = new ArrayList<>();
        int ndots = USUAL_NDOTS;
        List<String> nameservers = new ArrayList<>();
        switch (policy) {
            case "Default" -> {
                notes.add((dns.policy().equals("Default") ? "dnsPolicy Default" : "dnsPolicy ClusterFirst on the node's network")
                        + ": the pod asks the servers of its node, with the node's search path, which are not known here; they seldom know"
                        + " the cluster's names");
                nameservers.add("the node's");
            }
            case "None" -> {}
            default -> {
                String text = zone.toString().replaceAll("\\.$", "");
                search.addAll(List.of(namespace + ".svc." + text, "svc." + text, text));
                ndots = CLUSTER_NDOTS;
            }
        }
        nameservers.addAll(dns.nameservers());
        dns.searches().forEach(one -> search.add(one.replaceAll("(?<=.)\\.$", "")));
        for (String option : dns.options()) {
            if (option.matches("ndots:[0-9]{1,2}")) {
                ndots = Integer.parseInt(option.substring("ndots:".length()));
            }
        }
        if (policy.equals("None")) {
            notes.add("dnsPolicy None: the pod asks " + String.join(", ", dns.nameservers()) + ", which may be another server than this");
        }
        return new ResolvConf(policy, nameservers, List.copyOf(search), ndots, notes);
    }

    /**
     * The names that are tried for one, in order, as the C library of GNU does.
     *
     * @throws IllegalArgumentException with a sentence for the user if it is not a name
     */
    List<Candidate> candidates(String name) {
        Candidate asIs = new Candidate(WireName.parse(name), "");
        if (name.endsWith(".") && !name.endsWith("\\.")) {
            return List.of(asIs);
        }
        List<Candidate> all = new ArrayList<>();
        for (String suffix : search) {
            if (name.length() + suffix.length() < WireName.MAX_LENGTH - 2 && !suffix.equals(".")) {
                all.add(new Candidate(WireName.parse(name + "." + suffix), suffix));
            }
        }
        boolean dotted = name.chars().filter(c -> c == '.').count() >= ndots;
        all.add(dotted ? 0 : all.size(), asIs);
        return all;
    }
}
