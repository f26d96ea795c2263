package dev.cairn.plugin.https;

import dev.cairn.corefile.Transport;
import dev.cairn.corefile.Use;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.ListenSettings.HttpsLimits;
import dev.cairn.plugin.PluginSetup;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads {@code https}. */
public final class HttpsSetup implements PluginSetup {
    private static final List<String> PROPERTIES = List.of("max_connections", "max_streams");

    @Override
    public String name() {
        return "https";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        Use.onlyOnce(uses);
        Use use = uses.getFirst();
        use.expect(0, 0, "https { ... }");
        Map<String, Integer> limits = new HashMap<>();
        for (Use line : use.block()) {
            if (!PROPERTIES.contains(line.name())) {
                line.unknown(PROPERTIES);
            } else if (line.expect(1, 1, line.name() + " NUMBER")
                    && limits.put(line.name(), line.intArg(0, 0, Integer.MAX_VALUE, 0)) != null) {
                line.error("is already given in this block: remove one of them");
            }
        }
        if (block.keys().stream().noneMatch(key -> key.transport() == Transport.HTTPS)) {
            use.warning("has no effect, since no key of this block starts with https://; write https://ZONE, or remove it");
        }
        int connections = limits.getOrDefault("max_connections", HttpsLimits.DEFAULT.connections());
        int streams = limits.getOrDefault("max_streams", HttpsLimits.DEFAULT.streams());
        block.listenSettings(block.listenSettings().withHttps(new HttpsLimits(
                connections == 0 ? Integer.MAX_VALUE : connections, streams == 0 ? HttpsLimits.DEFAULT.streams() : streams)));
    }
}
