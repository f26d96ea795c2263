package dev.cairn.plugin.reload;

import dev.cairn.corefile.Use;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.PluginSetup;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/** Reads {@code reload}. */
public final class ReloadSetup implements PluginSetup {
    private static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(30);
    private static final Duration MIN_INTERVAL = Duration.ofSeconds(2);
    private static final Duration DEFAULT_JITTER = Duration.ofSeconds(15);
    private static final Duration MIN_JITTER = Duration.ofSeconds(1);
    private static final Duration MAX = Duration.ofDays(365);

    @Override
    public String name() {
        return "reload";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        Use.onlyOnce(uses);
        Use use = uses.getFirst();
        use.expect(0, 2, "reload [INTERVAL] [JITTER]");
        Duration interval = use.durationArg(0, MIN_INTERVAL, MAX, DEFAULT_INTERVAL);
        Duration jitter = use.durationArg(1, Duration.ZERO, MAX, DEFAULT_JITTER);
        if (!jitter.isZero() && jitter.compareTo(MIN_JITTER) < 0) {
            use.error("the jitter " + use.arg(1, "") + " is too small: write 0s for none, or at least 1s");
        }
        ReloadWatcher watcher = block.shared(ReloadWatcher.class,
                () -> new ReloadWatcher(block.host().reloading(), block.host().digest().get(), block.host().metrics()));
        watcher.interval(spread(interval, jitter, RandomGenerator.getDefault()));
        block.onStart(watcher::start);
        block.onShutdown(watcher::stop);
        block.onStop(watcher::stop);
    }

    /** Moves the interval by up to half the jitter up or down, so that servers that were started together don't reload together. */
    static Duration spread(Duration interval, Duration jitter, RandomGenerator random) {
        long width = Math.min(jitter.toNanos(), interval.toNanos() / 2);
        return width == 0 ? interval : interval.plusNanos(random.nextLong(width) - width / 2);
    }
}
