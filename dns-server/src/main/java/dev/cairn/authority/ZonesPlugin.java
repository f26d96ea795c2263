package dev.cairn.authority;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Plugin;
import dev.cairn.chain.Step;
import dev.cairn.plugin.MetadataProvider;
import dev.cairn.plugin.MetadataValue;
import dev.cairn.plugin.ZoneContent;
import dev.cairn.plugin.ZoneSource;
import dev.cairn.wire.Rcode;
import dev.cairn.wire.WireName;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A plugin that answers from zones of records, wherever it has them from. */
public abstract class ZonesPlugin implements Plugin, ZoneSource, MetadataProvider {
    private volatile boolean last;

    /** The zones as they are now. */
    protected abstract LiveZones zones();

    /** Says that nothing stands below: what is not in the zones is then refused, as a server of zones does. */
    public final void last() {
        last = true;
    }

    @Override
    public Step query(Exchange exchange) {
        LiveZone zone = zones().of(exchange.query());
        if (zone == null) {
            return last ? exchange.refuse(Rcode.REFUSED) : Step.NEXT;
        }
        return ZoneAnswers.answer(exchange, zone);
    }

    @Override
    public final boolean hasZone(WireName zone) {
        return zones().has(zone);
    }

    @Override
    public final @Nullable ZoneContent content(WireName zone) {
        return zones().content(zone);
    }

    @Override
    public final boolean tellsChanges() {
        return true;
    }

    @Override
    public final Map<String, MetadataValue> metadata() {
        return Map.of("zone/wildcard", exchange -> zones().wildcard(exchange.query()));
    }
}
