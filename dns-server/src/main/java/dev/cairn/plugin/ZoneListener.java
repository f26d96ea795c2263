package dev.cairn.plugin;

import dev.cairn.wire.WireName;

/** A plugin that wants to know when a zone of another plugin of its block has changed. */
public interface ZoneListener {
    /** Called on any thread; must not block. */
    void changed(WireName zone);

    /** Tells all those that are in a block; for start hooks, when all plugins are there. */
    static ZoneListener of(Block block) {
        var all = block.plugins().stream().filter(ZoneListener.class::isInstance).map(ZoneListener.class::cast).toList();
        return zone -> all.forEach(one -> one.changed(zone));
    }
}
