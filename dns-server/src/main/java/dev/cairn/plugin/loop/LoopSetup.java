package dev.cairn.plugin.loop;

import dev.cairn.corefile.Use;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.PluginSetup;
import java.util.List;
import java.util.Map;

/** Reads {@code loop}. */
public final class LoopSetup implements PluginSetup {
    @Override
    public String name() {
        return "loop";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        Use.onlyOnce(uses);
        Use use = uses.getFirst();
        boolean exits = use.expect(0, 1, "loop [exit]") && use.choice(0, Map.of("exit", true), false);
        LoopPlugin plugin = new LoopPlugin(exits);
        LoopProbes probes = new LoopProbes(block, plugin);
        block.add(plugin);
        block.onStart(probes::start);
        block.onStop(probes::stop);
    }
}
