package dev.cairn.cluster.api;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;

/** Reads events of a watch; the object of the last one is in the decoder. */
final class WatchReader {
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
}
