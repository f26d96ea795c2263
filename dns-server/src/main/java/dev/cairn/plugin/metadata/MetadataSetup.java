package dev.cairn.plugin.metadata;

import dev.cairn.corefile.Use;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.PluginSetup;
import java.util.List;

/** Reads {@code metadata}. */
public final class MetadataSetup implements PluginSetup {
    @Override
    public String name() {
        return "metadata";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        Use.onlyOnce(uses);
        Use use = uses.getFirst();
        use.block().forEach(line -> line.unknown(List.of()));
        block.metadataZones(block.zonesOr(use.zones(0)));
        block.add(new MetadataPlugin());
    }
}
