package dev.cairn.plugin.dnstap;

import dev.cairn.log.Log;
import dev.cairn.metrics.Counter;
import dev.cairn.plugin.Outbox;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A program that connected to get messages; it gets those that are made after the handshake. A thread of its own shakes hands and then
 * waits for the end, the outbox's thread writes.
 */
final class TapCollector {
    private static final Log LOG = Log.plugin("dnstap");

    private final SocketChannel channel;
    private final TapSettings settings;
    private final Counter dropped;
    private final ScheduledExecutorService watchdog;
    private final Consumer<TapCollector> gone;
    private final CountDownLatch ended = new CountDownLatch(1);
    /** Whether its end is told, or needs no telling. */
    private final AtomicBoolean told = new AtomicBoolean();
    private volatile @Nullable Outbox<byte[]> outbox;

    /** @param gone is told when it has left */
    TapCollector(
            SocketChannel channel, TapSettings settings, Counter dropped, ScheduledExecutorService watchdog, Consumer<TapCollector> gone) {
        this.channel = channel;
        this.settings = settings;
        this.dropped = dropped;
        this.watchdog = watchdog;
        this.gone = gone;
    }

    void start() {
        Thread.ofVirtual().name("cairn-dnstap-collector").start(this::run);
    }

    void offer(byte[] frame) {
        Outbox<byte[]> open = outbox;
        if (open != null) {
            open.offer(frame);
        }
    }

    private void run() {
        try {
            TapLink link = TapLink.accept(channel, settings, watchdog);
            Outbox<byte[]> fresh = new Outbox<>("cairn-dnstap", settings.outboxSize(), new Carrier(link), dropped);
            fresh.start();
            outbox = fresh;
            LOG.info("A collector connected to " + settings.target());
            link.awaitFinish();
        } catch (EOFException e) {
            left();
        } catch (IOException e) {
            lost(e);
        } finally {
            ended.countDown();
            abort();
            Outbox<byte[]> last = outbox;
            if (last != null) {
                last.stop(DnstapSetup.GRACE);
            }
            gone.accept(this);
        }
    }

    /** One that leaves before it shook hands only wanted to know whether somebody listens. */
    private void left() {
        if (outbox != null && told.compareAndSet(false, true)) {
            LOG.info("A collector left " + settings.target());
        }
    }

    private void lost(IOException e) {
        if (told.compareAndSet(false, true)) {
            LOG.warning("connection of a collector to " + settings.target() + " lost: " + e);
        }
    }

    /** Takes leave, not longer than a few seconds. */
    void stop() {
        told.set(true);
        Outbox<byte[]> last = outbox;
        if (last == null) {
            abort();
        } else {
            last.stop(DnstapSetup.GRACE);
        }
    }

    private void abort() {
        try {
            channel.close();
        } catch (IOException e) {
            // It is gone either way.
        }
    }

    /** Used by the outbox's thread, but for {@link #giveUp}. */
    private final class Carrier implements Outbox.Carrier<byte[]> {
        private final TapLink link;

        Carrier(TapLink link) {
            this.link = link;
        }

        @Override
        public void carry(List<byte[]> batch) {
            try {
                link.write(batch);
            } catch (IOException e) {
                dropped.add(batch.size());
                lost(e);
                abort();
            }
        }

        @Override
        public void giveUp() {
            abort();
        }

        @Override
        public void close() {
            link.close(ended::await);
        }
    }
}
