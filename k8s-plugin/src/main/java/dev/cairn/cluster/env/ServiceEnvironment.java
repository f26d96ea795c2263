package dev.cairn.cluster.env;

import dev.cairn.facts.PortFact;
import dev.cairn.facts.ServiceFact;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The variables that tell the containers of a pod where services are. They are a picture of one moment: services that come later are not in
 * it.
 *
 * @param variables ordered by service, and for each service as the kubelet writes them
 */
public record ServiceEnvironment(SequencedMap<String, String> variables) {
    /** The service of the API server, which every pod is told of. */
    private static final String MASTER_NAMESPACE = "default";

    private static final String MASTER = "kubernetes";

    public ServiceEnvironment {
        variables = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(variables));
    }

    /**
     * What a pod is given.
     *
     * @param namespace the pod's
     * @param enableServiceLinks as in the pod's specification; without it only the service of the API server is told
     * @param services at least those of the pod's namespace and of {@code default}; the others do not matter
     */
    public static ServiceEnvironment ofPod(String namespace, boolean enableServiceLinks, Collection<ServiceFact> services) {
        SequencedMap<String, String> variables = new LinkedHashMap<>();
        visible(namespace, enableServiceLinks, services).values().forEach(service -> add(service, variables));
        return new ServiceEnvironment(variables);
    }

    /** Services by name: a pod's own service of the name {@code kubernetes} hides that of the API server, as it does at the kubelet. */
    private static SortedMap<String, ServiceFact> visible(String namespace, boolean links, Collection<ServiceFact> services) {
        SortedMap<String, ServiceFact> visible = new TreeMap<>();
        for (ServiceFact service : services) {
            if (service.kind() != ServiceFact.Kind.CLUSTER_IP || service.clusterIps().isEmpty()) {
                continue;
            }
            if (service.namespace().equals(MASTER_NAMESPACE) && service.name().equals(MASTER)) {
                visible.putIfAbsent(MASTER, service);
            } else if (links && service.namespace().equals(namespace)) {
                visible.put(service.name(), service);
            }
        }
        return visible;
    }

    private static void add(ServiceFact service, SequencedMap<String, String> variables) {
        String prefix = variable(service.name());
        String host = service.clusterIps().getFirst().toString();
        variables.put(prefix + "_SERVICE_HOST", host);
        if (service.ports().isEmpty()) {
            return;
        }
        String port = prefix + "_SERVICE_PORT";
        variables.put(port, Integer.toString(service.ports().getFirst().port()));
        for (PortFact each : service.ports()) {
            if (!each.name().isEmpty()) {
                variables.put(port + "_" + variable(each.name()), Integer.toString(each.port()));
            }
        }
        String authority = service.clusterIps().getFirst().isIpv4() ? host : "[" + host + "]";
        variables.put(prefix + "_PORT", url(service.ports().getFirst(), authority));
        service.ports().forEach(each -> addLink(prefix, each, host, authority, variables));
    }

    /** The family that Docker's links had. */
    private static void addLink(String service, PortFact port, String host, String authority, SequencedMap<String, String> variables) {
        String prefix = service + "_PORT_" + port.port() + "_" + port.protocol().name();
        variables.put(prefix, url(port, authority));
        variables.put(prefix + "_PROTO", port.protocol().label());
        variables.put(prefix + "_PORT", Integer.toString(port.port()));
        variables.put(prefix + "_ADDR", host);
    }

    private static String url(PortFact port, String authority) {
        return port.protocol().label() + "://" + authority + ":" + port.port();
    }

    private static String variable(String name) {
        return name.toUpperCase(Locale.ROOT).replace('-', '_');
    }

    /** The variables as {@code NAME=value}. */
    public List<String> lines() {
        return variables.entrySet().stream().map(variable -> variable.getKey() + "=" + variable.getValue()).toList();
    }
}
