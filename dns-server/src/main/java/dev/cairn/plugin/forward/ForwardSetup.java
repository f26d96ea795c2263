package dev.cairn.plugin.forward;

import dev.cairn.corefile.Use;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.PluginSetup;
import java.util.List;

/** Reads {@code forward}. A block may have several; a query meets them in the order of the file. */
public final class ForwardSetup implements PluginSetup {
    @Override
    public String name() {
        return "forward";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        for (int i = 0; i < uses.size(); i++) {
            ForwardSettings settings = new ForwardReader(uses.get(i), block, i + 1 < uses.size()).read();
            if (settings != null) {
                ForwardPlugin plugin = new ForwardPlugin(settings);
                ForwardService service = new ForwardService(settings, plugin, block);
                block.add(plugin);
                block.onStart(service::start);
                block.onStop(service::stop);
            }
        }
    }
}
