package dev.cairn.proxy.nft;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.proxy.plan.Endpoint;
import dev.cairn.proxy.plan.Frontend;
import dev.cairn.proxy.plan.PortPlan;
import dev.cairn.proxy.plan.ServicePlan;
import dev.cairn.proxy.sync.ApplyFailure;
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

    AffinityPurge(NftRunner runner) {
        this.runner = runner;
    }

    /** An element may run out between listing and deleting, which fails all; so it is done again. */
    void purge(List<ServicePlan> plans) throws ApplyFailure {
        Map<String, Set<String>> allowed = allowed(plans);
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

    private static Map<String, Set<String>> allowed(List<ServicePlan> plans) {
        Map<String, Set<String>> allowed = new HashMap<>();
        for (ServicePlan plan : plans) {
            for (PortPlan port : plan.ports()) {
                for (Frontend frontend : port.family() == IpFamily.IPV4 ? port.frontends() : List.<Frontend>of()) {
                    List<Endpoint> endpoints = port.endpoints(frontend);
                    NftSet set = frontend.place().address() == null ? NftSet.SERVICE_NODEPORTS : NftSet.SERVICE_IPS;
                    allowed.put(ElementText.key(set, IpFamily.IPV4, ServiceElements.place(frontend)),
                            endpoints.stream().map(endpoint -> endpoint.address() + " . " + endpoint.port()).collect(Collectors.toSet()));
                }
            }
        }
        return allowed;
    }

    private List<String> stale(Map<String, Set<String>> allowed) throws ApplyFailure {
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
            Set<String> those = allowed.get(words[0] + " . " + words[2] + " . " + words[4]);
            those = those != null ? those : allowed.get(words[2] + " . " + words[4]);
            if (those != null && !those.contains(element.substring(colon + 3).strip())) {
                stale.add(String.join(" ", words[0], ".", words[2], ".", words[4], ".", words[6]));
            }
        }
        return stale;
    }
}
