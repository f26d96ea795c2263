package dev.cairn.cluster.manifest;

import dev.cairn.cluster.Names;
import dev.cairn.cluster.control.ClusterObject.Meta;
import dev.cairn.cluster.control.ClusterObject.SliceObject;
import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Address;
import dev.cairn.facts.EndpointFact;
import dev.cairn.facts.EndpointHints;
import dev.cairn.facts.PortFact;
import dev.cairn.wire.WireName;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads EndpointSlices, and Endpoints as the slices that a cluster would mirror them to. */
final class SliceDecoder {
    private static final String SERVICE_LABEL = "kubernetes.io/service-name";
    private static final String IMPORT_LABEL = "multicluster.kubernetes.io/service-name";
    private static final String CLUSTER_LABEL = "multicluster.kubernetes.io/source-cluster";

    /** What {@code conditions} say; what they leave out is as good as it can be. */
    private record Conditions(boolean ready, boolean serving, boolean terminating) {
        static final Conditions USUAL = new Conditions(true, true, false);
    }

    private SliceDecoder() {}

    static SliceObject slice(YamlValue slice, Meta meta) {
        List<EndpointFact> endpoints = new ArrayList<>();
        // Slices of host names are for others than name server and proxy.
        boolean addresses = !slice.text("addressType").equals("FQDN");
        for (YamlValue endpoint : addresses ? slice.items("endpoints") : List.<YamlValue>of()) {
            YamlValue conditions = endpoint.get("conditions");
            Conditions state = conditions == null ? Conditions.USUAL : new Conditions(
                    conditions.flag("ready", true), conditions.flag("serving", true), conditions.flag("terminating", false));
            boolean further = false;
            for (YamlValue address : endpoint.items("addresses")) {
                endpoints.add(endpoint(endpoint, address, state, endpoint.text("zone"), further));
                further = true;
            }
        }
        Map<String, String> labels = meta.labels();
        checkService(labels, SERVICE_LABEL);
        checkService(labels, IMPORT_LABEL);
        String cluster = labels.getOrDefault(CLUSTER_LABEL, "");
        if (!cluster.isEmpty() && WireName.orNull(cluster) == null) {
            throw new ManifestException("metadata.labels[" + CLUSTER_LABEL + "]: Invalid value: \"" + cluster + "\": cannot be a part of a name");
        }
        return new SliceObject(
                meta,
                false,
                labels.getOrDefault(SERVICE_LABEL, ""),
                labels.getOrDefault(IMPORT_LABEL, ""),
                cluster,
                Fields.ports(slice, "ports"),
                endpoints,
                triggerMillis(slice));
    }

    /** A label may be what no service can be called, which the API server does not mind. */
    private static void checkService(Map<String, String> labels, String key) {
        String service = labels.getOrDefault(key, "");
        String fault = service.isEmpty() ? "" : Names.faultOfLabel(service);
        if (!fault.isEmpty()) {
            throw new ManifestException("metadata.labels[" + key + "]: Invalid value: \"" + service + "\": no service can be called so: " + fault);
        }
    }

    static List<SliceObject> endpoints(YamlValue endpoints, Meta meta) {
        List<SliceObject> slices = new ArrayList<>();
        Map<IpFamily, Integer> counts = new EnumMap<>(IpFamily.class);
        for (YamlValue subset : endpoints.items("subsets")) {
            List<PortFact> ports = Fields.ports(subset, "ports");
            List<EndpointFact> all = new ArrayList<>();
            subset.items("addresses").forEach(address -> all.add(mirrored(address, true)));
            subset.items("notReadyAddresses").forEach(address -> all.add(mirrored(address, false)));
            for (IpFamily family : IpFamily.values()) {
                List<EndpointFact> some = all.stream().filter(endpoint -> IpFamily.of(endpoint.address()) == family).toList();
                if (!some.isEmpty()) {
                    String name = SliceObject.nameOf(meta.name(), family, counts.merge(family, 1, Integer::sum));
                    Meta sliceMeta = new Meta(meta.origin(), meta.namespace(), name, meta.labels());
                    slices.add(new SliceObject(sliceMeta, true, meta.name(), "", "", ports, some, triggerMillis(endpoints)));
                }
            }
        }
        if (slices.isEmpty()) {
            // Endpoints that hold none still say that nobody else shall make any.
            String name = SliceObject.nameOf(meta.name(), IpFamily.IPV4, 1);
            Meta sliceMeta = new Meta(meta.origin(), meta.namespace(), name, meta.labels());
            slices.add(new SliceObject(sliceMeta, true, meta.name(), "", "", List.of(), List.of(), triggerMillis(endpoints)));
        }
        return slices;
    }

    private static EndpointFact mirrored(YamlValue address, boolean ready) {
        YamlValue ip = address.get("ip");
        if (ip == null) {
            throw address.fault("ip is missing");
        }
        return endpoint(address, ip, new Conditions(ready, ready, false), "", false);
    }

    private static EndpointFact endpoint(YamlValue endpoint, YamlValue address, Conditions state, String zone, boolean further) {
        Address parsed = Fields.address(address);
        checkReachable(parsed, address);
        YamlValue hostname = endpoint.get("hostname");
        if (hostname != null && !hostname.text().isEmpty()) {
            String fault = Names.faultOfLabel(hostname.text());
            if (!fault.isEmpty()) {
                throw hostname.fault(fault);
            }
        }
        YamlValue target = endpoint.get("targetRef");
        String pod = target != null && (target.text("kind").isEmpty() || target.text("kind").equals("Pod")) ? target.text("name") : "";
        return new EndpointFact(parsed, state.ready(), hostname == null ? "" : hostname.text(), pod, endpoint.text("nodeName"), zone,
                state.serving(), state.terminating(), hints(endpoint.get("hints")), further);
    }

    private static EndpointHints hints(@Nullable YamlValue hints) {
        return hints == null ? EndpointHints.NONE : new EndpointHints(
                hints.items("forZones").stream().map(zone -> zone.text("name")).toList(),
                hints.items("forNodes").stream().map(node -> node.text("name")).toList());
    }

    /** The API server refuses addresses that would make clients talk to themselves or to a whole network. */
    private static void checkReachable(Address address, YamlValue value) {
        InetAddress inet;
        try {
            inet = InetAddress.getByAddress(address.bytes());
        } catch (UnknownHostException e) {
            throw new AssertionError("an address has 4 or 16 bytes", e);
        }
        if (inet.isAnyLocalAddress()) {
            throw value.fault("may not be unspecified (0.0.0.0 or ::)");
        }
        if (inet.isLoopbackAddress()) {
            throw value.fault("may not be in the loopback range (127.0.0.0/8, ::1/128)");
        }
        if (inet.isLinkLocalAddress()) {
            throw value.fault("may not be in the link-local range (169.254.0.0/16, fe80::/10)");
        }
        if (inet.isMulticastAddress()) {
            throw value.fault("may not be in the multicast range (224.0.0.0/4, ff00::/8)");
        }
    }

    private static long triggerMillis(YamlValue object) {
        YamlValue metadata = object.get("metadata");
        @Nullable String time = metadata == null ? null
                : metadata.textMap("annotations").get("endpoints.kubernetes.io/last-change-trigger-time");
        try {
            return time == null ? 0 : Instant.parse(time).toEpochMilli();
        } catch (DateTimeParseException e) {
            return 0;
        }
    }
}
