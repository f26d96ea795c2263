package dev.cairn.explain;

import dev.cairn.explain.Explanation.Heard;
import dev.cairn.explain.Explanation.Try;
import dev.cairn.log.Log;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An explanation for programs. The names of fields are documented and stay. */
public final class JsonReport {
    private JsonReport() {}

    /** The text of an explanation. */
    public static String of(Explanation explanation) {
        StringBuilder json = new StringBuilder();
        write(json, explanation(explanation), 0);
        return json.toString();
    }

    private static Map<String, @Nullable Object> explanation(Explanation explanation) {
        Client client = explanation.client();
        ResolvConf conf = client.conf();
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        all.put("name", explanation.name());
        all.put("answered", explanation.isAnswered());
        all.put("client", fields("text", client.text(), "namespace", client.namespace(), "pod", client.pod(),
                "address", client.address() == null ? "" : client.address().toString()));
        all.put("resolvConf",
                fields("policy", conf.policy(), "nameservers", conf.nameservers(), "search", conf.search(), "ndots", conf.ndots()));
        all.put("tries", explanation.tries().stream().map(JsonReport::tried).toList());
        all.put("server", explanation.server());
        all.put("connections", explanation.proxy().stream()
                .map(walk -> fields("to", walk.to(), "command", walk.command(), "output", walk.output(), "exitCode", walk.exitCode()))
                .toList());
        all.put("notes", explanation.notes());
        return all;
    }

    private static Map<String, @Nullable Object> tried(Try one) {
        Map<String, @Nullable Object> all = fields("name", one.name(), "type", one.type(), "suffix", one.suffix(),
                "result", one.reply().result(), "records", one.reply().rows(), "why", one.finding().why());
        all.put("objects", one.finding().objects().stream()
                .map(thing -> fields("kind", thing.kind(), "namespace", thing.namespace(), "name", thing.name(), "detail", thing.detail()))
                .toList());
        all.put("passedOver", one.passedOver());
        all.put("legs", one.legs().stream().map(JsonReport::leg).toList());
        Heard heard = one.heard();
        all.put("heard", heard == null ? null : fields("result", heard.reply().result(), "records", heard.reply().rows(),
                "agrees", heard.agrees(), "error", heard.error()));
        return all;
    }

    private static Map<String, @Nullable Object> leg(Leg leg) {
        Map<String, @Nullable Object> all = fields("question", leg.question(), "block", leg.at(), "zone", leg.zone(),
                "server", leg.server(), "view", leg.view(), "setAside", leg.setAside());
        all.put("plugins", leg.visits().stream()
                .map(visit -> fields("plugin", visit.plugin(), "at", visit.at(), "step", visit.step()))
                .toList());
        all.putAll(fields("answeredBy", leg.answeredBy(), "upstream", leg.upstream(), "error", leg.error(), "rcode", leg.rcode()));
        return all;
    }

    private static Map<String, @Nullable Object> fields(@Nullable Object... pairs) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            fields.put(String.valueOf(pairs[i]), pairs[i + 1]);
        }
        return fields;
    }

    private static void write(StringBuilder json, @Nullable Object value, int depth) {
        switch (value) {
            case null -> json.append("null");
            case Map<?, ?> map -> {
                String separator = "{";
                for (Map.Entry<?, ?> field : map.entrySet()) {
                    newLine(json.append(separator), depth + 1);
                    Log.quote(json, String.valueOf(field.getKey()));
                    write(json.append(": "), field.getValue(), depth + 1);
                    separator = ",";
                }
                newLine(json, depth);
                json.append('}');
            }
            case List<?> list -> {
                String separator = "[";
                for (Object element : list) {
                    newLine(json.append(separator), depth + 1);
                    write(json, element, depth + 1);
                    separator = ",";
                }
                if (!list.isEmpty()) {
                    newLine(json, depth);
                }
                json.append(list.isEmpty() ? "[]" : "]");
            }
            case String text -> Log.quote(json, text);
            default -> json.append(value);
        }
    }

    private static void newLine(StringBuilder json, int depth) {
        json.append('\n').repeat("  ", depth);
    }
}
