package dev.cairn.conformance;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The suites of {@code dns.yaml}, and what {@code quirks.yaml} expects in place of CoreDNS's departures from the RFCs. */
record Facts(List<Suite> suites, Map<String, Object> quirks) {
    Facts {
        suites = List.copyOf(suites);
        quirks = Map.copyOf(quirks);
    }

    static Facts read() {
        Map<String, Object> quirks = map(yaml("/conformance/quirks.yaml"));
        Map<String, Object> file = map(yaml("/conformance/dns.yaml"));
        Map<String, Object> fixtures = map(file.get("fixtures"));
        List<Suite> suites = new ArrayList<>();
        for (Object one : list(file.get("suites"))) {
            Map<String, Object> suite = map(text(map(one), "id").equals("k8s-external-apex") ? toldAddresses(one) : one);
            List<Object> objects = list(map(fixtures.get(text(suite, "fixture"))).get("objects"));
            Map<Boolean, List<Case>> cases = list(suite.get("cases")).stream()
                    .map(each -> readCase(map(each), quirks))
                    .collect(Collectors.partitioningBy(each -> each.source().containsKey("upstream_answers")));
            suites.add(new Suite(suite, objects, cases.get(false)));
            cases.get(true).forEach(each -> suites.add(withUpstream(suite, objects, each)));
        }
        return new Facts(suites, quirks);
    }

    /** The sections of facts about single parts of a server. */
    static Map<String, Object> units() {
        return map(map(yaml("/conformance/dns.yaml")).get("unit"));
    }

    /** A case whose answer depends on what an upstream says is a suite of its own, with a plugin that says it. */
    private static Suite withUpstream(Map<String, Object> suite, List<Object> objects, Case one) {
        ExpectedRecord first = ExpectedRecord.parse(strings(one.source().get("upstream_answers")).getFirst());
        String answer = "A " + first.record().rdataToString() + " ttl " + first.record().getTTL()
                + (Boolean.TRUE.equals(one.source().get("upstream_truncated")) ? " truncated" : "");
        Map<String, Object> source = new HashMap<>(suite);
        source.put("id", text(suite, "id") + "-upstream");
        source.put("autopath", Map.of("next_handler", Map.of(first.record().getName().toString(), answer)));
        return new Suite(source, objects, List.of(one));
    }

    /**
     * No server tells its loopback address as its own, but CoreDNS's unit tests let one do so: where it is told, an address stands in its
     * place that servers do tell, and the suite gets a network that has it.
     */
    private static Object toldAddresses(Object value) {
        return switch (value) {
            case Map<?, ?> fields -> {
                Map<Object, Object> all = new LinkedHashMap<>();
                fields.forEach((key, one) -> all.put(key, one == null ? "" : toldAddresses(one)));
                yield all;
            }
            case List<?> items -> items.stream().map(Facts::toldAddresses).toList();
            case String text -> text.replaceAll("\\b127[.]0[.]0[.]1\\b", "198.51.100.53");
            default -> value;
        };
    }

    private static Case readCase(Map<String, Object> source, Map<String, Object> quirks) {
        String id = text(source, "id");
        Expectation upstream = Expectation.of(map(source.get("expect")));
        Expectation right = quirks.containsKey(id) ? Expectation.of(map(map(quirks.get(id)).get("expect"))) : upstream;
        return new Case(id, source, map(source.get("query")), upstream, right);
    }

    private static @Nullable Object yaml(String resource) {
        try (InputStream in = Objects.requireNonNull(Facts.class.getResourceAsStream(resource), resource)) {
            return new Load(LoadSettings.builder().setLabel(resource).build()).loadFromInputStream(in);
        } catch (IOException e) {
            throw new IllegalStateException(resource, e);
        }
    }

    @SuppressWarnings("unchecked") // YAML keys are strings in these files
    static Map<String, Object> map(@Nullable Object value) {
        return value == null ? Map.of() : (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked")
    static List<Object> list(@Nullable Object value) {
        return value == null ? List.of() : (List<Object>) value;
    }

    static List<String> strings(@Nullable Object value) {
        return list(value).stream().map(Object::toString).toList();
    }

    static String text(Map<String, Object> from, String key) {
        return Objects.toString(from.get(key), "");
    }
}
