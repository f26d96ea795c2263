package dev.cairn.explain;

import dev.cairn.explain.Finding.Thing;
import dev.cairn.facts.Address;
import dev.cairn.facts.PodFact;
import dev.cairn.facts.Resource;
import dev.cairn.plugin.kubernetes.KubernetesSettings;
import dev.cairn.plugin.kubernetes.KubernetesSettings.PodMode;
import dev.cairn.wire.WireName;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Why names below {@code pod} are answered as they are. */
final class PodReasons {
    private final ClusterFacts facts;
    private final PodMode mode;

    PodReasons(ClusterFacts facts, @Nullable KubernetesSettings settings) {
        this.facts = facts;
        this.mode = settings == null ? PodMode.DISABLED : settings.pods();
    }

    /** @param labels those before the zone, {@code pod} being the last */
    Finding of(List<String> labels, boolean answers, WireName zone) {
        if (mode == PodMode.DISABLED && labels.size() > 1) {
            return Finding.because("names of pods are disabled: the kubernetes block has no 'pods insecure' or 'pods verified'");
        }
        if (labels.size() == 1) {
            return Finding.because("pod." + zone + " exists because of the names below it, and has no records");
        }
        String namespace = labels.get(labels.size() - 2);
        if (!facts.hasNamespace(namespace)) {
            return Finding.because("the namespace " + namespace + " does not exist" + Words.near(namespace, facts.namespaces()));
        }
        if (labels.size() == 2) {
            return Finding.because("this is the namespace " + namespace + ", which has no records of its own: write ADDRESS." + namespace
                    + ".pod." + zone);
        }
        if (labels.size() > 3) {
            return Finding.because("there are no names below that of a pod");
        }
        Address address = spelled(labels.getFirst());
        if (address == null) {
            return Finding.because(notAnAddress(labels.getFirst(), namespace, zone));
        }
        List<PodFact> pods = facts.podsAt(address);
        List<Thing> things = pods.stream().map(pod -> new Thing("Pod", pod.namespace(), pod.name(), "has " + address)).toList();
        String owner = !facts.knows(Resource.PODS) ? ""
                : pods.isEmpty() ? "; no pod has it now"
                : "; it is that of pod " + pods.stream().map(pod -> pod.namespace() + "/" + pod.name()).collect(Collectors.joining(", "));
        if (mode == PodMode.INSECURE) {
            return new Finding(things, List.of("pods insecure: the name stands for the address it spells, " + address + ", whoever has it"
                    + owner + (answers ? "" : "; it is of the other family")));
        }
        boolean there = pods.stream().anyMatch(pod -> pod.namespace().equals(namespace));
        return new Finding(things, List.of(there
                ? "pods verified: a pod of namespace " + namespace + " has " + address + owner
                + (answers ? "" : "; it is of the other family")
                : "pods verified: no pod of namespace " + namespace + " has " + address + owner));
    }

    private String notAnAddress(String label, String namespace, WireName zone) {
        PodFact pod = facts.pod(namespace, label);
        String below = "." + namespace + ".pod." + zone;
        String told = "a pod's name spells its address, and " + label + " is none";
        if (pod == null) {
            return told + ": write 10-1-2-3" + below;
        }
        String spelled = pod.addresses().getFirst().toString().replace('.', '-').replace(':', '-');
        return told + ", but the pod's own name: write " + spelled + below;
    }

    private static @Nullable Address spelled(String label) {
        boolean ipv4 = label.chars().filter(c -> c == '-').count() == 3 && !label.contains("--");
        return Address.parse(label.replace('-', ipv4 ? '.' : ':'));
    }
}
