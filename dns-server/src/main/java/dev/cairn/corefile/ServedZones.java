package dev.cairn.corefile;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Remembers which zone is served where, to find zones that two server blocks claim. */
final class ServedZones {

    /** Stands for all addresses, when a block has no {@code bind}. */
    private static final String EVERYWHERE = "";

    private final Problems problems;
    /** Where each zone was claimed, by address. */
    private final Map<ZoneKey, Map<String, Position>> served = new HashMap<>();
    /** Where each zone was last claimed on an address of its own or everywhere. */
    private final Map<ZoneKey, Position> claimed = new HashMap<>();

    ServedZones(Problems problems) {
        this.problems = problems;
    }

    /** Notes what a key of a block serves; of the zones of one key only the first conflict is reported. */
    void add(ServerBlock block, Token key, List<ZoneKey> zones) {
        boolean filtered = !block.uses("view").isEmpty();
        for (ZoneKey zone : zones) {
            for (String address : addresses(block)) {
                if (conflicts(key, zone, address, filtered)) {
                    return;
                }
                if (!filtered) {
                    served.computeIfAbsent(zone, _ -> new HashMap<>()).put(address, key.at());
                    claimed.put(zone, key.at());
                }
            }
        }
    }

    private boolean conflicts(Token key, ZoneKey zone, String address, boolean filtered) {
        Map<String, Position> known = served.getOrDefault(zone, Map.of());
        Position same = known.get(address);
        if (same != null) {
            if (!filtered) {
                problems.error(key.at(), "cannot serve " + zone + ": it is already defined at " + same
                    + "; merge the two, change the zone or port of one, or tell them apart with view");
            }
            return !filtered;
        }
        boolean everywhere = address.equals(EVERYWHERE);
        Position other = everywhere ? claimed.get(zone) : known.get(EVERYWHERE);
        if (other != null) {
            problems.error(key.at(), "cannot serve " + zone + (everywhere ? " on all addresses" : " on " + address)
                + ": the block at " + other + " serves it " + (everywhere ? "on some" : "on all addresses")
                + "; give both blocks a bind or neither");
        }
        return other != null;
    }

    private static Set<String> addresses(ServerBlock block) {
        Set<String> addresses = new LinkedHashSet<>();
        for (Directive bind : block.uses("bind")) {
            bind.args().forEach(address -> addresses.add(address.text().toLowerCase(Locale.ROOT)));
        }
        return addresses.isEmpty() ? Set.of(EVERYWHERE) : addresses;
    }
}
