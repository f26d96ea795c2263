package dev.cairn.proxy.iptables;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The input of {@code iptables-restore --noflush}: what it does not name stays as it is. */
final class RestoreScript {
    private final Map<Table, Part> parts = new EnumMap<>(Table.class);

    /** What is done in a table, in this order. A chain that is declared is made, or emptied if it is there. */
    private static final class Part {
        private final Set<String> declared = new LinkedHashSet<>();
        private final List<String> removed = new ArrayList<>();
        private final List<String> added = new ArrayList<>();
        private final List<String> deleted = new ArrayList<>();
    }

    private Part part(Chain chain) {
        return parts.computeIfAbsent(chain.table(), _ -> new Part());
    }

    boolean isEmpty() {
        return parts.isEmpty();
    }

    /** Gives a chain exactly these rules, all at once; makes it if need be. */
    void replace(Chain chain, List<String> rules) {
        part(chain).declared.add(chain.name());
        rules.forEach(rule -> append(chain, rule));
    }

    /** Removes a chain that nothing leads to when this is done. */
    void delete(Chain chain) {
        part(chain).declared.add(chain.name());
        part(chain).deleted.add("-X " + chain.name());
    }

    void append(Chain chain, String rule) {
        part(chain).added.add("-A " + chain.name() + " " + rule);
    }

    void insert(Chain chain, int at, String rule) {
        part(chain).added.add("-I " + chain.name() + " " + at + " " + rule);
    }

    void remove(Chain chain, String rule) {
        part(chain).removed.add("-D " + chain.name() + " " + rule);
    }

    String text() {
        StringBuilder text = new StringBuilder();
        parts.forEach((table, part) -> {
            text.append('*').append(table).append('\n');
            part.declared.forEach(name -> text.append(':').append(name).append(" - [0:0]\n"));
            List.of(part.removed, part.added, part.deleted).forEach(lines -> lines.forEach(line -> text.append(line).append('\n')));
            text.append("COMMIT\n");
        });
        return text.toString();
    }
}
