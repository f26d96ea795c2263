package dev.cairn.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What the HTTP thread does: waits for sockets, has them served one after the other, and gives up what takes too long. Owned by that thread, but for
 * {@code listen}, {@code call} and {@code end}. It lives until {@code end} has been called and all sockets are closed.
 */
final class HttpLoop implements Runnable {
    private static final int WASTE = 1 << 14;
    private static final long NANOS_PER_MILLI = 1_000_000;

    /** How long to wait after a defect, which may be there still. */
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final HttpLimits limits;
    private final Selector selector;
    private final Queue<Served> calls = new ConcurrentLinkedQueue<>();
    /** To be counted down once the kernel has taken back what was closed. */
    private final List<CountDownLatch> overWhenFlushed = new ArrayList<>();
    private @Nullable ByteBuffer waste;
    private long nearest = Served.NEVER;
    private volatile boolean ending;

    private HttpLoop(HttpLimits limits) throws IOException {
        this.limits = limits;
        selector = Selector.open();
        Complaints.prepare();
    }

    /** Begins to serve. */
    static HttpLoop start(HttpLimits limits) throws IOException {
        HttpLoop loop = new HttpLoop(limits);
        Thread.ofPlatform().daemon().name("cairn-http").start(loop);
        return loop;
    }

    /** Has a socket served, which is bound and does not block. */
    Acceptor listen(HttpListener listener, ServerSocketChannel channel) throws IOException {
        Acceptor acceptor = new Acceptor(this, listener, channel);
        register(channel, SelectionKey.OP_ACCEPT, acceptor);
        selector.wakeup();
        return acceptor;
    }

    /** Has somebody's {@code ready} called in a while. */
    void call(Served served) {
        calls.add(served);
        selector.wakeup();
    }

    /** Has it end with its last socket. */
    void end() {
        ending = true;
        selector.wakeup();
    }

    HttpLimits limits() {
        return limits;
    }

    SelectionKey register(SelectableChannel channel, int operations, Served served) throws IOException {
        return channel.register(selector, operations, served);
    }

    @Nullable SelectionKey keyOf(SelectableChannel channel) {
        return channel.keyFor(selector);
    }

    /** The time in so long, when somebody will be told that it is late. */
    long after(Duration patience) {
        long time = System.nanoTime() + patience.toNanos();
        wakeBy(time);
        return time;
    }

    private void wakeBy(long time) {
        if (nearest == Served.NEVER || time - nearest < 0) {
            nearest = time;
        }
    }

    /** Room for bytes that nobody wants. */
    ByteBuffer waste() {
        if (waste == null) {
            waste = ByteBuffer.allocateDirect(WASTE);
        }
        return waste.clear();
    }

    /** Closes the connection that has waited for longest; false if none does. */
    boolean pushOut(Acceptor acceptor) {
        HttpConnection longest = null;
        for (SelectionKey key : selector.keys()) {
            if (key.isValid() && key.attachment() instanceof HttpConnection other && other.isOf(acceptor) && other.waitingSince() != Served.NEVER
                    && (longest == null || other.waitingSince() - longest.waitingSince() < 0)) {
                longest = other;
            }
        }
        if (longest != null) {
            longest.close();
        }
        return longest != null;
    }

    void endAll(Acceptor acceptor, Duration grace) {
        for (SelectionKey key : selector.keys()) {
            if (key.isValid() && key.attachment() instanceof HttpConnection connection && connection.isOf(acceptor)) {
                connection.end(grace);
            }
        }
    }

    void whenFlushed(CountDownLatch done) {
        overWhenFlushed.add(done);
    }

    static void close(Channel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // There is no more to be done about it.
        }
    }

    @Override
    public void run() {
        while (!ending || !selector.keys().isEmpty() || !overWhenFlushed.isEmpty()) {
            try {
                turn();
            } catch (IOException | RuntimeException | Error e) {
                Complaints.defect("defect while serving HTTP", e);
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }
        try {
            selector.close();
        } catch (IOException e) {
            Complaints.defect("defect while serving HTTP", e);
        }
    }

    private void turn() throws IOException {
        if (!calls.isEmpty() || !overWhenFlushed.isEmpty()) {
            selector.selectNow();
        } else if (nearest == Served.NEVER) {
            selector.select();
        } else {
            selector.select(Math.max(1, (nearest - System.nanoTime()) / NANOS_PER_MILLI + 1));
        }
        for (CountDownLatch done : overWhenFlushed) {
            done.countDown();
        }
        overWhenFlushed.clear();
        for (Iterator<SelectionKey> keys = selector.selectedKeys().iterator(); keys.hasNext();) {
            SelectionKey key = keys.next();
            keys.remove();
            if (key.isValid()) {
                serve((Served) key.attachment());
            }
        }
        for (int i = calls.size(); i > 0; i--) {
            serve(calls.remove());
        }
        if (nearest != Served.NEVER && nearest - System.nanoTime() <= 0) {
            expire();
        }
    }

    private void serve(Served served) {
        try {
            served.ready();
        } catch (IOException e) {
            served.failed(); // the client went away
        } catch (RuntimeException | Error e) {
            Complaints.defect("defect while serving HTTP", e);
            served.failed();
        }
    }

    private void expire() {
        nearest = Served.NEVER;
        long now = System.nanoTime();
        for (SelectionKey key : selector.keys()) {
            Served served = (Served) key.attachment();
            long deadline = served.deadline();
            if (key.isValid() && deadline != Served.NEVER) {
                if (deadline - now <= 0) {
                    served.late();
                } else {
                    wakeBy(deadline);
                }
            }
        }
    }
}
