package dev.cairn.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A case of the {@code unit} section of {@code dns.yaml}: what one part of a server makes of an input. Tried by tests beside those parts.
 *
 * @param number counts the cases of a section from 1
 */
public record UnitFact(String section, int number, Map<String, Object> source) {
    /** The cases of one section, in the order of the file. */
    public static List<UnitFact> of(String section) {
        List<UnitFact> facts = new ArrayList<>();
        for (Object one : Facts.list(Facts.units().get(section))) {
            facts.add(new UnitFact(section, facts.size() + 1, Facts.map(one)));
        }
        return facts;
    }

    public String text(String key) {
        return Facts.text(source, key);
    }

    public boolean flag(String key) {
        return Boolean.parseBoolean(text(key));
    }

    public List<String> strings(String key) {
        return Facts.strings(source.get(key));
    }

    /** Members that are lists of maps. */
    public List<Map<String, Object>> rows(String key) {
        return Facts.list(source.get(key)).stream().map(Facts::map).toList();
    }

    @Override
    public String toString() {
        return section + " " + number + " " + source.values().iterator().next();
    }
}
