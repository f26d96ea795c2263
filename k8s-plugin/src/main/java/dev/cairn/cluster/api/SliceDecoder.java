package dev.cairn.cluster.api;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.cairn.cluster.WatchScope;
import dev.cairn.facts.Address;
import dev.cairn.facts.EndpointFact;
import dev.cairn.facts.Fact;
import dev.cairn.facts.Interner;
import dev.cairn.facts.PortFact;
import dev.cairn.facts.Resource;
import dev.cairn.facts.SliceFact;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads endpoint slices: this cluster's own, and those of imported services if they are wanted. */
final class SliceDecoder extends ObjectDecoder {
    static final String IMPORTED_SERVICE = "multicluster.kubernetes.io/service-name";

    private static final String SERVICE = "kubernetes.io/service-name";
    private static final String SOURCE_CLUSTER = "multicluster.kubernetes.io/source-cluster";
    private static final String TRIGGER_TIME = "endpoints.kubernetes.io/last-change-trigger-time";

    private final WatchScope scope;
    /** Whether slices must be selected here, because the server could not. */
    private final boolean selects;

    private final Map<String, String> labels = new HashMap<>();
    private final List<PortFact> ports = new ArrayList<>();
    private final List<EndpointFact> endpoints = new ArrayList<>();
    private String addressType = "";
    private String service = "";
    private String importedService = "";
    private String sourceCluster = "";
    private String triggerTime = "";

    private final List<Address> addresses = new ArrayList<>();
    private String hostname = "";
    private String podName = "";
    private String targetKind = "";
    private String nodeName = "";
    private String zone = "";
    private boolean ready;

    SliceDecoder(WatchScope scope, Known known, Interner interner, Complaints complaints) {
        super(Resource.SLICES, known, interner, complaints);
        this.scope = scope;
        selects = scope.slices() && scope.imports() && !scope.objects().requirements().isEmpty();
    }

    @Override
    void clear() {
        labels.clear();
        ports.clear();
        endpoints.clear();
        addressType = "";
        service = "";
        importedService = "";
        sourceCluster = "";
        triggerTime = "";
    }

    @Override
    void label(String key, JsonParser json) throws IOException {
        switch (key) {
            case SERVICE -> service = Json.text(json);
            case IMPORTED_SERVICE -> importedService = Json.text(json);
            case SOURCE_CLUSTER -> sourceCluster = interner.of(Json.text(json));
            default -> {
                if (!selects) {
                    json.skipChildren();
                    return;
                }
            }
        }
        if (selects) {
            labels.put(key, Json.text(json));
        }
    }

    @Override
    void annotated(String key, JsonParser json) throws IOException {
        if (key.equals(TRIGGER_TIME)) {
            triggerTime = Json.text(json);
        } else {
            json.skipChildren();
        }
    }

    @Override
    void part(String field, JsonParser json) throws IOException {
        switch (field) {
            case "addressType" -> addressType = Json.text(json);
            case "ports" -> Json.array(json, port -> port(ports, port));
            case "endpoints" -> Json.array(json, this::endpoint);
            default -> json.skipChildren();
        }
    }

    private void endpoint(JsonParser json) throws IOException {
        addresses.clear();
        hostname = "";
        podName = "";
        targetKind = "";
        nodeName = "";
        zone = "";
        ready = true;   // discovery.k8s.io/v1: an absent condition is to be taken for ready
        Json.object(json, this::endpointField);
        String pod = targetKind.isEmpty() || targetKind.equals("Pod") ? podName : "";
        String host = hostname.equals(pod) ? pod : hostname;   // as in a StatefulSet; one string will do
        for (Address address : addresses) {
            endpoints.add(new EndpointFact(address, ready, host, pod, nodeName, zone));
        }
    }

    private void endpointField(String field, JsonParser json) throws IOException {
        switch (field) {
            case "addresses" -> Json.array(json, this::endpointAddress);
            case "conditions" -> Json.object(json, this::condition);
            case "hostname" -> hostname = Json.text(json);
            case "targetRef" -> Json.object(json, this::targetRef);
            case "nodeName" -> nodeName = interner.of(Json.text(json));
            case "zone" -> zone = interner.of(Json.text(json));
            default -> json.skipChildren();
        }
    }

    /** A slice of host names (address type FQDN) is proper, but has no addresses to answer with. */
    private void endpointAddress(JsonParser json) throws IOException {
        if (addressType.equals("FQDN")) {
            json.skipChildren();
        } else {
            address(addresses, Json.text(json));
        }
    }

    private void condition(String field, JsonParser json) throws IOException {
        if (field.equals("ready")) {
            ready = json.currentToken() != JsonToken.VALUE_FALSE;
        }
        json.skipChildren();
    }

    private void targetRef(String field, JsonParser json) throws IOException {
        switch (field) {
            case "kind" -> targetKind = Json.text(json);
            case "name" -> podName = Json.text(json);
            default -> json.skipChildren();
        }
    }

    @Override
    @Nullable Fact fact() {
        if (scope.imports() && !importedService.isEmpty()) {
            if (sourceCluster.isEmpty()) {
                complain("an imported slice needs the label " + SOURCE_CLUSTER);
                return null;
            }
            return fact(importedService, sourceCluster);
        }
        boolean wanted = scope.slices() && !service.isEmpty() && (!selects || scope.objects().matches(labels));
        return wanted ? fact(service, "") : null;
    }

    private Fact fact(String name, String cluster) {
        return new SliceFact(namespace(), name(), interner.of(name), cluster, ports, endpoints, triggerMillis());
    }

    private long triggerMillis() {
        if (triggerTime.isEmpty()) {
            return 0;
        }
        try {
            return OffsetDateTime.parse(triggerTime).toInstant().toEpochMilli();
        } catch (DateTimeException _) {
            complain("annotation " + TRIGGER_TIME + " \"" + triggerTime + "\" is not a time");
            return 0;
        }
    }
}
