package dev.cairn.cluster.api;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.io.InputStream;

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

    /** Reads a list in the form it came in. */
    void read(BodyStream body) throws IOException {
        try (InputStream content = body.content()) {
            if (body.isProtobuf()) {
                read(new ProtoList(content));
            } else {
                read(Json.FACTORY.createParser(content));
            }
            body.finish();
        }
    }

    void read(JsonParser json) throws IOException {
        json.nextToken();
        Json.object(json, this::field);
        if (!whole || version.isEmpty()) {
            throw new IOException("the answer is not a list");
        }
        while (json.nextToken() != null) {
            json.skipChildren();
        }
    }

    /** Reads a list in protobuf form. */
    void read(ProtoList list) throws IOException {
        list.read((field, proto) -> {
            switch (field) {
                case 2 -> version = proto.text();
                case 3 -> next = proto.text();
                default -> {}
            }
        }, item -> {
            decoder.read(item);
            found.run();
        });
        if (version.isEmpty()) {
            throw new IOException("the answer is not a list");
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
