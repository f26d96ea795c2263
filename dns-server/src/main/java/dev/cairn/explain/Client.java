package dev.cairn.explain;

import dev.cairn.facts.Address;
import dev.cairn.facts.PodFact;
import dev.cairn.facts.Resource;
import dev.cairn.wire.WireName;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Who asks.
 *
 * @param text for people
 * @param namespace of the pod, empty if it is none
 * @param pod its name, empty if none is known
 * @param address null if it is not known
 */
record Client(String text, String namespace, String pod, @Nullable Address address, ResolvConf conf) {
    private static final Address NOBODY = Address.of(new byte[] {127, 0, 0, 1});

    /** What the server takes for the client's address. */
    Address asking() {
        return address == null ? NOBODY : address;
    }

    /** Finds out who is meant; see {@link Question#from}. */
    static Client of(String from, ClusterFacts facts, WireName zone) throws ExplainFailure {
        if (from.isEmpty()) {
            return new Client("a pod of namespace default", "default", "", null, ResolvConf.of("default", null, false, zone));
        }
        Address address = Address.parse(from);
        if (address != null) {
            return at(address, facts, zone);
        }
        int slash = from.indexOf('/');
        return slash < 0 ? named(from, facts, zone) : in(from.substring(0, slash), from.substring(slash + 1), facts, zone);
    }

    private static Client at(Address address, ClusterFacts facts, WireName zone) {
        List<PodFact> pods = facts.podsAt(address);
        if (pods.isEmpty()) {
            return new Client(address + (facts.knows(Resource.PODS) ? ", which no pod has" : ""), "", "", address, ResolvConf.BARE);
        }
        return of(pods.getFirst(), address, zone);
    }

    private static Client of(PodFact pod, Address address, WireName zone) {
        return new Client("pod " + pod.namespace() + "/" + pod.name() + " (" + address + ")", pod.namespace(), pod.name(), address,
                ResolvConf.of(pod.namespace(), pod.dns(), pod.onHostNetwork(), zone));
    }

    private static Client named(String name, ClusterFacts facts, WireName zone) throws ExplainFailure {
        List<PodFact> pods = facts.pods().filter(pod -> pod.name().equals(name)).toList();
        if (pods.size() == 1) {
            return of(pods.getFirst(), pods.getFirst().addresses().getFirst(), zone);
        }
        if (!facts.knows(Resource.PODS)) {
            throw new ExplainFailure("--from " + name + ": pods are not known here; write NAMESPACE/POD");
        }
        if (pods.isEmpty()) {
            throw new ExplainFailure("--from " + name + ": no namespace has such a pod with an address"
                    + Words.near(name, facts.pods().map(PodFact::name).distinct().toList()));
        }
        throw new ExplainFailure("--from " + name + ": which one? " + pods.stream().map(pod -> pod.namespace() + "/" + name)
                .collect(Collectors.joining(", ")));
    }

    private static Client in(String namespace, String name, ClusterFacts facts, WireName zone) throws ExplainFailure {
        PodFact pod = facts.pod(namespace, name);
        if (pod != null) {
            return of(pod, pod.addresses().getFirst(), zone);
        }
        if (facts.knows(Resource.PODS)) {
            throw new ExplainFailure("--from " + namespace + "/" + name + ": there is no such pod with an address"
                    + Words.near(name, facts.pods().filter(one -> one.namespace().equals(namespace)).map(PodFact::name).toList()));
        }
        return new Client("pod " + namespace + "/" + name, namespace, name, null, ResolvConf.of(namespace, null, false, zone));
    }
}
