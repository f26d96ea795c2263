package dev.cairn.plugin.dnstap;

import dev.cairn.log.Log;
import dev.cairn.metrics.Counter;
import dev.cairn.plugin.Outbox;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * The program that gets the messages. Owned by the outbox's thread, but for {@link #giveUp} and {@link #giveUpWaiting}. Tries again and again
 * to reach it; meanwhile messages wait, and are dropped when there are too many.
 */
final class TapSink implements Outbox.Carrier<byte[]> {
    private static final Log LOG = Log.plugin("dnstap");

    private final TapSettings settings;
    private final Counter dropped;
    private final ScheduledExecutorService watchdog;
    private final Patience patience = new Patience();
    private volatile @Nullable TapLink link;
    private long toldDrops;

    TapSink(TapSettings settings, Counter dropped, ScheduledExecutorService watchdog) {
        this.settings = settings;
        this.dropped = dropped;
        this.watchdog = watchdog;
        this.toldDrops = dropped.value();
    }

    @Override
    public void carry(List<byte[]> batch) throws InterruptedException {
        TapLink open = link;
        if (open == null) {
            open = connect();
            link = open;
        }
        try {
            open.write(batch);
        } catch (IOException e) {
            LOG.warning("connection to " + settings.target() + " lost: " + e.getMessage());
            dropped.add(batch.size());
            open.abort();
            link = null;
        }
    }

    private TapLink connect() throws InterruptedException {
        patience.restore();
        boolean told = false;
        while (true) {
            try {
                TapLink fresh = TapLink.open(settings, watchdog);
                tellDrops();
                return fresh;
            } catch (IOException e) {
                if (!told) {
                    LOG.error("No connection to dnstap endpoint: " + settings.target() + ": " + e.getMessage() + "; trying again");
                    told = true;
                }
            }
            patience.pause();
        }
    }

    private void tellDrops() {
        long now = dropped.value();
        if (now > toldDrops) {
            LOG.warning("Dropped dnstap messages: " + (now - toldDrops));
            toldDrops = now;
        }
    }

    /** A sink that cannot be reached is not waited for any longer. */
    void giveUpWaiting() {
        patience.end();
    }

    @Override
    public void giveUp() {
        TapLink open = link;
        if (open != null) {
            open.abort();
        }
    }

    @Override
    public void close() {
        TapLink open = link;
        if (open != null) {
            open.close();
            link = null;
        }
    }
}
