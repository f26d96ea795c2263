package dev.cairn.plugin.local;

import dev.cairn.corefile.Use;
import dev.cairn.metrics.Counter;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.PluginSetup;
import java.util.List;
import java.util.Map;

/** Reads {@code local}. */
public final class LocalSetup implements PluginSetup {
    private static final Map<String, Boolean> SWITCH = Map.of("on", true, "off", false);

    @Override
    public String name() {
        return "local";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        boolean prefix = true;
        for (Use use : uses) {
            use.expect(0, 0, "local");
            for (Use line : use.block()) {
                if (!line.name().equals("localhost_prefix")) {
                    line.unknown(List.of("localhost_prefix"));
                } else if (line.expect(1, 1, "localhost_prefix on|off")) {
                    prefix = line.choice(0, SWITCH, true);
                }
            }
        }
        Counter special = block.host().metrics()
                .counter("coredns_local_localhost_requests_total", "Counter of special localhost subdomain requests.")
                .with();
        block.add(new LocalPlugin(prefix, special));
    }
}
