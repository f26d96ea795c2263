package dev.cairn.cluster.control;

import dev.cairn.facts.Address;
import dev.cairn.facts.EndpointFact;
import dev.cairn.facts.PodDns;
import dev.cairn.facts.PortFact;
import dev.cairn.facts.Protocol;
import dev.cairn.facts.TrafficFact;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An object as a manifest gives it: well formed, but nothing is known yet of how it fits with others. */
public sealed interface ClusterObject {
    Meta meta();

    /** Who an object is. Of objects outside namespaces, {@code namespace} is empty. */
    record Meta(Origin origin, String namespace, String name, Map<String, String> labels) {
        public Meta {
            labels = Map.copyOf(labels);
        }

        /** The name for messages and maps. */
        public String key() {
            return namespace.isEmpty() ? name : namespace + "/" + name;
        }
    }

    /** A Namespace. */
    record NamespaceObject(Meta meta) implements ClusterObject {}

    /** A Node. */
    record NodeObject(Meta meta, String zone, List<Address> addresses, List<String> podRanges, boolean leaving) implements ClusterObject {}

    /** A ServiceCIDR. */
    record RangeObject(Meta meta, List<String> ranges) implements ClusterObject {}

    /** A ServiceImport. */
    record ImportObject(Meta meta, boolean headless, List<Address> ips, List<PortFact> ports) implements ClusterObject {}

    /**
     * A Service.
     *
     * @param clusterIps what it chose, as written: none, addresses, or {@code None}
     * @param policy {@code ipFamilyPolicy}; null if not given
     * @param externalName without a last dot
     * @param nodePorts whether ports without a node port get one, given a type that has them
     * @param traffic what concerns the proxy
     * @param loadBalancerIp the address it asks its load balancer for; null if it does not
     */
    record ServiceObject(
            Meta meta,
            ServiceType type,
            List<String> clusterIps,
            List<IpFamily> families,
            @Nullable FamilyPolicy policy,
            Map<String, String> selector,
            List<Port> ports,
            String externalName,
            List<Address> externalIps,
            boolean publishNotReady,
            boolean nodePorts,
            @Nullable Address loadBalancerIp,
            List<Address> ingressIps,
            List<String> ingressHostnames,
            TrafficFact traffic)
            implements ClusterObject {
        public boolean isHeadless() {
            return type != ServiceType.EXTERNAL_NAME && !clusterIps.isEmpty() && clusterIps.getFirst().equals("None");
        }

        public boolean hasNodePorts() {
            return type == ServiceType.NODE_PORT || type == ServiceType.LOAD_BALANCER;
        }
    }

    /** The types of services. */
    enum ServiceType {
        CLUSTER_IP,
        NODE_PORT,
        LOAD_BALANCER,
        EXTERNAL_NAME
    }

    /** How many families a service wants. */
    enum FamilyPolicy {
        SINGLE,
        PREFER_DUAL,
        REQUIRE_DUAL
    }

    /**
     * A port of a service.
     *
     * @param target the number or the name of the pods' port
     * @param nodePort 0 if it chose none
     */
    record Port(String name, Protocol protocol, int port, String target, int nodePort) {}

    /**
     * A Pod.
     *
     * @param phase empty if its status tells none
     * @param onHostNetwork whether its addresses are its node's
     * @param dns how it asks for names
     * @param ports those of its containers that have a name
     */
    record PodObject(
            Meta meta,
            List<Address> addresses,
            String phase,
            boolean ready,
            boolean terminating,
            String hostname,
            String subdomain,
            String nodeName,
            boolean onHostNetwork,
            PodDns dns,
            List<ContainerPort> ports)
            implements ClusterObject {
        public boolean hasEnded() {
            return phase.equals("Succeeded") || phase.equals("Failed");
        }
    }

    /** A named port of a container. */
    record ContainerPort(String name, Protocol protocol, int port) {}

    /**
     * An EndpointSlice, or what an Endpoints object is mirrored to.
     *
     * @param service the service of this cluster that it belongs to; empty if it belongs to none
     * @param imported the imported service that it belongs to; empty if it belongs to none
     */
    record SliceObject(
            Meta meta,
            boolean mirrored,
            String service,
            String imported,
            String clusterId,
            List<PortFact> ports,
            List<EndpointFact> endpoints,
            long triggerMillis)
            implements ClusterObject {
        /** The name of the {@code count}th slice, from 1, that is made for a service. */
        public static String nameOf(String service, IpFamily family, int count) {
            return service + "-cairn-" + family.label() + (count == 1 ? "" : "-" + count);
        }
    }
}
