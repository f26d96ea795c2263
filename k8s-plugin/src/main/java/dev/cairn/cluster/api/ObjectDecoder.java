package dev.cairn.cluster.api;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.cairn.cluster.Names;
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
 * Reads one object after the other, from protobuf or JSON, and keeps the last one's fields until the next. What is not needed (managed fields, most
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
    private String key = "";
    private int code;
    private boolean terminating;
    private boolean endsInitialEvents;
    private boolean unchanged;

    // Made once: a reader that is made for each field costs more than reading it, until the second compiler sees that it is not needed.
    private final Proto.Field looks = this::look;
    private final Proto.Field fields = this::field;
    private final Proto.Field metadata = this::metadata;
    private final Proto.Field label = this::label;
    private final Proto.Field annotation = this::annotation;
    private final PortFields port = new PortFields();
    private final Proto.Field portFields = port::read;

    ObjectDecoder(Resource resource, Known known, Interner interner, Complaints complaints) {
        this.resource = resource;
        this.known = known;
        this.interner = interner;
        this.complaints = complaints;
    }

    /** Reads the object that begins at the current token. Of one that is known in this version, little is read. */
    final void read(JsonParser json) throws IOException {
        reset();
        Json.object(json, this::field);
    }

    /** Reads the object that is the given message. Numbers of fields are those of {@code generated.proto} in k8s.io/api. */
    final void read(Proto proto) throws IOException {
        reset();
        proto.peek(looks);
        proto.fields(fields);
    }

    /** Reads the {@code Status} that is the given message. */
    final void readStatus(Proto proto) throws IOException {
        reset();
        proto.fields((field, status) -> {
            switch (field) {
                case 3 -> message = status.text();
                case 6 -> code = status.number();
                default -> {}
            }
        });
    }

    private void reset() {
        namespace = "";
        name = "";
        version = "";
        message = "";
        code = 0;
        terminating = false;
        endsInitialEvents = false;
        unchanged = false;
        clear();
    }

    private void field(String field, JsonParser json) throws IOException {
        switch (field) {
            case "metadata" -> {
                Json.object(json, this::metadata);
                compare();
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

    private void label(String key, JsonParser json) throws IOException {
        if (wants(key)) {
            label(key, Json.text(json));
        } else {
            json.skipChildren();
        }
    }

    private void annotation(String key, JsonParser json) throws IOException {
        if (key.equals(INITIAL_EVENTS_END)) {
            endsInitialEvents = Json.text(json).equals("true");
        } else if (wantsAnnotation(key)) {
            label(key, Json.text(json));
        } else {
            json.skipChildren();
        }
    }

    private void compare() {
        unchanged = !name.isEmpty() && known.isCurrent(namespace(), name, version);
    }

    private void field(int field, Proto proto) throws IOException {
        if (field == 1) {
            proto.message(metadata);
            compare();
        } else if (!unchanged) {
            part(field, proto);
        }
    }

    private void metadata(int field, Proto proto) throws IOException {
        switch (field) {
            case 1 -> name = proto.text();
            case 3 -> namespace = proto.repeatedText(interner);
            case 6 -> version = proto.text();
            case 9 -> terminating = true;
            case 11 -> {   // a label
                key = "";
                proto.message(label);
            }
            case 12 -> {
                key = "";
                proto.message(annotation);
            }
            default -> {}
        }
    }

    private void label(int field, Proto proto) {
        if (field == 1) {
            key = proto.repeatedText(interner);
        } else if (field == 2 && wants(key)) {
            label(key, proto.text());
        }
    }

    private void annotation(int field, Proto proto) {
        if (field == 1) {
            key = proto.repeatedText(interner);
        } else if (field == 2 && key.equals(INITIAL_EVENTS_END)) {
            endsInitialEvents = proto.text().equals("true");
        } else if (field == 2 && wantsAnnotation(key)) {
            label(key, proto.text());
        }
    }

    /** Forgets the last object's fields. */
    abstract void clear();

    /** Reads a field of the object other than its metadata. */
    abstract void part(String field, JsonParser json) throws IOException;

    /** Reads a field of the object other than its metadata. */
    abstract void part(int field, Proto proto) throws IOException;

    /** Has a look at a field before the first is read. */
    void look(int field, Proto proto) {}

    /** Whether a label is wanted. */
    boolean wants(String key) {
        return false;
    }

    /** Whether an annotation is wanted. */
    boolean wantsAnnotation(String key) {
        return wants(key);
    }

    /** Takes a label or an annotation that is wanted. */
    void label(String key, String value) {}

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

    /** Whether a text can be the name of a service or a namespace; one that cannot is named in the log. */
    final boolean isLabel(String what, String text) {
        if (Names.isLabel(text)) {
            return true;
        }
        complain(what + " \"" + text + "\" is not a name that a service can have: " + Names.faultOfLabel(text));
        return false;
    }

    /** How often something was wrong with objects of this kind. */
    final long complaints() {
        return complaints.count(resource);
    }

    /** Adds an address; one that is none is named in the log. */
    final void address(List<Address> addresses, String text) {
        Address address = text.isEmpty() ? null : Address.parse(text);
        if (address != null) {
            addresses.add(address);
        } else {
            complainOfAddress(text);
        }
    }

    final void complainOfAddress(String text) {
        complain("\"" + text + "\" is not an IP address");
    }

    /** Adds the port of a service, a slice or an import. A slice's port without a number means all ports, of which no name can tell. */
    final void port(List<PortFact> ports, JsonParser json) throws IOException {
        port.clear();
        Json.object(json, port::read);
        addPort(ports);
    }

    /** The same of a service ({@code nodePort} is its field 5) or a slice, whose other fields have the same numbers. */
    final void port(List<PortFact> ports, Proto proto) throws IOException {
        port.clear();
        proto.message(portFields);
        addPort(ports);
    }

    private void addPort(List<PortFact> ports) {
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
            ports.add(new PortFact(port.name, protocol, port.number, port.node));
        }
    }

    /** Those of the last port that was read. */
    private final class PortFields {
        private String name = "";
        private String protocol = "";
        private int number;
        private int node;

        void clear() {
            name = "";
            protocol = "";
            number = 0;
            node = 0;
        }

        void read(int field, Proto proto) {
            switch (field) {
                case 1 -> name = proto.repeatedText(interner);
                case 2 -> protocol = proto.repeatedText(interner);
                case 3 -> number = proto.number();
                case 5 -> node = proto.number();
                default -> {}
            }
        }

        void read(String field, JsonParser json) throws IOException {
            switch (field) {
                case "name" -> name = interner.of(Json.text(json));
                case "protocol" -> protocol = Json.text(json);
                case "port" -> number = Json.number(json);
                case "nodePort" -> node = Json.number(json);
                default -> json.skipChildren();
            }
        }
    }
}
