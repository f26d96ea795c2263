package dev.cairn.plugin.bufsize;

import dev.cairn.corefile.Use;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.PluginSetup;
import java.util.List;

/** Reads {@code bufsize}. */
public final class BufsizeSetup implements PluginSetup {
    /** What fits every usual path without fragments (DNS flag day 2020). */
    private static final int DEFAULT = 1232;

    private static final int MIN = 512;
    private static final int MAX = 4096;

    @Override
    public String name() {
        return "bufsize";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        for (Use use : uses) {
            use.expect(0, 1, "bufsize [SIZE]");
            // The lowest of several counts, as each lowers what the one before left.
            block.add(new BufsizePlugin(use.intArg(0, MIN, MAX, DEFAULT)));
        }
    }
}
