package dev.cairn.plugin;

import dev.cairn.corefile.Use;
import java.util.List;

/** Reads one directive. Stateless: the same object serves all blocks and all reloads. */
public interface PluginSetup {
    /** The directive's name. */
    String name();

    /**
     * Reads every use of the directive in one server block, in their order, and adds what they ask for to the block. Mistakes are reported
     * through the {@link Use}, all of them; nothing is opened or started here but in the block's hooks.
     */
    void setup(List<Use> uses, Block block);
}
