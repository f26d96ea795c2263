package dev.cairn.plugin.auto;

import dev.cairn.authority.LiveZones;
import dev.cairn.authority.ZonesPlugin;
import dev.cairn.chain.Exchange;
import dev.cairn.chain.Step;
import dev.cairn.wire.WireName;
import java.util.List;

/** Answers from the zones that its directory has. */
final class AutoPlugin extends ZonesPlugin {
    private final WireName[] within;
    private final AutoDirectory directory;

    AutoPlugin(List<WireName> within, AutoDirectory directory) {
        this.within = within.toArray(WireName[]::new);
        this.directory = directory;
    }

    @Override
    public String name() {
        return "auto";
    }

    @Override
    protected LiveZones zones() {
        return directory.zones();
    }

    @Override
    public Step query(Exchange exchange) {
        return exchange.query().isWithinAny(within) ? super.query(exchange) : Step.NEXT;
    }
}
