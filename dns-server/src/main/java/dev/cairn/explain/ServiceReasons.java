package dev.cairn.explain;

import dev.cairn.cluster.LabelSelector;
import dev.cairn.cluster.WatchScope;
import dev.cairn.explain.Finding.Thing;
import dev.cairn.explain.OfflineServer.Trace;
import dev.cairn.facts.Address;
import dev.cairn.facts.ImportFact;
import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.ServiceFact.Kind;
import dev.cairn.log.NearestWord;
import dev.cairn.plugin.kubernetes.KubernetesSettings;
import dev.cairn.wire.WireName;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Why names below {@code svc} are answered as they are. */
final class ServiceReasons {
    private final ClusterFacts facts;
    private final Set<String> namespaces;
    private final Set<WireName> imported;
    private final boolean zonal;
    private final boolean emptyServices;
    private final WatchScope scope;
    private final BelowReasons below;

    ServiceReasons(ClusterFacts facts, @Nullable KubernetesSettings settings, WatchScope scope) {
        this.facts = facts;
        this.namespaces = settings == null ? Set.of() : settings.namespaces();
        this.imported = settings == null ? Set.of() : settings.imported();
        this.zonal = settings != null && settings.zonal();
        this.emptyServices = settings == null || settings.emptyServices();
        this.scope = scope;
        this.below = new BelowReasons(facts, settings != null && settings.podNames());
    }

    /** @param labels those before the zone, {@code svc} being the last */
    Finding of(List<String> labels, WireName zone, String type, Trace trace) {
        int count = labels.size();
        if (count == 1) {
            return Finding.because("svc." + zone + " exists because of the names below it, and has no records");
        }
        String namespace = labels.get(count - 2);
        String service = count == 2 ? "" : labels.get(count - 3);
        String noNamespace = namespace(namespace, service, zone);
        if (!noNamespace.isEmpty()) {
            return Finding.because(noNamespace);
        }
        if (count == 2) {
            return Finding.because("this is the namespace " + namespace + ", which has no records of its own: write SERVICE." + namespace);
        }
        if (imported.contains(zone)) {
            return imported(namespace, service, trace);
        }
        ServiceFact fact = facts.service(namespace, service);
        if (fact == null) {
            return Finding.because(missing(namespace, service));
        }
        Finding found = count == 3 ? own(fact, type, trace) : count > 5 ? deep(labels, fact) : below.of(labels, fact, type, trace);
        return hidden(found, trace.reply().answers());
    }

    /** What is wrong with the namespace; empty if nothing. */
    private String namespace(String namespace, String service, WireName zone) {
        if (!facts.hasNamespace(namespace)) {
            boolean swapped = facts.service(service, namespace) != null;
            return "the namespace " + namespace + " does not exist" + (swapped
                    ? ", but Service " + service + "/" + namespace + " does: the order is SERVICE.NAMESPACE, so write " + namespace + "."
                            + service + ".svc." + zone
                    : Words.near(namespace, facts.namespaces()));
        }
        return namespaces.isEmpty() || namespaces.contains(namespace) ? ""
                : "the kubernetes block tells names of namespace " + Words.and(namespaces.stream().sorted().toList()) + " only, not of "
                        + namespace;
    }

    private Finding imported(String namespace, String service, Trace trace) {
        ImportFact fact = facts.imported(namespace, service);
        if (fact == null) {
            return Finding.because("namespace " + namespace + " has no ServiceImport " + service);
        }
        String what = fact.headless() ? "headless" : "address " + text(fact.ips());
        Thing thing = new Thing("ServiceImport", namespace, service, what);
        return new Finding(List.of(thing), List.of("ServiceImport " + namespace + "/" + service + " comes from other clusters: " + what
                + (trace.reply().answers() ? "" : "; it has no ready endpoint, or none of this type")));
    }

    private String missing(String namespace, String service) {
        List<String> elsewhere = facts.services().filter(one -> one.name().equals(service)).map(ServiceFact::namespace).toList();
        if (!elsewhere.isEmpty()) {
            return "Service " + service + " exists in namespace " + Words.and(elsewhere) + ", not " + namespace + ": write " + service + "."
                    + elsewhere.getFirst();
        }
        String told = "namespace " + namespace + " has no Service " + service;
        if (facts.pod(namespace, service) != null) {
            return told + "; it has a pod of that name, but a pod has a name only below a headless Service, by its hostname and subdomain";
        }
        List<String> here = facts.servicesIn(namespace);
        if (NearestWord.of(service, here) != null) {
            return told + Words.near(service, here);
        }
        String near = NearestWord.of(service, facts.services().map(ServiceFact::name).distinct().toList());
        return near == null ? told : told + "; did you mean " + near + " of namespace "
                + Words.and(facts.services().filter(one -> one.name().equals(near)).map(ServiceFact::namespace).toList()) + "?";
    }

    /** What the kubernetes block leaves out can only be told as a possibility, since labels are not known here. */
    private Finding hidden(Finding found, boolean answers) {
        List<String> why = new ArrayList<>(found.why());
        if (!answers && !scope.objects().equals(LabelSelector.ALL)) {
            why.addFirst("the kubernetes block looks only at Services and slices that match 'labels " + scope.objects().text()
                    + "'; this may be why");
        }
        if (!answers && !scope.namespaces().equals(LabelSelector.ALL)) {
            why.addFirst("the kubernetes block looks only at namespaces that match 'namespace_labels " + scope.namespaces().text()
                    + "'; this may be why");
        }
        return new Finding(found.objects(), why);
    }

    private Finding own(ServiceFact service, String type, Trace trace) {
        return switch (service.kind()) {
            case EXTERNAL_NAME -> external(service, type, trace);
            case HEADLESS -> headless(service, type, trace);
            case CLUSTER_IP -> virtual(service, type, trace);
        };
    }

    static String named(ServiceFact service) {
        return "Service " + service.namespace() + "/" + service.name();
    }

    private static Thing thing(ServiceFact service) {
        return new Thing("Service", service.namespace(), service.name(), switch (service.kind()) {
            case EXTERNAL_NAME -> "external name " + service.externalName();
            case HEADLESS -> "headless";
            case CLUSTER_IP -> "cluster IP " + text(service.clusterIps());
        });
    }

    private static String text(List<Address> addresses) {
        return addresses.stream().map(Address::toString).collect(Collectors.joining(", "));
    }

    private Finding external(ServiceFact service, String type, Trace trace) {
        List<String> why = new ArrayList<>();
        if (Address.parse(service.externalName()) != null) {
            why.add(named(service) + " has externalName " + service.externalName() + ", an address, for which there can be no CNAME:"
                    + " make it a Service without a selector, and an EndpointSlice with the address");
        } else if (!Set.of("A", "AAAA", "CNAME").contains(type)) {
            why.add(named(service) + " is an external name, which has a CNAME record only, and none of type " + type);
        } else {
            why.add(named(service) + " is an external name for " + service.externalName());
            trace.legs().stream().skip(1).forEach(leg -> why.add(chased(leg)));
            if (trace.legs().size() == 1 && trace.reply().answers() && !type.equals("CNAME")) {
                why.add(service.externalName() + " was refused: no server block has a zone for it");
            }
        }
        return new Finding(List.of(thing(service)), why);
    }

    private static String chased(Leg leg) {
        String upstream = leg.upstream().isEmpty() ? "" : " from " + leg.upstream();
        String by = leg.answeredBy().isEmpty() ? "" : " by " + leg.answeredBy() + upstream;
        return leg.error().startsWith("no plugin below")
                ? leg.question() + " is asked next, but nothing in this configuration knows it; clients get the CNAME alone"
                : leg.question() + " is asked next: " + leg.rcode() + by + (leg.error().isEmpty() ? "" : " (" + leg.error() + ")");
    }

    private Finding headless(ServiceFact service, String type, Trace trace) {
        Endpoints endpoints = Endpoints.of(service, facts, false);
        List<Thing> things = new ArrayList<>(List.of(thing(service)));
        things.addAll(endpoints.things());
        String is = named(service) + " is headless: ";
        if (!scope.slices()) {
            return new Finding(things, List.of(is + "'noendpoints' in the kubernetes block does without its endpoints, so it has no name"));
        }
        if (endpoints.ready() == 0) {
            return new Finding(things, List.of(is + "without a ready endpoint it has no name; " + endpoints.count()));
        }
        return trace.reply().answers()
                ? new Finding(things, List.of(is + "its name stands for its ready endpoints; " + endpoints.count()))
                : new Finding(things, List.of(is + noneOfType(type, "its ready endpoints have", "its slices have no ports")));
    }

    private static String noneOfType(String type, String have, String noPorts) {
        return switch (type) {
            case "A" -> have + " no IPv4 address; ask for AAAA";
            case "AAAA" -> have + " no IPv6 address; ask for A";
            case "SRV" -> noPorts + ", and so no SRV records";
            default -> "the name has A, AAAA and SRV records, none of type " + type;
        };
    }

    private Finding virtual(ServiceFact service, String type, Trace trace) {
        Endpoints endpoints = Endpoints.of(service, facts, false);
        List<Thing> things = new ArrayList<>(List.of(thing(service)));
        things.addAll(endpoints.things());
        List<String> why = new ArrayList<>();
        if (endpoints.ready() == 0 && !emptyServices) {
            why.add(named(service) + " has no ready endpoint, and 'ignore empty_service' of the kubernetes block hides it; "
                    + endpoints.count());
        } else if (trace.reply().answers()) {
            String ports = service.ports().isEmpty() ? "" : ", ports "
                    + service.ports().stream().map(BelowReasons::port).collect(Collectors.joining(", "));
            why.add(named(service) + " has cluster IP " + text(service.clusterIps()) + ports);
            why.add(endpoints.count() + (endpoints.ready() == 0 ? "; connections to the address are refused" : ""));
        } else {
            String has = "its cluster IP is " + text(service.clusterIps()) + ", it has";
            why.add(named(service) + " exists: " + noneOfType(type, has, "it has no ports"));
        }
        return new Finding(things, why);
    }

    private Finding deep(List<String> labels, ServiceFact service) {
        boolean zone = labels.get(labels.size() - 4).equals("_zone");
        return Finding.because(zone && !zonal
                ? "names of topology zones are off: add 'zonal' to the kubernetes block"
                : zone && service.kind() != Kind.HEADLESS
                        ? named(service) + " is not headless; only headless Services have names by topology zone"
                        : zone ? named(service) + " by topology zone: " + Endpoints.of(service, facts, false).count()
                                : "there are no names so far below a Service");
    }
}
