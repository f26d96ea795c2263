package dev.cairn.http;

import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The thread of all HTTP listeners of the process, which is there while there is one of them. Any thread may use it. */
final class HttpThread {
    static final HttpThread OF_PROCESS = new HttpThread(HttpLimits.USUAL);

    /** How long the thread may be busy with other clients when a listener is to be closed; longer than it ever should be. */
    private static final Duration BUSY = Duration.ofSeconds(4);

    private final HttpLimits limits;
    // Both guarded by this.
    private @Nullable HttpLoop loop;
    private int listeners;

    HttpThread(HttpLimits limits) {
        this.limits = limits;
    }

    /** Has a socket served, which is bound and does not block. */
    synchronized Acceptor listen(HttpListener listener, ServerSocketChannel channel) throws IOException {
        HttpLoop running = loop;
        if (running == null) {
            running = HttpLoop.start(limits);
        }
        try {
            Acceptor acceptor = running.listen(listener, channel);
            loop = running;
            listeners++;
            return acceptor;
        } finally {
            if (listeners == 0) {
                running.end();
            }
        }
    }

    /** Closes ports, then gives requests being answered so long to end. */
    void stop(Collection<Acceptor> some, Duration grace) {
        CountDownLatch done = new CountDownLatch(some.size());
        synchronized (this) {
            listeners -= some.size();
            if (listeners == 0 && loop != null) {
                loop.end(); // who comes next has another thread
                loop = null;
            }
            for (Acceptor acceptor : some) {
                acceptor.stop(new Acceptor.Stop(done, grace));
            }
        }
        await(done, grace.plus(BUSY));
    }

    private static void await(CountDownLatch done, Duration patience) {
        long until = System.nanoTime() + patience.toNanos();
        boolean interrupted = false;
        boolean over = false;
        while (!over) {
            try {
                over = done.await(until - System.nanoTime(), TimeUnit.NANOSECONDS) || until - System.nanoTime() <= 0;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
