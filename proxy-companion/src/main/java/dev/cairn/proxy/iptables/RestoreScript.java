package dev.cairn.proxy.iptables;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The input of {@code iptables-restore --noflush}: what it does not name stays as it is. Chains that lead to others are to be replaced
 * after them.
 */
final class RestoreScript {
    private final Map<Chain, List<String>> replaced = new LinkedHashMap<>();
    private final List<Line> removed = new ArrayList<>();
    private final List<Line> added = new ArrayList<>();
    /** Those that lead to others come before them. */
    private final TreeSet<Chain> deleted = new TreeSet<>(Comparator.comparingInt(Chain::depth).thenComparing(Comparator.naturalOrder()));

    private record Line(Chain chain, String text) {}

    boolean isEmpty() {
        return replaced.isEmpty() && removed.isEmpty() && added.isEmpty() && deleted.isEmpty();
    }

    /** How many rules and chains it is about. */
    int size() {
        return replaced.values().stream().mapToInt(rules -> 1 + rules.size()).sum() + removed.size() + added.size() + deleted.size();
    }

    /** Gives a chain exactly these rules, all at once; makes it if need be. */
    void replace(Chain chain, List<String> rules) {
        replaced.put(chain, rules);
    }

    /** Removes a chain that nothing leads to when this is done. */
    void delete(Chain chain) {
        deleted.add(chain);
    }

    void append(Chain chain, String rule) {
        added.add(new Line(chain, "-A " + chain.name() + " " + rule));
    }

    void insert(Chain chain, int at, String rule) {
        added.add(new Line(chain, "-I " + chain.name() + " " + at + " " + rule));
    }

    void remove(Chain chain, String rule) {
        removed.add(new Line(chain, "-D " + chain.name() + " " + rule));
    }

    /** All of it for one run. */
    String text() {
        return text(replaced.keySet(), true, deleted);
    }

    /** The same for several runs of so many chains each, that lead from one working state to the next. */
    List<String> texts(int most) {
        if (replaced.size() + deleted.size() <= most) {
            return List.of(text());
        }
        List<String> texts = new ArrayList<>();
        chunks(replaced.keySet(), most).forEach(chains -> texts.add(text(chains, false, List.of())));
        if (!removed.isEmpty() || !added.isEmpty()) {
            texts.add(text(List.of(), true, List.of()));
        }
        chunks(deleted, most).forEach(chains -> texts.add(text(List.of(), false, chains)));
        return texts;
    }

    private static List<List<Chain>> chunks(Collection<Chain> chains, int most) {
        List<Chain> all = List.copyOf(chains);
        List<List<Chain>> chunks = new ArrayList<>();
        for (int from = 0; from < all.size(); from += most) {
            chunks.add(all.subList(from, Math.min(from + most, all.size())));
        }
        return chunks;
    }

    private String text(Collection<Chain> replacing, boolean edits, Collection<Chain> deleting) {
        StringBuilder text = new StringBuilder();
        for (Table table : Table.values()) {
            List<String> lines = new ArrayList<>();
            // A chain that is declared is made, or emptied if it is there.
            of(table, replacing).forEach(chain -> lines.add(":" + chain.name() + " - [0:0]"));
            of(table, deleting).forEach(chain -> lines.add(":" + chain.name() + " - [0:0]"));
            if (edits) {
                removed.stream().filter(line -> line.chain().table() == table).forEach(line -> lines.add(line.text()));
            }
            of(table, replacing).forEach(chain ->
                    replaced.getOrDefault(chain, List.of()).forEach(rule -> lines.add("-A " + chain.name() + " " + rule)));
            if (edits) {
                added.stream().filter(line -> line.chain().table() == table).forEach(line -> lines.add(line.text()));
            }
            of(table, deleting).forEach(chain -> lines.add("-X " + chain.name()));
            if (!lines.isEmpty()) {
                text.append('*').append(table).append('\n');
                lines.forEach(line -> text.append(line).append('\n'));
                text.append("COMMIT\n");
            }
        }
        return text.toString();
    }

    private static List<Chain> of(Table table, Collection<Chain> chains) {
        return chains.stream().filter(chain -> chain.table() == table).toList();
    }
}
