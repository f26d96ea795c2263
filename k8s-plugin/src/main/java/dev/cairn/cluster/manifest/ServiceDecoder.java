package dev.cairn.cluster.manifest;

import dev.cairn.cluster.Names;
import dev.cairn.cluster.control.ClusterObject.FamilyPolicy;
import dev.cairn.cluster.control.ClusterObject.Meta;
import dev.cairn.cluster.control.ClusterObject.Port;
import dev.cairn.cluster.control.ClusterObject.ServiceObject;
import dev.cairn.cluster.control.ClusterObject.ServiceType;
import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Address;
import dev.cairn.facts.Protocol;
import dev.cairn.facts.TrafficFact;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** Reads a service and holds it to what the API server asks of it alone, but for leaving out its ports. */
final class ServiceDecoder {
    /** A day. */
    private static final int MOST_AFFINITY = 86_400;

    private final YamlValue service;
    private final YamlValue spec;
    private final Meta meta;

    ServiceDecoder(YamlValue service, Meta meta) {
        this.service = service;
        this.meta = meta;
        YamlValue given = service.get("spec");
        spec = given != null ? given : new YamlValue(new MappingNode(Tag.MAP, List.of(), FlowStyle.BLOCK), "spec", 0);
    }

    ServiceObject decode() {
        String fault = Names.faultOfService(meta.name());
        if (!fault.isEmpty()) {
            throw new ManifestException("metadata.name: Invalid value: \"" + meta.name() + "\": " + fault);
        }
        ServiceType type = type();
        List<String> clusterIps = type == ServiceType.EXTERNAL_NAME ? List.of() : clusterIps(type);
        List<Address> ingressIps = new ArrayList<>();
        List<String> ingressHostnames = new ArrayList<>();
        if (type == ServiceType.LOAD_BALANCER) {
            ingress(ingressIps, ingressHostnames);
        }
        YamlValue loadBalancerIp = spec.get("loadBalancerIP");
        return new ServiceObject(
                meta,
                type,
                clusterIps,
                families(),
                policy(clusterIps),
                type == ServiceType.EXTERNAL_NAME ? Map.of() : spec.textMap("selector"),
                ports(),
                type == ServiceType.EXTERNAL_NAME ? externalName() : "",
                Fields.addresses(spec, "externalIPs"),
                spec.flag("publishNotReadyAddresses", false),
                type == ServiceType.NODE_PORT || spec.flag("allocateLoadBalancerNodePorts", true),
                loadBalancerIp == null || loadBalancerIp.text().isEmpty() ? null : Fields.address(loadBalancerIp),
                ingressIps,
                ingressHostnames,
                type == ServiceType.EXTERNAL_NAME ? TrafficFact.PLAIN : traffic(type));
    }

    private ServiceType type() {
        YamlValue type = spec.get("type");
        return switch (type == null ? "" : type.text()) {
            case "", "ClusterIP" -> ServiceType.CLUSTER_IP;
            case "NodePort" -> ServiceType.NODE_PORT;
            case "LoadBalancer" -> ServiceType.LOAD_BALANCER;
            case "ExternalName" -> ServiceType.EXTERNAL_NAME;
            default -> throw spec.fault("type: Unsupported value: \"" + spec.text("type")
                    + "\": supported values: \"ClusterIP\", \"ExternalName\", \"LoadBalancer\", \"NodePort\"");
        };
    }

    private List<String> clusterIps(ServiceType type) {
        String first = spec.text("clusterIP");
        List<String> all = spec.texts("clusterIPs");
        if (all.isEmpty()) {
            all = first.isEmpty() ? List.of() : List.of(first);
        } else if (!first.isEmpty() && !first.equals(all.getFirst())) {
            throw new ManifestException("spec.clusterIPs[0]: Invalid value: \"" + all.getFirst() + "\": first value"
                    + " must match `clusterIP`");
        }
        if (all.contains("None")) {
            if (type != ServiceType.CLUSTER_IP) {
                throw new ManifestException("spec.clusterIPs[0]: Invalid value: \"None\": may not be set to 'None' for "
                        + spec.text("type") + " services");
            }
            if (all.size() > 1) {
                throw new ManifestException("spec.clusterIPs: 'None' must be the first and only value");
            }
        }
        if (all.size() > 2) {
            throw new ManifestException("spec.clusterIPs: Too many: " + all.size() + ": must have at most 2 items");
        }
        return all;
    }

    private List<IpFamily> families() {
        List<IpFamily> families = new ArrayList<>();
        for (YamlValue item : spec.items("ipFamilies")) {
            IpFamily family = switch (item.text()) {
                case "IPv4" -> IpFamily.IPV4;
                case "IPv6" -> IpFamily.IPV6;
                default -> throw item.fault("supported values: \"IPv4\", \"IPv6\"");
            };
            if (families.contains(family)) {
                throw new ManifestException(item.line(), item.path() + ": Duplicate value: \"" + family + "\"");
            }
            families.add(family);
        }
        return families;
    }

    private @Nullable FamilyPolicy policy(List<String> clusterIps) {
        YamlValue policy = spec.get("ipFamilyPolicy");
        if (policy == null) {
            return null;
        }
        return switch (policy.text()) {
            case "SingleStack" -> {
                if (clusterIps.size() > 1 || spec.items("ipFamilies").size() > 1) {
                    throw policy.fault("must be 'RequireDualStack' or 'PreferDualStack' when multiple cluster IPs or families"
                            + " are specified");
                }
                yield FamilyPolicy.SINGLE;
            }
            case "PreferDualStack" -> FamilyPolicy.PREFER_DUAL;
            case "RequireDualStack" -> FamilyPolicy.REQUIRE_DUAL;
            default -> throw policy.fault("supported values: \"PreferDualStack\", \"RequireDualStack\", \"SingleStack\"");
        };
    }

    private String externalName() {
        YamlValue name = spec.get("externalName");
        if (name == null || name.text().isEmpty()) {
            throw new ManifestException("spec.externalName: Required value");
        }
        String text = name.text().endsWith(".") ? name.text().substring(0, name.text().length() - 1) : name.text();
        String fault = Names.faultOfSubdomain(text);
        if (!fault.isEmpty()) {
            throw name.fault(fault);
        }
        return text;
    }

    private void ingress(List<Address> ips, List<String> hostnames) {
        YamlValue status = service.get("status");
        YamlValue balancer = status == null ? null : status.get("loadBalancer");
        for (YamlValue item : balancer == null ? List.<YamlValue>of() : balancer.items("ingress")) {
            YamlValue ip = item.get("ip");
            if (ip != null && !ip.text().isEmpty()) {
                ips.add(Fields.address(ip));
            }
            if (!item.text("hostname").isEmpty()) {
                hostnames.add(item.text("hostname"));
            }
        }
    }

    private TrafficFact traffic(ServiceType type) {
        List<Address> balancerIps = new ArrayList<>();
        YamlValue status = service.get("status");
        YamlValue balancer = status == null ? null : status.get("loadBalancer");
        for (YamlValue item : balancer == null ? List.<YamlValue>of() : balancer.items("ingress")) {
            YamlValue ip = item.get("ip");
            if (ip != null && !ip.text().isEmpty() && !item.text("ipMode").equals("Proxy")) {
                balancerIps.add(Fields.address(ip));
            }
        }
        TrafficFact.Type kind = switch (type) {
            case NODE_PORT -> TrafficFact.Type.NODE_PORT;
            case LOAD_BALANCER -> TrafficFact.Type.LOAD_BALANCER;
            case CLUSTER_IP, EXTERNAL_NAME -> TrafficFact.Type.CLUSTER_IP;
        };
        return new TrafficFact(
                kind,
                isLocal("internalTrafficPolicy"),
                isLocal("externalTrafficPolicy"),
                affinity(),
                spec.texts("loadBalancerSourceRanges"),
                spec.port("healthCheckNodePort", 0, 0),
                type == ServiceType.LOAD_BALANCER ? balancerIps : List.of(),
                scheduler());
    }

    private String scheduler() {
        YamlValue metadata = service.get("metadata");
        return metadata == null ? "" : metadata.textMap("annotations").getOrDefault(TrafficFact.SCHEDULER, "");
    }

    private boolean isLocal(String field) {
        YamlValue policy = spec.get(field);
        return switch (policy == null ? "" : policy.text()) {
            case "", "Cluster" -> false;
            case "Local" -> true;
            default -> throw spec.fault(field + ": Unsupported value: \"" + spec.text(field) + "\": supported values: \"Cluster\", \"Local\"");
        };
    }

    private int affinity() {
        switch (spec.text("sessionAffinity")) {
            case "", "None" -> {
                return 0;
            }
            case "ClientIP" -> {}
            default -> throw spec.fault("sessionAffinity: Unsupported value: \"" + spec.text("sessionAffinity")
                    + "\": supported values: \"ClientIP\", \"None\"");
        }
        YamlValue config = spec.get("sessionAffinityConfig");
        YamlValue client = config == null ? null : config.get("clientIP");
        YamlValue seconds = client == null ? null : client.get("timeoutSeconds");
        if (seconds == null) {
            return TrafficFact.USUAL_AFFINITY;
        }
        if (!seconds.text().matches("[0-9]{1,5}") || Integer.parseInt(seconds.text()) < 1 || Integer.parseInt(seconds.text()) > MOST_AFFINITY) {
            throw seconds.fault("must be greater than 0 and less than or equal to " + MOST_AFFINITY);
        }
        return Integer.parseInt(seconds.text());
    }

    private List<Port> ports() {
        List<YamlValue> items = spec.items("ports");
        List<Port> ports = new ArrayList<>();
        Set<String> names = new HashSet<>();
        Set<String> pairs = new HashSet<>();
        for (YamlValue item : items) {
            Port port = port(item);
            if (port.name().isEmpty() && items.size() > 1) {
                throw new ManifestException(item.line(), item.path() + ".name: Required value");
            }
            if (!names.add(port.name())) {
                throw new ManifestException(item.line(), item.path() + ".name: Duplicate value: \"" + port.name() + "\"");
            }
            if (!pairs.add(port.protocol() + "/" + port.port())) {
                throw new ManifestException(item.line(), item.path() + ": Duplicate value: " + port.port() + "/" + port.protocol());
            }
            ports.add(port);
        }
        return ports;
    }

    private static Port port(YamlValue item) {
        int number = item.port("port", 1, 0);
        if (number == 0) {
            throw new ManifestException(item.line(), item.path() + ".port: Required value");
        }
        Protocol protocol = Fields.protocol(item.get("protocol"));
        return new Port(Fields.portName(item), protocol, number, target(item, number), item.port("nodePort", 0, 0));
    }

    private static String target(YamlValue item, int number) {
        YamlValue target = item.get("targetPort");
        if (target == null || target.text().isEmpty() || target.text().equals("0")) {
            return Integer.toString(number);
        }
        if (target.text().matches("[0-9]+")) {
            return Integer.toString(item.port("targetPort", 1, 0));
        }
        String fault = Names.faultOfTargetPort(target.text());
        if (!fault.isEmpty()) {
            throw target.fault(fault);
        }
        return target.text();
    }
}
