package dev.cairn.plugin.any;

import dev.cairn.corefile.Use;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.PluginSetup;
import java.util.List;

/** Reads {@code any}. */
public final class AnySetup implements PluginSetup {
    @Override
    public String name() {
        return "any";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        for (Use use : uses) {
            use.expect(0, 0, "any");
            use.block().forEach(line -> line.unknown(List.of()));
        }
        block.add(new AnyPlugin());
    }
}
