package dev.cairn.plugin.minimal;

import dev.cairn.corefile.Use;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.PluginSetup;
import java.util.List;

/** Reads {@code minimal}. */
public final class MinimalSetup implements PluginSetup {
    @Override
    public String name() {
        return "minimal";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        uses.forEach(use -> use.expect(0, 0, "minimal"));
        block.add(new MinimalPlugin());
    }
}
