package dev.cairn.explain;

import dev.cairn.cluster.WatchScope;
import dev.cairn.explain.OfflineServer.Trace;
import dev.cairn.plugin.kubernetes.KubernetesPlugin;
import dev.cairn.plugin.kubernetes.KubernetesSettings;
import dev.cairn.wire.WireName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Says why an answer is what it is, by what the cluster has and what the plugins did. */
final class Reasons {
    private final @Nullable KubernetesSettings settings;
    private final boolean standIn;
    private final ServiceReasons services;
    private final PodReasons pods;
    private final ReverseReasons reverse;
    private final ClusterFacts facts;

    Reasons(@Nullable KubernetesPlugin cluster, ClusterFacts facts, boolean standIn) {
        this.settings = cluster == null ? null : cluster.settings();
        this.standIn = standIn;
        this.facts = facts;
        WatchScope scope = cluster == null ? WatchScope.SERVICES_AND_SLICES : cluster.scope();
        this.services = new ServiceReasons(facts, settings, scope);
        this.pods = new PodReasons(facts, settings);
        this.reverse = new ReverseReasons(facts);
    }

    Finding of(WireName name, String type, Trace trace) {
        if (trace.legs().isEmpty()) {
            return Finding.because(trace.passedOver().isEmpty()
                    ? "no server block of the Corefile has a zone that " + name + " is in"
                    : "no server block takes it: " + String.join(", ", trace.passedOver()) + " did not");
        }
        Leg leg = trace.legs().getFirst();
        WireName seen = seen(name, leg);
        WireName zone = zone(seen);
        boolean handedOn = !leg.answeredBy().isEmpty() && !leg.answeredBy().equals("kubernetes");
        boolean answers = trace.reply().answers();
        boolean seenByCluster = leg.visits().stream().anyMatch(visit -> visit.plugin().equals("kubernetes"));
        if (zone == null || !seenByCluster || (handedOn && answers)) {
            return byPlugin(name, trace, leg);
        }
        Finding found = KubernetesSettings.isReverse(zone) ? reverse.of(seen, answers) : inZone(seen, zone, type, trace);
        List<String> why = new ArrayList<>(found.why());
        if (handedOn) {
            why.addAll(byPlugin(name, trace, leg).why());
        } else if (!leg.error().isEmpty() && !leg.error().startsWith("no plugin below")) {
            why.addFirst(leg.error());
        }
        return new Finding(found.objects(), why);
    }

    /** The name as the plugins below those that change it saw it. */
    private static WireName seen(WireName name, Leg leg) {
        String prefix = "passed as ";
        return leg.visits().stream()
                .map(Leg.Visit::step)
                .filter(step -> step.startsWith(prefix))
                .map(step -> WireName.parse(step.substring(prefix.length(), step.lastIndexOf(' '))))
                .reduce(name, (_, later) -> later);
    }

    private @Nullable WireName zone(WireName name) {
        return settings == null ? null : settings.zones().stream()
                .filter(name::isWithin)
                .max(Comparator.comparingInt(WireName::labelCount))
                .orElse(null);
    }

    private Finding byPlugin(WireName name, Trace trace, Leg leg) {
        String result = trace.reply().result();
        if (leg.rcode().isEmpty()) {
            return Finding.because(leg.visits().getLast().plugin() + " " + Leg.SILENT + ": the client waits in vain");
        }
        if (leg.answeredBy().isEmpty()) {
            if (standIn && leg.error().startsWith("no plugin below")) {
                return Finding.because(name + " is not in the cluster's zones, and without a Corefile nothing else is asked; give --conf"
                        + " FILE to have its forward asked");
            }
            return Finding.because(leg.error().isEmpty() ? result + " by the server itself" : leg.error());
        }
        String by = result + " is what " + leg.answeredBy() + " answered"
                + (leg.upstream().isEmpty() ? "" : ", as " + leg.upstream() + " said");
        return new Finding(List.of(), leg.error().isEmpty() ? List.of(by) : List.of(by, leg.error()));
    }

    private Finding inZone(WireName name, WireName zone, String type, Trace trace) {
        List<String> labels = labels(name, zone);
        if (labels.isEmpty()) {
            return Finding.because(name + " is the zone itself, which has SOA and NS records only");
        }
        return switch (labels.getLast()) {
            case "svc" -> services.of(labels, zone, type, trace);
            case "pod" -> pods.of(labels, trace.reply().answers(), zone);
            default -> outside(name, zone, labels, trace);
        };
    }

    private Finding outside(WireName name, WireName zone, List<String> labels, Trace trace) {
        if (trace.reply().answers() || name.toString().equals("dns-version." + zone)
                || (labels.getLast().equals("dns") && labels.size() < 3)) {
            return Finding.because(name + " is a name that the zone has of itself: dns-version with TXT, ns.dns with the server's"
                    + " addresses");
        }
        String below = "names of " + zone + " are those below svc." + zone + " and pod." + zone;
        String last = labels.getLast();
        if (labels.size() >= 2 && facts.service(labels.get(labels.size() - 2), last) == null
                && facts.service(last, labels.get(labels.size() - 2)) != null) {
            return Finding.because(below + ": write " + String.join(".", labels) + ".svc." + zone);
        }
        if (labels.size() > 2 && (last.equals("svcs") || last.equals("srv") || last.equals("service") || last.equals("services"))) {
            return Finding.because(below + ": write svc in place of " + last);
        }
        return Finding.because(below + "; this is neither");
    }

    /** The labels before the zone, the first first. */
    static List<String> labels(WireName name, WireName zone) {
        String text = name.toString();
        String relative = text.substring(0, text.length() - (zone.equals(WireName.ROOT) ? 1 : zone.toString().length()));
        return relative.isEmpty() ? List.of() : Arrays.asList(relative.split("(?<!\\\\)\\."));
    }
}
