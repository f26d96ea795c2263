package dev.cairn.authority;

import dev.cairn.plugin.ZoneContent;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.WireName;
import dev.cairn.zone.NameMap;
import dev.cairn.zone.StaticZone;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The zones of a plugin; immutable, though each of them may change. */
public final class LiveZones {
    private final NameMap<LiveZone> zones;
    private final int maxLabels;

    public LiveZones(Collection<LiveZone> all) {
        Map<WireName, LiveZone> byName = new HashMap<>();
        int labels = 0;
        for (LiveZone zone : all) {
            byName.put(zone.origin(), zone);
            labels = Math.max(labels, zone.origin().labelCount());
        }
        zones = NameMap.copyOf(byName);
        maxLabels = labels;
    }

    /** The longest zone that the question is in, null if there is none. One for DS belongs to the parent (RFC 4035 section 3.1.4.1). */
    public @Nullable LiveZone of(QueryView query) {
        int last = query.labelCount();
        LiveZone child = null;
        for (int label = Math.max(0, last - maxLabels); label <= last; label++) {
            LiveZone zone = zones.getSuffix(query, label);
            if (zone != null) {
                if (query.type() != DnsType.DS || label > 0) {
                    return zone;
                }
                child = zone;
            }
        }
        return child;
    }

    public boolean has(WireName zone) {
        return zones.get(zone) != null;
    }

    public @Nullable ZoneContent content(WireName zone) {
        LiveZone found = zones.get(zone);
        return found == null ? null : found.content();
    }

    /** The wildcard an answer is made from, for {@code metadata}. */
    public @Nullable String wildcard(QueryView query) {
        LiveZone zone = of(query);
        StaticZone state = zone == null ? null : zone.state();
        WireName wildcard = state == null ? null : state.wildcardFor(query);
        return wildcard == null ? null : wildcard.toString();
    }
}
