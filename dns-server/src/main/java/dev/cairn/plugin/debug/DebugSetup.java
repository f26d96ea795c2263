package dev.cairn.plugin.debug;

import dev.cairn.corefile.Use;
import dev.cairn.log.Log;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.PluginSetup;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Reads {@code debug}. */
public final class DebugSetup implements PluginSetup {
    /** The blocks in service that ask for it; for a moment of a reload those of the old and the new configuration. */
    private static final AtomicInteger BLOCKS = new AtomicInteger();

    @Override
    public String name() {
        return "debug";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        uses.forEach(use -> use.expect(0, 0, "debug"));
        block.debug(true);
        block.stackTraces(true);
        AtomicBoolean started = new AtomicBoolean();
        block.onStart(() -> {
            started.set(true);
            BLOCKS.incrementAndGet();
            Log.debugging(true);
        });
        block.onStop(() -> {
            if (started.getAndSet(false) && BLOCKS.decrementAndGet() == 0) {
                Log.debugging(false);
            }
        });
    }
}
