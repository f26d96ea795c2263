package dev.cairn.cluster.api;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.cairn.facts.Address;
import dev.cairn.facts.Fact;
import dev.cairn.facts.Interner;
import dev.cairn.facts.PortFact;
import dev.cairn.facts.Protocol;
import dev.cairn.facts.Resource;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads one object after the other from JSON and keeps the last one's fields until the next. What is not needed (managed fields, most
 * annotations, owner references, pod specs) is skipped without becoming an object. Owned by one reflector thread.
 */
abstract class ObjectDecoder {
    private static final String INITIAL_EVENTS_END = "k8s.io/initial-events-end";

    final Interner interner;
    final Complaints complaints;

    private final Known known;
    private final Resource resource;
    private String namespace = "";
    private String name = "";
    private String version = "";
    private String message = "";
    private int code;
    private boolean terminating;
    private boolean endsInitialEvents;
    private boolean unchanged;

    ObjectDecoder(Resource resource, Known known, Interner interner, Complaints complaints) {
        this.resource = resource;
        this.known = known;
        this.interner = interner;
        this.complaints = complaints;
    }

    /** Reads the object that begins at the current token. Of one that is known in this version, little is read. */
    final void read(JsonParser json) throws IOException {
        namespace = "";
        name = "";
        version = "";
        message = "";
        code = 0;
        terminating = false;
        endsInitialEvents = false;
        unchanged = false;
        clear();
        Json.object(json, this::field);
    }

    private void field(String field, JsonParser json) throws IOException {
        switch (field) {
            case "metadata" -> {
                Json.object(json, this::metadata);
                unchanged = !name.isEmpty() && known.isCurrent(namespace(), name, version);
            }
            case "code" -> code = Json.number(json);
            case "message" -> message = Json.text(json);
            default -> {
                if (unchanged) {
                    json.skipChildren();
                } else {
                    part(field, json);
                }
            }
        }
    }

    private void metadata(String field, JsonParser json) throws IOException {
        switch (field) {
            case "name" -> name = Json.text(json);
            case "namespace" -> namespace = interner.of(Json.text(json));
            case "resourceVersion" -> version = Json.text(json);
            case "deletionTimestamp" -> terminating = json.currentToken() == JsonToken.VALUE_STRING;
            case "labels" -> Json.object(json, this::label);
            case "annotations" -> Json.object(json, this::annotation);
            default -> json.skipChildren();
        }
    }

    private void annotation(String key, JsonParser json) throws IOException {
        if (key.equals(INITIAL_EVENTS_END)) {
            endsInitialEvents = Json.text(json).equals("true");
        } else {
            annotated(key, json);
        }
    }

    /** Forgets the last object's fields. */
    abstract void clear();

    /** Reads a field of the object other than its metadata. */
    abstract void part(String field, JsonParser json) throws IOException;

    /** Reads or skips a label. */
    void label(String key, JsonParser json) throws IOException {
        json.skipChildren();
    }

    /** Reads or skips an annotation. */
    void annotated(String key, JsonParser json) throws IOException {
        json.skipChildren();
    }

    /** What the object says; null if nothing that is wanted. */
    abstract @Nullable Fact fact();

    /** The namespace that facts of this kind have. */
    String namespace() {
        return namespace;
    }

    final String name() {
        return name;
    }

    final String version() {
        return version;
    }

    final boolean isTerminating() {
        return terminating;
    }

    /** Whether the object was told in this version before; there is no fact then. */
    final boolean isUnchanged() {
        return unchanged;
    }

    /** Of a bookmark, whether it ends the events that stand for a list. */
    final boolean endsInitialEvents() {
        return endsInitialEvents;
    }

    /** Of a Status object, its code. */
    final int code() {
        return code;
    }

    /** Of a Status object, its message. */
    final String message() {
        return message;
    }

    final void complain(String why) {
        complaints.about(resource, namespace(), name, why);
    }

    /** Adds an address; one that is none is named in the log. */
    final void address(List<Address> addresses, String text) {
        Address address = text.isEmpty() ? null : Address.parse(text);
        if (address != null) {
            addresses.add(address);
        } else {
            complain("\"" + text + "\" is not an IP address");
        }
    }

    /** Adds the port of a service, a slice or an import. A slice's port without a number means all ports, of which no name can tell. */
    final void port(List<PortFact> ports, JsonParser json) throws IOException {
        PortFields port = new PortFields();
        Json.object(json, port::read);
        if (port.number == 0) {
            return;
        }
        Protocol protocol = switch (port.protocol) {
            case "", "TCP" -> Protocol.TCP;
            case "UDP" -> Protocol.UDP;
            case "SCTP" -> Protocol.SCTP;
            default -> null;
        };
        if (protocol == null) {
            complain("protocol \"" + port.protocol + "\" of a port is unknown");
        } else if (port.number < 0 || port.number > 0xffff || port.node < 0 || port.node > 0xffff) {
            complain("port " + port.number + " with node port " + port.node + " is out of range");
        } else {
            ports.add(new PortFact(interner.of(port.name), protocol, port.number, port.node));
        }
    }

    private static final class PortFields {
        private String name = "";
        private String protocol = "";
        private int number;
        private int node;

        void read(String field, JsonParser json) throws IOException {
            switch (field) {
                case "name" -> name = Json.text(json);
                case "protocol" -> protocol = Json.text(json);
                case "port" -> number = Json.number(json);
                case "nodePort" -> node = Json.number(json);
                default -> json.skipChildren();
            }
        }
    }
}
