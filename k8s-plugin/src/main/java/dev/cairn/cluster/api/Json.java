package dev.cairn.cluster.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.JsonFactory.Feature;
import java.io.IOException;

/**
 * Walks through JSON as it arrives. A reader is called at the first token of a value and leaves at its last one; what has another shape
 * than expected is skipped.
 */
final class Json {
    /**
     * Field names are not put into the JVM's own table, and names with equal hash codes are no error: labels are chosen by whoever may make
     * objects, and must not keep the rest from being read.
     */
    static final JsonFactory FACTORY =
            new JsonFactoryBuilder().disable(Feature.INTERN_FIELD_NAMES).disable(Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW).build();

    /** Reads the value of a field. */
    interface Field {
        void read(String name, JsonParser json) throws IOException;
    }

    /** Reads an element of an array. */
    interface Element {
        void read(JsonParser json) throws IOException;
    }

    private Json() {}

    static void object(JsonParser json, Field field) throws IOException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            json.skipChildren();
            return;
        }
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            json.nextToken();
            field.read(name, json);
        }
    }

    static void array(JsonParser json, Element element) throws IOException {
        if (json.currentToken() != JsonToken.START_ARRAY) {
            json.skipChildren();
            return;
        }
        while (json.nextToken() != JsonToken.END_ARRAY) {
            element.read(json);
        }
    }

    /** A string, or empty. */
    static String text(JsonParser json) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_STRING) {
            return json.getText();
        }
        json.skipChildren();
        return "";
    }

    /** A whole number that fits into an int, or 0. */
    static int number(JsonParser json) throws IOException {
        if (json.currentToken() != JsonToken.VALUE_NUMBER_INT) {
            json.skipChildren();
            return 0;
        }
        return json.getNumberType() == JsonParser.NumberType.INT ? json.getIntValue() : 0;
    }
}
