package dev.cairn.cluster.api;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;

/** Reads a page of a list, telling of each object as soon as it is decoded. */
final class ListReader {
    private final ObjectDecoder decoder;
    private final Runnable found;
    private String version = "";
    private String next = "";
    private boolean whole;

    ListReader(ObjectDecoder decoder, Runnable found) {
        this.decoder = decoder;
        this.found = found;
    }

    void read(JsonParser json) throws IOException {
        json.nextToken();
        Json.object(json, this::field);
        if (!whole || version.isEmpty()) {
            throw new IOException("the answer is not a list");
        }
        // To the end of the body, so that the connection can be used again.
        while (json.nextToken() != null) {
            json.skipChildren();
        }
    }

    private void field(String field, JsonParser json) throws IOException {
        switch (field) {
            case "metadata" -> Json.object(json, this::metadata);
            case "items" -> {
                whole = true;
                Json.array(json, item -> {
                    decoder.read(item);
                    found.run();
                });
            }
            default -> json.skipChildren();
        }
    }

    private void metadata(String field, JsonParser json) throws IOException {
        switch (field) {
            case "resourceVersion" -> version = Json.text(json);
            case "continue" -> next = Json.text(json);
            default -> json.skipChildren();
        }
    }

    /** Where to watch from. */
    String version() {
        return version;
    }

    /** The token for the next page; empty after the last. */
    String next() {
        return next;
    }
}
