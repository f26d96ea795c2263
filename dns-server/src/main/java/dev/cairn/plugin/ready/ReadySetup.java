package dev.cairn.plugin.ready;

import dev.cairn.corefile.Use;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.PluginSetup;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;

/** Reads {@code ready}. */
public final class ReadySetup implements PluginSetup {
    private static final String DEFAULT_ADDRESS = ":8181";

    /** Whether a plugin is asked again after it was ready once. */
    private static final Map<String, Boolean> MONITOR = Map.of("until-ready", false, "continuously", true);

    @Override
    public String name() {
        return "ready";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        Use.onlyOnce(uses);
        Use use = uses.getFirst();
        use.expect(0, 1, "ready [ADDRESS]");
        InetSocketAddress address = use.addressArg(0, DEFAULT_ADDRESS);
        boolean continuously = false;
        for (Use line : use.block()) {
            if (line.name().equals("monitor")) {
                line.expect(1, 1, "monitor until-ready|continuously");
                continuously = line.choice(0, MONITOR, false);
            } else {
                line.unknown(List.of("monitor"));
            }
        }
        ReadyEndpoint endpoint = block.shared(ReadyEndpoints.class, ReadyEndpoints::new).at(address, block.host().http());
        endpoint.include(block, continuously);
        block.onStart(endpoint::open);
        block.onShutdown(endpoint::close);
        block.onStop(endpoint::close);
    }
}
