package dev.cairn.cluster.manifest;

import dev.cairn.cluster.Names;
import dev.cairn.cluster.control.ClusterObject.ContainerPort;
import dev.cairn.cluster.control.ClusterObject.Meta;
import dev.cairn.cluster.control.ClusterObject.PodObject;
import dev.cairn.facts.Address;
import dev.cairn.facts.PodDns;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads pods. */
final class PodDecoder {
    private PodDecoder() {}

    static PodObject decode(YamlValue pod, Meta meta) {
        YamlValue status = pod.get("status");
        YamlValue spec = pod.get("spec");
        YamlValue metadata = pod.get("metadata");
        String phase = status == null ? "" : status.text("phase");
        return new PodObject(
                meta,
                addresses(status),
                phase,
                ready(status, phase),
                metadata != null && metadata.get("deletionTimestamp") != null,
                label(spec, "hostname"),
                label(spec, "subdomain"),
                spec == null ? "" : spec.text("nodeName"),
                spec != null && spec.text("hostNetwork").equals("true"),
                dns(spec),
                ports(spec));
    }

    private static List<Address> addresses(@Nullable YamlValue status) {
        if (status == null) {
            return List.of();
        }
        Set<Address> addresses = new LinkedHashSet<>();
        YamlValue first = status.get("podIP");
        if (first != null && !first.text().isEmpty()) {
            addresses.add(Fields.address(first));
        }
        for (YamlValue item : status.items("podIPs")) {
            YamlValue ip = item.get("ip");
            if (ip != null) {
                addresses.add(Fields.address(ip));
            }
        }
        return List.copyOf(addresses);
    }

    /** A manifest written by hand seldom tells conditions: a pod without any counts as ready unless its phase says otherwise. */
    private static boolean ready(@Nullable YamlValue status, String phase) {
        if (status == null || status.items("conditions").isEmpty()) {
            return phase.isEmpty() || phase.equals("Running");
        }
        return status.items("conditions").stream()
                .anyMatch(condition -> condition.text("type").equals("Ready") && condition.text("status").equalsIgnoreCase("true"));
    }

    private static PodDns dns(@Nullable YamlValue spec) {
        YamlValue config = spec == null ? null : spec.get("dnsConfig");
        String policy = spec == null || spec.text("dnsPolicy").isEmpty() ? PodDns.CLUSTER_FIRST.policy() : spec.text("dnsPolicy");
        if (config == null) {
            return new PodDns(policy, List.of(), List.of(), List.of());
        }
        List<String> options = new ArrayList<>();
        for (YamlValue option : config.items("options")) {
            options.add(option.text("name") + (option.text("value").isEmpty() ? "" : ":" + option.text("value")));
        }
        return new PodDns(policy, config.texts("nameservers"), config.texts("searches"), options);
    }

    private static String label(@Nullable YamlValue spec, String key) {
        YamlValue value = spec == null ? null : spec.get(key);
        if (value == null || value.text().isEmpty()) {
            return "";
        }
        String fault = Names.faultOfLabel(value.text());
        if (!fault.isEmpty()) {
            throw value.fault(fault);
        }
        return value.text();
    }

    private static List<ContainerPort> ports(@Nullable YamlValue spec) {
        List<ContainerPort> ports = new ArrayList<>();
        if (spec != null) {
            List<YamlValue> containers = new ArrayList<>(spec.items("containers"));
            // Of the init containers only those that go on running (sidecars) can be reached.
            spec.items("initContainers").stream().filter(init -> init.text("restartPolicy").equals("Always")).forEach(containers::add);
            for (YamlValue container : containers) {
                addPorts(container, ports);
            }
        }
        return ports;
    }

    private static void addPorts(YamlValue container, List<ContainerPort> ports) {
        for (YamlValue port : container.items("ports")) {
            int number = port.port("containerPort", 1, 0);
            if (number != 0 && !port.text("name").isEmpty()) {
                ports.add(new ContainerPort(port.text("name"), Fields.protocol(port.get("protocol")), number));
            }
        }
    }
}
