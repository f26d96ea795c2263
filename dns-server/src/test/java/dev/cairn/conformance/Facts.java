package dev.cairn.conformance;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
            Map<String, Object> suite = map(one);
            List<Object> objects = list(map(fixtures.get(text(suite, "fixture"))).get("objects"));
            List<Case> cases = list(suite.get("cases")).stream().map(each -> readCase(map(each), quirks)).toList();
            suites.add(new Suite(suite, objects, cases));
        }
        return new Facts(suites, quirks);
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
