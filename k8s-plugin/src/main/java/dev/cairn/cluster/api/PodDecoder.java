package dev.cairn.cluster.api;

import com.fasterxml.jackson.core.JsonParser;
import dev.cairn.cluster.WatchScope;
import dev.cairn.facts.Address;
import dev.cairn.facts.Fact;
import dev.cairn.facts.Interner;
import dev.cairn.facts.PodDns;
import dev.cairn.facts.PodFact;
import dev.cairn.facts.Resource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads pods: all their addresses, of both families, and if they are wanted their labels and DNS settings. A pod without an address yet is no
 * fact.
 */
final class PodDecoder extends ObjectDecoder {
    private final List<Address> addresses = new ArrayList<>();
    private final Map<String, String> labels = new HashMap<>();
    private final WatchScope scope;
    private final List<String> nameservers = new ArrayList<>();
    private final List<String> searches = new ArrayList<>();
    private final List<String> options = new ArrayList<>();
    private String policy = "";
    private String option = "";
    private String optionValue = "";
    private String first = "";
    private String host = "";

    private final Proto.Field status = this::status;
    private final Proto.Field spec = this::spec;
    private final Proto.Field ip = this::ip;

    PodDecoder(WatchScope scope, Known known, Interner interner, Complaints complaints) {
        super(Resource.PODS, known, interner, complaints);
        this.scope = scope;
    }

    @Override
    void clear() {
        addresses.clear();
        labels.clear();
        nameservers.clear();
        searches.clear();
        options.clear();
        policy = "";
        first = "";
        host = "";
    }

    @Override
    boolean wants(String key) {
        return scope.podLabels();
    }

    @Override
    boolean wantsAnnotation(String key) {
        return false;
    }

    @Override
    void label(String key, String value) {
        labels.put(interner.of(key), interner.of(value));
    }

    @Override
    void part(String field, JsonParser json) throws IOException {
        if (field.equals("status")) {
            Json.object(json, this::status);
        } else if (field.equals("spec") && scope.podDns()) {
            Json.object(json, this::spec);
        } else {
            json.skipChildren();
        }
    }

    @Override
    void part(int field, Proto proto) throws IOException {
        if (field == 3) {
            proto.message(status);
        } else if (field == 2 && scope.podDns()) {
            proto.message(spec);
        }
    }

    private void spec(int field, Proto proto) throws IOException {
        switch (field) {
            case 6 -> policy = proto.text();
            case 26 -> proto.message(this::dns);
            default -> {}
        }
    }

    private void dns(int field, Proto proto) throws IOException {
        switch (field) {
            case 1 -> nameservers.add(proto.text());
            case 2 -> searches.add(proto.text());
            case 3 -> {
                beginOption();
                proto.message(this::option);
                endOption();
            }
            default -> {}
        }
    }

    private void option(int field, Proto proto) {
        switch (field) {
            case 1 -> option = proto.text();
            case 2 -> optionValue = proto.text();
            default -> {}
        }
    }

    private void beginOption() {
        option = "";
        optionValue = "";
    }

    private void endOption() {
        if (!option.isEmpty()) {
            options.add(optionValue.isEmpty() ? option : option + ":" + optionValue);
        }
    }

    private void spec(String field, JsonParser json) throws IOException {
        switch (field) {
            case "dnsPolicy" -> policy = Json.text(json);
            case "dnsConfig" -> Json.object(json, this::dns);
            default -> json.skipChildren();
        }
    }

    private void dns(String field, JsonParser json) throws IOException {
        switch (field) {
            case "nameservers" -> Json.array(json, one -> nameservers.add(Json.text(one)));
            case "searches" -> Json.array(json, one -> searches.add(Json.text(one)));
            case "options" -> Json.array(json, one -> {
                beginOption();
                Json.object(one, this::option);
                endOption();
            });
            default -> json.skipChildren();
        }
    }

    private void option(String field, JsonParser json) throws IOException {
        switch (field) {
            case "name" -> option = Json.text(json);
            case "value" -> optionValue = Json.text(json);
            default -> json.skipChildren();
        }
    }

    private void status(int field, Proto proto) throws IOException {
        switch (field) {
            case 5 -> host = proto.text();
            case 6 -> first = proto.text();
            case 12 -> proto.message(ip);
            default -> {}
        }
    }

    private void ip(int field, Proto proto) {
        if (field == 1) {
            address(addresses, proto.text());
        }
    }

    private void status(String field, JsonParser json) throws IOException {
        switch (field) {
            case "podIP" -> first = Json.text(json);
            case "hostIP" -> host = Json.text(json);
            case "podIPs" -> Json.array(json, ip -> Json.object(ip, this::ip));
            default -> json.skipChildren();
        }
    }

    private void ip(String field, JsonParser json) throws IOException {
        if (field.equals("ip")) {
            address(addresses, Json.text(json));
        } else {
            json.skipChildren();
        }
    }

    @Override
    @Nullable Fact fact() {
        if (addresses.isEmpty() && !first.isEmpty()) {
            address(addresses, first);
        }
        return addresses.isEmpty() ? null : new PodFact(namespace(), name(), addresses, labels, isOnHost(), dnsSettings());
    }

    private @Nullable PodDns dnsSettings() {
        if (!scope.podDns()) {
            return null;
        }
        PodDns settings = new PodDns(policy.isEmpty() ? PodDns.CLUSTER_FIRST.policy() : policy, nameservers, searches, options);
        return settings.equals(PodDns.CLUSTER_FIRST) ? PodDns.CLUSTER_FIRST : settings;
    }

    /** Told by the address, so that the specification, the largest part of a pod, need not be read. */
    private boolean isOnHost() {
        Address node = host.isEmpty() ? null : Address.parse(host);
        return node != null && addresses.contains(node);
    }
}
