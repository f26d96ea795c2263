package dev.cairn.cluster.api;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.cairn.cluster.WatchScope;
import dev.cairn.facts.EndpointHints;
import dev.cairn.facts.EndpointPacker;
import dev.cairn.facts.Fact;
import dev.cairn.facts.Interner;
import dev.cairn.facts.PortFact;
import dev.cairn.facts.Resource;
import dev.cairn.facts.SliceFact;
import dev.cairn.wire.WireName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads endpoint slices: this cluster's own, and those of imported services if they are wanted. */
final class SliceDecoder extends ObjectDecoder {
    static final String IMPORTED_SERVICE = "multicluster.kubernetes.io/service-name";

    private static final byte[] NOTHING = {};
    private static final String SERVICE = "kubernetes.io/service-name";
    private static final String SOURCE_CLUSTER = "multicluster.kubernetes.io/source-cluster";
    private static final String TRIGGER_TIME = "endpoints.kubernetes.io/last-change-trigger-time";

    private final WatchScope scope;
    /** Whether slices must be selected here, because the server could not. */
    private final boolean selects;

    private final Map<String, String> labels = new HashMap<>();
    private final List<PortFact> ports = new ArrayList<>();
    private final EndpointPacker endpoints = new EndpointPacker();
    private String addressType = "";
    private String service = "";
    private String importedService = "";
    private String sourceCluster = "";
    private String triggerTime = "";

    private String targetKind = "";
    private final List<String> zoneHints = new ArrayList<>();
    private final List<String> nodeHints = new ArrayList<>();

    private final Proto.Field endpoint = this::endpointField;
    private final Proto.Field condition = this::condition;
    private final Proto.Field target = this::targetRef;
    private final Proto.Taker address = this::address;
    private final Proto.Taker hostname = endpoints::hostname;
    private final Proto.Taker podName = endpoints::podName;

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
        clearEndpoint();
        addressType = "";
        service = "";
        importedService = "";
        sourceCluster = "";
        triggerTime = "";
    }

    @Override
    boolean wants(String key) {
        return selects || key.equals(SERVICE) || key.equals(IMPORTED_SERVICE) || key.equals(SOURCE_CLUSTER);
    }

    @Override
    boolean wantsAnnotation(String key) {
        return key.equals(TRIGGER_TIME);
    }

    @Override
    void label(String key, String value) {
        switch (key) {
            case SERVICE -> service = value;
            case IMPORTED_SERVICE -> importedService = value;
            case SOURCE_CLUSTER -> sourceCluster = interner.of(value);
            case TRIGGER_TIME -> triggerTime = value;
            default -> {}
        }
        if (selects && !key.equals(TRIGGER_TIME)) {
            labels.put(key, value);
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

    /** The type of the addresses comes after them, but has to be known before. */
    @Override
    void look(int field, Proto proto) {
        if (field == 4) {
            addressType = proto.repeatedText(interner);
        }
    }

    @Override
    void part(int field, Proto proto) throws IOException {
        switch (field) {
            case 2 -> {
                proto.message(endpoint);
                endEndpoint();
            }
            case 3 -> port(ports, proto);
            default -> {}
        }
    }

    private void endpointField(int field, Proto proto) throws IOException {
        switch (field) {
            case 1 -> proto.value(address);
            case 2 -> proto.message(condition);
            case 3 -> proto.value(hostname);
            case 4 -> proto.message(target);
            case 6 -> {
                if (scope.traffic()) {
                    endpoints.nodeName(proto.repeatedText(interner));
                }
            }
            case 7 -> endpoints.zone(proto.repeatedText(interner));
            case 8 -> {
                if (scope.traffic()) {
                    proto.message((part, hints) -> hints.message((_, name) -> hint(part == 1, name.text())));
                }
            }
            default -> {}
        }
    }

    private void condition(int field, Proto proto) {
        switch (field) {
            case 1 -> endpoints.ready(proto.number() != 0);
            case 2 -> serving(proto.number() != 0);
            case 3 -> terminating(proto.number() != 0);
            default -> {}
        }
    }

    private void serving(boolean is) {
        endpoints.serving(is || !scope.traffic());
    }

    private void terminating(boolean is) {
        endpoints.terminating(is && scope.traffic());
    }

    private void targetRef(int field, Proto proto) {
        switch (field) {
            case 1 -> targetKind = proto.repeatedText(interner);
            case 3 -> proto.value(podName);
            default -> {}
        }
    }

    private void endpoint(JsonParser json) throws IOException {
        Json.object(json, this::endpointField);
        endEndpoint();
    }

    private void endEndpoint() {
        if (!targetKind.isEmpty() && !targetKind.equals("Pod")) {
            endpoints.podName(NOTHING, 0, 0);
        }
        if (!zoneHints.isEmpty() || !nodeHints.isEmpty()) {
            endpoints.hints(new EndpointHints(zoneHints, nodeHints));
        }
        endpoints.end();
        clearEndpoint();
    }

    private void clearEndpoint() {
        targetKind = "";
        zoneHints.clear();
        nodeHints.clear();
    }

    private void endpointField(String field, JsonParser json) throws IOException {
        switch (field) {
            case "addresses" -> Json.array(json, address -> value(address, this::address));
            case "conditions" -> Json.object(json, this::condition);
            case "hostname" -> value(json, endpoints::hostname);
            case "targetRef" -> Json.object(json, this::targetRef);
            case "nodeName" -> {
                if (scope.traffic()) {
                    endpoints.nodeName(interner.of(Json.text(json)));
                } else {
                    json.skipChildren();
                }
            }
            case "zone" -> endpoints.zone(interner.of(Json.text(json)));
            case "hints" -> hints(json);
            default -> json.skipChildren();
        }
    }

    private static void value(JsonParser json, Proto.Taker taker) throws IOException {
        byte[] text = Json.text(json).getBytes(StandardCharsets.UTF_8);
        taker.take(text, 0, text.length);
    }

    /**
     * Names list all addresses of an endpoint; kube-proxy takes the first. A slice of host names (address type FQDN) is proper, but has no addresses to
     * answer with.
     */
    private void address(byte[] text, int from, int to) {
        boolean wanted = !addressType.equals("FQDN") && (scope.names() || !endpoints.hasAddress());
        if (wanted && !endpoints.address(text, from, to)) {
            complainOfAddress(new String(text, from, to - from, StandardCharsets.UTF_8));
        }
    }

    private void condition(String field, JsonParser json) throws IOException {
        switch (field) {
            case "ready" -> endpoints.ready(json.currentToken() != JsonToken.VALUE_FALSE);
            case "serving" -> serving(json.currentToken() != JsonToken.VALUE_FALSE);
            case "terminating" -> terminating(json.currentToken() == JsonToken.VALUE_TRUE);
            default -> {}
        }
        json.skipChildren();
    }

    private void hints(JsonParser json) throws IOException {
        if (!scope.traffic()) {
            json.skipChildren();
            return;
        }
        Json.object(json, (field, list) -> Json.array(list, item -> Json.object(item, (part, value) -> {
            if (part.equals("name")) {
                hint(field.equals("forZones"), Json.text(value));
            } else {
                value.skipChildren();
            }
        })));
    }

    private void hint(boolean zoneHint, String name) {
        (zoneHint ? zoneHints : nodeHints).add(interner.of(name));
    }

    private void targetRef(String field, JsonParser json) throws IOException {
        switch (field) {
            case "kind" -> targetKind = Json.text(json);
            case "name" -> value(json, endpoints::podName);
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
            if (WireName.orNull(sourceCluster) == null) {
                complain("label " + SOURCE_CLUSTER + " \"" + sourceCluster + "\" cannot be a part of a name");
                return null;
            }
            return isLabel("label " + IMPORTED_SERVICE, importedService) ? fact(importedService, sourceCluster) : null;
        }
        boolean wanted = scope.slices() && !service.isEmpty() && (!selects || scope.objects().matches(labels));
        // A label may be what no service can be called: a..b, web., Web.
        return wanted && isLabel("label " + SERVICE, service) ? fact(service, "") : null;
    }

    private Fact fact(String name, String cluster) {
        return new SliceFact(namespace(), name(), interner.of(name), cluster, ports, endpoints.list(), triggerMillis());
    }

    private long triggerMillis() {
        if (triggerTime.isEmpty()) {
            return 0;
        }
        try {
            return Rfc3339.millis(triggerTime);
        } catch (DateTimeException _) {
            complain("annotation " + TRIGGER_TIME + " \"" + triggerTime + "\" is not a time");
            return 0;
        }
    }
}
