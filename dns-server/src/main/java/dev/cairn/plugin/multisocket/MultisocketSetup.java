package dev.cairn.plugin.multisocket;

import dev.cairn.corefile.Use;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.PluginSetup;
import java.util.List;

/** Reads {@code multisocket}. */
public final class MultisocketSetup implements PluginSetup {
    private static final int MAX = 1024;

    @Override
    public String name() {
        return "multisocket";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        Use.onlyOnce(uses);
        Use use = uses.getFirst();
        use.expect(0, 1, "multisocket [NUM_SOCKETS]");
        int sockets = use.intArg(0, 1, MAX, Math.min(MAX, Runtime.getRuntime().availableProcessors()));
        block.listenSettings(block.listenSettings().withSockets(sockets));
    }
}
