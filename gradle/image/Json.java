import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/** Writes objects as JSON, with their fields in the order given. */
final class Json {
    /** Text that is JSON already. */
    record Raw(String text) {}

    private Json() {}

    static Raw raw(String text) {
        return new Raw(text);
    }

    /** An object of keys and values in turn. */
    static String of(Object... fields) {
        StringJoiner object = new StringJoiner(",", "{", "}");
        for (int i = 0; i < fields.length; i += 2) {
            object.add(value(fields[i]) + ":" + value(fields[i + 1]));
        }
        return object.toString();
    }

    private static String value(Object value) {
        return switch (value) {
            case Raw raw -> raw.text();
            case Number number -> number.toString();
            case List<?> list -> list.stream().map(Json::value).collect(Collectors.joining(",", "[", "]"));
            default -> "\"" + value.toString().replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
        };
    }
}
