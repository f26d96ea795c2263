package dev.cairn.plugin.cancel;

import dev.cairn.corefile.Use;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.PluginSetup;
import java.time.Duration;
import java.util.List;

/** Reads {@code cancel}. */
public final class CancelSetup implements PluginSetup {
    /** Clients of the C library wait five seconds; a reply after that finds nobody. */
    private static final Duration DEFAULT = Duration.ofMillis(5001);

    @Override
    public String name() {
        return "cancel";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        Duration timeout = DEFAULT;
        for (Use use : uses) {
            use.expect(0, 1, "cancel [TIMEOUT]");
            timeout = use.durationArg(0, Duration.ofNanos(1), Duration.ofDays(1), DEFAULT);
        }
        block.add(new CancelPlugin(timeout));
    }
}
