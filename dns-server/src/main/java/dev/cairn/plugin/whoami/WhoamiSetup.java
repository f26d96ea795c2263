package dev.cairn.plugin.whoami;

import dev.cairn.corefile.Use;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.PluginSetup;
import java.util.List;

/** Reads {@code whoami}. */
public final class WhoamiSetup implements PluginSetup {
    @Override
    public String name() {
        return "whoami";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        uses.forEach(use -> use.expect(0, 0, "whoami"));
        block.add(new WhoamiPlugin());
    }
}
