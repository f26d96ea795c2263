package dev.cairn.plugin.health;

import dev.cairn.corefile.Use;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.PluginSetup;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/** Reads {@code health}. */
public final class HealthSetup implements PluginSetup {
    private static final String DEFAULT_ADDRESS = ":8080";
    private static final Duration MAX_LAMEDUCK = Duration.ofHours(24);

    @Override
    public String name() {
        return "health";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        Lameduck lameduck = block.shared(Lameduck.class, Lameduck::new);
        for (Use use : uses) {
            use.expect(0, 1, "health [ADDRESS]");
            InetSocketAddress address = use.addressArg(0, DEFAULT_ADDRESS);
            for (Use line : use.block()) {
                if (line.name().equals("lameduck")) {
                    line.expect(1, 1, "lameduck DURATION");
                    lameduck.atLeast(line.durationArg(0, Duration.ZERO, MAX_LAMEDUCK, Duration.ZERO));
                } else {
                    line.unknown(List.of("lameduck"));
                }
            }
            HealthEndpoint endpoint = new HealthEndpoint(address, block.host().http(), block.host().metrics());
            block.onStart(endpoint::open);
            block.onStop(endpoint::close);
        }
        block.onShutdown(lameduck::pass);
    }
}
