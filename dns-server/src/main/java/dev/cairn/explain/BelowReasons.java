package dev.cairn.explain;

import dev.cairn.explain.Finding.Thing;
import dev.cairn.explain.OfflineServer.Trace;
import dev.cairn.facts.EndpointFact;
import dev.cairn.facts.PortFact;
import dev.cairn.facts.Protocol;
import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.ServiceFact.Kind;
import dev.cairn.facts.SliceFact;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Why names below that of a Service, of its endpoints and ports, are answered as they are. */
final class BelowReasons {
    private final ClusterFacts facts;
    private final boolean podNames;

    BelowReasons(ClusterFacts facts, boolean podNames) {
        this.facts = facts;
        this.podNames = podNames;
    }

    /** @param labels four or five: an endpoint, or port and protocol, and then the service, its namespace and {@code svc} */
    Finding of(List<String> labels, ServiceFact service, String type, Trace trace) {
        if (service.kind() == Kind.EXTERNAL_NAME) {
            return Finding.because(ServiceReasons.named(service) + " is an external name, which has no names below it");
        }
        if (labels.size() == 5) {
            return port(labels.get(0), labels.get(1), service, type, trace);
        }
        String first = labels.getFirst();
        return first.startsWith("_")
                ? Finding.because(trace.reply().result().equals("NODATA")
                        ? "this name exists because of the ports below it, and has no records: write _PORT." + first + "." + service.name()
                        : ServiceReasons.named(service) + " has no named port of protocol " + first.substring(1) + "; it has "
                        + ports(service))
                : endpoint(first, service, type, trace);
    }

    static String port(PortFact port) {
        return (port.name().isEmpty() ? "" : port.name() + " ") + port.port() + "/" + port.protocol();
    }

    private Finding endpoint(String label, ServiceFact service, String type, Trace trace) {
        Endpoints endpoints = Endpoints.of(service, facts, podNames);
        String of = " of " + ServiceReasons.named(service);
        boolean answers = trace.reply().answers();
        for (SliceFact slice : facts.slices(service)) {
            for (EndpointFact endpoint : slice.endpoints()) {
                boolean meant = endpoints.label(endpoint).equalsIgnoreCase(label);
                if (meant && endpoint.ready() == answers) {
                    Thing thing = new Thing("EndpointSlice", slice.namespace(), slice.name(),
                            endpoint.address() + (endpoint.podName().isEmpty() ? "" : " (pod " + endpoint.podName() + ")"));
                    return new Finding(List.of(thing), List.of(endpoint.ready()
                            ? label + " is a ready endpoint" + of + ", " + endpoint.address()
                            : label + " is an endpoint" + of + ", but not ready, and only ready ones have names (publishNotReadyAddresses"
                            + " is not set)"));
                }
                if (meant && endpoint.ready()) {
                    return Finding.because(label + " is a ready endpoint" + of + ", " + endpoint.address() + ", and has no record of type "
                            + type);
                }
            }
        }
        for (EndpointFact endpoint : endpoints.all()) {
            if (endpoint.podName().equals(label)) {
                return Finding.because("pod " + label + " is an endpoint" + of + " under the name " + endpoints.label(endpoint)
                        + ": a pod's own name counts if its hostname is that and its subdomain is " + service.name()
                        + ", or with 'endpoint_pod_names' in the kubernetes block");
            }
        }
        String names = endpoints.labels();
        return Finding.because(ServiceReasons.named(service) + " has no endpoint named " + label
                + (names.isEmpty() ? "; " + endpoints.count() : "; the names of its ready ones are " + names));
    }

    private Finding port(String portLabel, String protocolLabel, ServiceFact service, String type, Trace trace) {
        String name = bare(portLabel);
        String protocol = bare(protocolLabel);
        List<PortFact> ports = portsOf(service).toList();
        String is = ServiceReasons.named(service);
        if (Arrays.stream(Protocol.values()).noneMatch(one -> one.label().equals(protocol))) {
            return Finding.because(protocolLabel + " is no protocol: write _tcp, _udp or _sctp");
        }
        List<PortFact> named = ports.stream().filter(port -> port.name().equalsIgnoreCase(name)).toList();
        for (PortFact port : named) {
            if (port.protocol().label().equals(protocol)) {
                Thing thing = new Thing("Service", service.namespace(), service.name(), "port " + port(port));
                return new Finding(List.of(thing), List.of(trace.reply().answers()
                        ? is + " has port " + port(port) + (service.kind() == Kind.HEADLESS ? " on each of its endpoints" : "")
                        : noRecords(service, type, port)));
            }
        }
        if (!named.isEmpty()) {
            PortFact other = named.getFirst();
            return Finding.because("port " + name + " of " + is + " is " + other.protocol() + ", not " + protocol.toUpperCase(Locale.ROOT)
                    + ": write _" + name + "._" + other.protocol().label());
        }
        if (!name.isEmpty() && name.chars().allMatch(Character::isDigit)) {
            return Finding.because("ports are asked for by name, not by number; " + is + " has " + ports(service));
        }
        return Finding.because(is + " has no port named " + name + "; it has " + ports(service)
                + Words.near(name, ports.stream().map(PortFact::name).filter(one -> !one.isEmpty()).toList()));
    }

    private String noRecords(ServiceFact service, String type, PortFact port) {
        Endpoints endpoints = Endpoints.of(service, facts, podNames);
        return endpoints.ready() == 0 && service.kind() == Kind.HEADLESS
                ? ServiceReasons.named(service) + " is headless: without a ready endpoint it has no names; " + endpoints.count()
                : ServiceReasons.named(service) + " has port " + port(port) + ", but no record of type " + type + "; ask for SRV";
    }

    private static String bare(String label) {
        return label.startsWith("_") ? label.substring(1) : label;
    }

    /** A headless service's ports are those of its endpoints, but they have the service's names. */
    private Stream<PortFact> portsOf(ServiceFact service) {
        return service.kind() == Kind.HEADLESS && service.ports().isEmpty()
                ? facts.slices(service).stream().flatMap(slice -> slice.ports().stream()).distinct()
                : service.ports().stream();
    }

    private String ports(ServiceFact service) {
        List<String> names = new ArrayList<>();
        portsOf(service).forEach(port -> names.add(port.name().isEmpty() ? "port " + port(port) + " without a name" : port.name()));
        return names.isEmpty() ? "none" : String.join(", ", names);
    }
}
