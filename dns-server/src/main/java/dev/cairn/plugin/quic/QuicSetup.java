package dev.cairn.plugin.quic;

import dev.cairn.corefile.Transport;
import dev.cairn.corefile.Use;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.ListenSettings.QuicLimits;
import dev.cairn.plugin.PluginSetup;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads {@code quic}. */
public final class QuicSetup implements PluginSetup {
    private static final List<String> PROPERTIES = List.of("max_streams", "max_connections", "worker_pool_size");

    @Override
    public String name() {
        return "quic";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        Use.onlyOnce(uses);
        Use use = uses.getFirst();
        use.expect(0, 0, "quic { ... }");
        Map<String, Integer> limits = new HashMap<>();
        for (Use line : use.block()) {
            int least = line.name().equals("max_connections") ? 0 : 1;
            if (!PROPERTIES.contains(line.name())) {
                line.unknown(PROPERTIES);
            } else if (line.expect(1, 1, line.name() + " NUMBER")
                    && limits.put(line.name(), line.intArg(0, least, Integer.MAX_VALUE, 1)) != null) {
                line.error("is already given in this block: remove one of them");
            }
        }
        if (block.keys().stream().noneMatch(key -> key.transport() == Transport.QUIC)) {
            use.warning("has no effect, since no key of this block starts with quic://; write quic://ZONE, or remove it");
        }
        int connections = limits.getOrDefault("max_connections", QuicLimits.DEFAULT.connections());
        block.listenSettings(block.listenSettings().withQuic(new QuicLimits(
                connections == 0 ? Integer.MAX_VALUE : connections,
                limits.getOrDefault("max_streams", QuicLimits.DEFAULT.streams()),
                limits.getOrDefault("worker_pool_size", QuicLimits.DEFAULT.queries()))));
    }
}
