package dev.cairn.plugin.cache;

import dev.cairn.corefile.Use;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.PluginSetup;
import java.util.List;
import java.util.function.LongSupplier;

/** Reads {@code cache}. */
public final class CacheSetup implements PluginSetup {
    private final LongSupplier clock;

    public CacheSetup() {
        this(System::nanoTime);
    }

    /** @param clock nanoseconds, as {@link System#nanoTime} */
    CacheSetup(LongSupplier clock) {
        this.clock = clock;
    }

    @Override
    public String name() {
        return "cache";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        Use.onlyOnce(uses);
        CacheSettings settings = new SettingsReader(uses.getFirst(), block).read();
        CacheMetrics metrics = new CacheMetrics(block.host().metrics(), settings.zonesLabel());
        AnswerStore store = new AnswerStore(settings, metrics);
        block.onStart(() -> metrics.start(block.routes(), store));
        block.onStop(() -> metrics.stop(block.routes()));
        block.add(new CachePlugin(settings, store, metrics, clock, block.host().scheduler()));
    }
}
