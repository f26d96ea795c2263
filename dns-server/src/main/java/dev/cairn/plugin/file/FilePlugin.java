package dev.cairn.plugin.file;

import dev.cairn.authority.LiveZones;
import dev.cairn.authority.ZonesPlugin;

/** Answers from the zones of its files. */
final class FilePlugin extends ZonesPlugin {
    private final LiveZones zones;

    FilePlugin(LiveZones zones) {
        this.zones = zones;
    }

    @Override
    public String name() {
        return "file";
    }

    @Override
    protected LiveZones zones() {
        return zones;
    }
}
