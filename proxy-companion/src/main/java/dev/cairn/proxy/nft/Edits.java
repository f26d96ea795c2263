package dev.cairn.proxy.nft;

import dev.cairn.cluster.control.IpFamily;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The difference between elements that are and elements that shall be, in the sets of a family. An element that one service gives up and
 * another takes is one change. Used by one thread.
 */
final class Edits {
    private final Map<NftSet, Map<Packed, Edit>> edits = new EnumMap<>(NftSet.class);

    private static final class Edit {
        private @Nullable Packed before;
        private @Nullable Packed after;
        /** In shared sets, how many more services have it after. */
        private int balance;
    }

    private Edit edit(NftSet set, Packed key) {
        return edits.computeIfAbsent(set, _ -> new LinkedHashMap<>()).computeIfAbsent(key, _ -> new Edit());
    }

    void was(NftSet set, Packed key, Packed value) {
        Edit edit = edit(set, key);
        edit.before = value;
        edit.balance--;
    }

    void shallBe(NftSet set, Packed key, Packed value) {
        Edit edit = edit(set, key);
        edit.after = value;
        edit.balance++;
    }

    int size() {
        int size = 0;
        for (Map<Packed, Edit> keys : edits.values()) {
            size += keys.size();
        }
        return size;
    }

    /**
     * The changes: what goes or changes is deleted first, then what is new or changed is added.
     *
     * @param uses how many services have an element of a shared set before
     */
    List<ElementChange> changes(IpFamily family, Map<NftSet, Map<Packed, Integer>> uses) {
        List<ElementChange> gone = new ArrayList<>();
        List<ElementChange> come = new ArrayList<>();
        edits.forEach((set, keys) -> {
            Map<Packed, Packed> less = new LinkedHashMap<>();
            Map<Packed, Packed> more = new LinkedHashMap<>();
            keys.forEach((key, edit) -> {
                int used = set.isShared() ? uses.getOrDefault(set, Map.of()).getOrDefault(key, 0) : 0;
                boolean here = set.isShared() ? used > 0 : edit.before != null;
                boolean stays = set.isShared() ? used + edit.balance > 0 : edit.after != null;
                boolean same = here && stays && (set.isShared() || Objects.equals(edit.before, edit.after));
                if (here && !same) {
                    less.put(key, Packed.EMPTY);
                }
                if (stays && !same) {
                    more.put(key, edit.after == null ? Packed.EMPTY : edit.after);
                }
            });
            if (!less.isEmpty()) {
                gone.add(new ElementChange(family, set, false, less));
            }
            if (!more.isEmpty()) {
                come.add(new ElementChange(family, set, true, more));
            }
        });
        gone.addAll(come);
        return gone;
    }

    /** They were applied: counts who has what in the shared sets. */
    void count(Map<NftSet, Map<Packed, Integer>> uses) {
        edits.forEach((set, keys) -> {
            if (set.isShared()) {
                Map<Packed, Integer> counts = uses.computeIfAbsent(set, _ -> new LinkedHashMap<>());
                keys.forEach((key, edit) -> counts.merge(key, edit.balance, (a, b) -> a + b == 0 ? null : a + b));
            }
        });
    }
}
