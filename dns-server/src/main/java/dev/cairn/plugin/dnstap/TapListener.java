package dev.cairn.plugin.dnstap;

import dev.cairn.log.Log;
import dev.cairn.metrics.Counter;
import dev.cairn.plugin.dnstap.TapSettings.Target;
import dev.cairn.tls.TlsFiles;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * A socket that collectors connect to. A thread of its own takes them in, and each has a queue of its own, so that a slow one costs none
 * but itself. An address that cannot be had is tried again and again. What changes is changed under this object's lock; threads that
 * answer queries read the collectors without one.
 */
final class TapListener {
    private static final Log LOG = Log.plugin("dnstap");

    /** How many collectors there may be, since each may have a queue full of messages. */
    static final int MAX_COLLECTORS = 16;

    private final Target target;
    private final Counter dropped;
    private final ScheduledExecutorService watchdog;
    private final Patience patience = new Patience();
    private final List<TapSettings> users = new ArrayList<>();
    private volatile TapCollector[] collectors = {};
    private volatile boolean stopping;
    private @Nullable TapSocket socket;
    private boolean toldFailure;
    private boolean toldFull;
    private long toldDrops;

    TapListener(TapSettings first, Counter dropped, ScheduledExecutorService watchdog) {
        this.target = first.target();
        this.dropped = dropped;
        this.watchdog = watchdog;
        this.toldDrops = dropped.value();
        users.add(first);
    }

    /** Listens when it returns, if the address can be had. */
    void start() {
        bind();
        Thread.ofPlatform().daemon().name("cairn-dnstap-listen").start(this::run);
    }

    /** Has collectors that come from now on served as this user wants. */
    synchronized void join(TapSettings user) {
        users.add(user);
    }

    /** Undoes a {@link #join}; true if nobody is left. */
    synchronized boolean leave(TapSettings user) {
        users.remove(user);
        return users.isEmpty();
    }

    boolean hasCollectors() {
        return collectors.length > 0;
    }

    void offer(byte[] frame) {
        for (TapCollector collector : collectors) {
            collector.offer(frame);
        }
    }

    private void run() {
        try {
            while (!stopping) {
                TapSocket open = socket();
                if (open == null) {
                    patience.pause();
                    bind();
                } else {
                    accept(open);
                }
            }
        } catch (InterruptedException e) {
            // told to stop
        }
    }

    private synchronized @Nullable TapSocket socket() {
        return socket;
    }

    /** Tries to listen. That it fails is told once, until it goes well. */
    private void bind() {
        try {
            TapSocket fresh = TapSocket.bind(target);
            LOG.info("Listening for collectors on " + fresh);
            use(fresh);
            patience.restore();
            toldFailure = false;
        } catch (IOException e) {
            if (!toldFailure) {
                LOG.error("Cannot listen for collectors on " + target + ": " + e.getMessage() + "; trying again");
                toldFailure = true;
            }
        }
    }

    private synchronized void use(TapSocket fresh) {
        if (stopping) {
            close(fresh);
        } else {
            socket = fresh;
        }
    }

    private void accept(TapSocket open) {
        try {
            admit(open.accept());
        } catch (IOException e) {
            synchronized (this) {
                if (!stopping) {
                    LOG.error("Listening for collectors on " + target + " failed: " + e + "; trying again");
                    close(open);
                    socket = null;
                }
            }
        }
    }

    private synchronized void admit(SocketChannel channel) throws IOException {
        if (stopping || collectors.length == MAX_COLLECTORS) {
            channel.close();
            if (!stopping && !toldFull) {
                LOG.warning(target + " has " + MAX_COLLECTORS + " collectors, which is the most; others are turned away");
                toldFull = true;
            }
            return;
        }
        TapSettings newest = users.getLast();
        TlsFiles files = newest.tls();
        if (files != null) {
            files.refresh();
        }
        TapCollector fresh = new TapCollector(channel, newest, dropped, watchdog, this::gone);
        TapCollector[] more = Arrays.copyOf(collectors, collectors.length + 1);
        more[collectors.length] = fresh;
        collectors = more;
        fresh.start();
    }

    private synchronized void gone(TapCollector collector) {
        collectors = Arrays.stream(collectors).filter(one -> one != collector).toArray(TapCollector[]::new);
        toldFull = false;
        long now = dropped.value();
        if (now > toldDrops) {
            LOG.warning("Dropped dnstap messages: " + (now - toldDrops));
            toldDrops = now;
        }
    }

    /** Takes leave of the collectors, of all at the same time. */
    void stop() {
        TapSocket last;
        synchronized (this) {
            stopping = true;
            last = socket;
        }
        patience.end();
        if (last != null) {
            close(last);
        }
        List<Thread> partings = Arrays.stream(collectors).map(collector -> Thread.ofVirtual().start(collector::stop)).toList();
        try {
            for (Thread parting : partings) {
                parting.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void close(TapSocket open) {
        try {
            open.close();
        } catch (IOException e) {
            LOG.warning("Cannot clean up the socket " + target + ": " + e.getMessage());
        }
    }
}
