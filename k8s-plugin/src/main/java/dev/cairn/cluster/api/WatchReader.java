package dev.cairn.cluster.api;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;

/** Reads events of a watch; the object of the last one is in the decoder. */
final class WatchReader {
    static final String ERROR = "ERROR";

    private final ObjectDecoder decoder;
    private String type = "";

    WatchReader(ObjectDecoder decoder) {
        this.decoder = decoder;
    }

    /** Reads the event that begins at the current token; its type. */
    String read(JsonParser json) throws IOException {
        type = "";
        Json.object(json, this::field);
        return type;
    }

    private void field(String field, JsonParser json) throws IOException {
        switch (field) {
            case "type" -> type = Json.text(json);
            case "object" -> decoder.read(json);
            default -> json.skipChildren();
        }
    }

    /** Reads the event that is the given message; its type. */
    String read(Proto proto) throws IOException {
        type = "";
        proto.fields(this::field);
        return type;
    }

    /** The type comes first, since fields come in the order of their numbers. */
    private void field(int field, Proto proto) throws IOException {
        switch (field) {
            case 1 -> type = proto.text();
            case 2 -> proto.message(this::extension);
            default -> {}
        }
    }

    private void extension(int field, Proto proto) throws IOException {
        if (field == 1) {
            proto.object(type.equals(ERROR) ? decoder::readStatus : decoder::read);
        }
    }
}
