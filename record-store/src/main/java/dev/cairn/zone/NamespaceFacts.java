package dev.cairn.zone;

import dev.cairn.facts.ImportFact;
import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.SliceFact;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one namespace. Owned by who holds the store's lock. Slices of a service are in the order of their names, in arrays that are replaced
 * and never changed.
 */
final class NamespaceFacts {
    /** Those of a namespace that has none; not to be changed. */
    static final NamespaceFacts NONE = new NamespaceFacts();

    private final Map<String, ServiceFact> services = new TreeMap<>();
    private final Map<String, ImportFact> imports = new TreeMap<>();
    private final Map<String, SliceFact> slicesByName = new HashMap<>();
    private final Map<String, SliceFact[]> slices = new HashMap<>();
    private final Map<String, SliceFact[]> importedSlices = new HashMap<>();

    Map<String, ServiceFact> services() {
        return services;
    }

    Map<String, ImportFact> imports() {
        return imports;
    }

    SliceFact[] slicesOf(String service) {
        return slices.getOrDefault(service, ServiceShape.NO_SLICES);
    }

    SliceFact[] importedSlicesOf(String service) {
        return importedSlices.getOrDefault(service, ServiceShape.NO_SLICES);
    }

    boolean isEmpty() {
        return services.isEmpty() && imports.isEmpty() && slicesByName.isEmpty();
    }

    private Map<String, SliceFact[]> slicesLike(SliceFact slice) {
        return slice.isImported() ? importedSlices : slices;
    }

    /** Puts a slice; the one of its name that was another service's, which has lost it. */
    @Nullable SliceFact put(SliceFact slice) {
        SliceFact before = slicesByName.put(slice.name(), slice);
        boolean moved = before != null && !(before.service().equals(slice.service()) && before.isImported() == slice.isImported());
        if (before != null && moved) {
            takeFromService(before);
        }
        slicesLike(slice).merge(slice.service(), new SliceFact[] {slice}, (those, _) -> with(those, slice));
        return moved ? before : null;
    }

    private static SliceFact[] with(SliceFact[] those, SliceFact slice) {
        int at = 0;
        while (at < those.length && those[at].name().compareTo(slice.name()) < 0) {
            at++;
        }
        boolean replaces = at < those.length && those[at].name().equals(slice.name());
        SliceFact[] all = Arrays.copyOf(those, replaces ? those.length : those.length + 1);
        if (!replaces) {
            System.arraycopy(those, at, all, at + 1, those.length - at);
        }
        all[at] = slice;
        return all;
    }

    /** Removes a slice; what it was, if it was there. */
    @Nullable SliceFact removeSlice(String name) {
        SliceFact slice = slicesByName.remove(name);
        if (slice != null) {
            takeFromService(slice);
        }
        return slice;
    }

    private void takeFromService(SliceFact slice) {
        slicesLike(slice).computeIfPresent(slice.service(), (_, those) -> {
            SliceFact[] left = Arrays.stream(those).filter(other -> !other.name().equals(slice.name())).toArray(SliceFact[]::new);
            return left.length == 0 ? null : left;
        });
    }
}
