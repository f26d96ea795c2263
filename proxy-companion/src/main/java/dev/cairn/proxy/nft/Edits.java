package dev.cairn.proxy.nft;

import dev.cairn.cluster.control.IpFamily;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The difference between elements that are and elements that shall be, in the sets of a family. An element that one service gives up and
 * another takes is one change. Used by one thread.
 */
final class Edits {
    /** Elements in one command: nft is slow with very long ones. */
    private static final int BATCH = 500;

    private final Map<NftSet, Map<String, Edit>> edits = new EnumMap<>(NftSet.class);

    private static final class Edit {
        private @Nullable String before;
        private @Nullable String after;
        /** In shared sets, how many more services have it after. */
        private int balance;
    }

    private Edit edit(NftSet set, String key) {
        return edits.computeIfAbsent(set, _ -> new LinkedHashMap<>()).computeIfAbsent(key, _ -> new Edit());
    }

    void was(NftSet set, String key, String value) {
        Edit edit = edit(set, key);
        edit.before = value;
        edit.balance--;
    }

    void shallBe(NftSet set, String key, String value) {
        Edit edit = edit(set, key);
        edit.after = value;
        edit.balance++;
    }

    int size() {
        return edits.values().stream().mapToInt(Map::size).sum();
    }

    /**
     * The commands: what goes or changes is deleted first, then what is new or changed is added.
     *
     * @param uses how many services have an element of a shared set before
     */
    String script(IpFamily family, Map<NftSet, Map<String, Integer>> uses) {
        StringBuilder script = new StringBuilder();
        Map<NftSet, List<String>> added = new EnumMap<>(NftSet.class);
        edits.forEach((set, keys) -> {
            List<String> gone = new ArrayList<>();
            List<String> come = new ArrayList<>();
            keys.forEach((key, edit) -> {
                boolean here = set.isShared() ? uses.getOrDefault(set, Map.of()).getOrDefault(key, 0) > 0 : edit.before != null;
                boolean stays = set.isShared() ? uses.getOrDefault(set, Map.of()).getOrDefault(key, 0) + edit.balance > 0 : edit.after != null;
                boolean same = here && stays && (set.isShared() || edit.after == null || edit.after.equals(edit.before));
                if (here && !same) {
                    gone.add(key);
                }
                if (stays && !same) {
                    come.add(set.isMap() ? key + " : " + edit.after : key);
                }
            });
            elements(script, "delete", family, set, gone);
            added.put(set, come);
        });
        added.forEach((set, come) -> elements(script, "add", family, set, come));
        return script.toString();
    }

    private static void elements(StringBuilder script, String verb, IpFamily family, NftSet set, List<String> elements) {
        for (int from = 0; from < elements.size(); from += BATCH) {
            script.append(verb).append(" element ").append(Table.of(family)).append(' ').append(set.text()).append(" { ")
                    .append(String.join(", ", elements.subList(from, Math.min(from + BATCH, elements.size())))).append(" }\n");
        }
    }

    /** The script was applied: counts who has what in the shared sets. */
    void count(Map<NftSet, Map<String, Integer>> uses) {
        edits.forEach((set, keys) -> {
            if (set.isShared()) {
                Map<String, Integer> counts = uses.computeIfAbsent(set, _ -> new LinkedHashMap<>());
                keys.forEach((key, edit) -> counts.merge(key, edit.balance, (a, b) -> a + b == 0 ? null : a + b));
            }
        });
    }
}
