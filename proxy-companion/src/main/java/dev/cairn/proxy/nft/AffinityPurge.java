package dev.cairn.proxy.nft;

import dev.cairn.cluster.control.AddressRange;
import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Address;
import dev.cairn.proxy.plan.Endpoint;
import dev.cairn.proxy.plan.Frontend;
import dev.cairn.proxy.plan.LocalDetector;
import dev.cairn.proxy.plan.NodeView;
import dev.cairn.proxy.plan.PortPlan;
import dev.cairn.proxy.plan.ServicePlan;
import dev.cairn.proxy.sync.ApplyFailure;
import dev.cairn.proxy.sync.Backend;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Forgets clients' endpoints that are none any more (IPv4). */
final class AffinityPurge {
    private static final int TRIES = 3;

    private final NftRunner runner;
    private final LocalDetector detector;
    private final NodeView node;

    /**
     * Where a client may have been led.
     *
     * @param inside if it is a pod or the node, which go round the policy for outside traffic
     * @param outside if it is any other
     */
    private record Allowed(Set<String> inside, Set<String> outside) {}

    AffinityPurge(NftRunner runner, Backend.Desired desired) {
        this.runner = runner;
        detector = desired.options().detector();
        node = desired.node();
    }

    /** An element may run out between listing and deleting, which fails all; so it is done again. */
    void purge(List<ServicePlan> plans) throws ApplyFailure {
        Map<String, Allowed> allowed = allowed(plans);
        for (int i = 1; i <= TRIES; i++) {
            List<String> stale = stale(allowed);
            if (stale.isEmpty()) {
                return;
            }
            try {
                runner.run("delete element " + Table.of(IpFamily.IPV4) + " affinity { " + String.join(", ", stale) + " }\n");
                return;
            } catch (ApplyFailure e) {
                if (i == TRIES || e.isLasting()) {
                    throw e;
                }
            }
        }
    }

    private static Map<String, Allowed> allowed(List<ServicePlan> plans) {
        Map<String, Allowed> allowed = new HashMap<>();
        for (ServicePlan plan : plans) {
            for (PortPlan port : plan.ports()) {
                for (Frontend frontend : port.family() == IpFamily.IPV4 ? port.frontends() : List.<Frontend>of()) {
                    Set<String> outside = texts(port.endpoints(frontend));
                    Set<String> inside = frontend.isExternal() ? texts(port.sets().cluster()) : outside;
                    NftSet set = frontend.place().address() == null ? NftSet.SERVICE_NODEPORTS : NftSet.SERVICE_IPS;
                    allowed.put(ElementText.key(set, IpFamily.IPV4, ServiceElements.place(frontend)), new Allowed(inside, outside));
                }
            }
        }
        return allowed;
    }

    private static Set<String> texts(List<Endpoint> endpoints) {
        return endpoints.stream().map(endpoint -> endpoint.address() + " . " + endpoint.port()).collect(Collectors.toSet());
    }

    /** Whether what a client was led to is none of its endpoints. Who is known by his interface is not known by his address, and may be either. */
    private boolean isStale(Allowed allowed, String client, String endpoint) {
        Address from = Address.parse(client);
        if (from == null) {
            return false;
        }
        return switch (detector) {
            case LocalDetector.Interface _ -> !allowed.inside().contains(endpoint) && !allowed.outside().contains(endpoint);
            case LocalDetector.Ranges ranges -> {
                AddressRange pods = ranges.of(IpFamily.IPV4);
                boolean inside = (pods != null && pods.contains(from)) || node.addresses().contains(from) || node.interfaces().contains(from);
                yield !(inside ? allowed.inside() : allowed.outside()).contains(endpoint);
            }
        };
    }

    /** Without the file of protocols, nft prints their numbers. */
    private static String protocol(String word) {
        return switch (word) {
            case "6" -> "tcp";
            case "17" -> "udp";
            case "132" -> "sctp";
            default -> word;
        };
    }

    private List<String> stale(Map<String, Allowed> allowed) throws ApplyFailure {
        @Nullable String text = runner.list(List.of("nft", "list", "map", Table.word(IpFamily.IPV4), Table.NAME, "affinity"));
        List<String> stale = new ArrayList<>();
        int from = text == null ? -1 : text.indexOf("elements = {");
        if (text == null || from < 0) {
            return stale;
        }
        String elements = text.substring(from + "elements = {".length(), text.lastIndexOf('}', text.lastIndexOf('}', text.lastIndexOf('}') - 1) - 1));
        for (String element : elements.split(",", -1)) {
            // ADDRESS . PROTOCOL . PORT . CLIENT timeout 3h expires 2h : ENDPOINT . PORT
            String[] words = element.strip().split("\\s+", -1);
            int colon = element.lastIndexOf(" : ");
            if (words.length < 7 || colon < 0) {
                continue;
            }
            String port = protocol(words[2]) + " . " + words[4];
            Allowed those = allowed.get(words[0] + " . " + port);
            those = those != null ? those : allowed.get(port);
            if (those != null && isStale(those, words[6], element.substring(colon + 3).strip())) {
                stale.add(String.join(" ", words[0], ".", words[2], ".", words[4], ".", words[6]));
            }
        }
        return stale;
    }
}
