package dev.cairn.http;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * A listening socket and how many clients it has. Owned by the HTTP thread, but for {@code stop}.
 *
 * <p>One client too many pushes out the one that has been waiting for longest, or whose request has not come in full for longest: a probe, which
 * sends its request at once, gets through whoever keeps connections to himself, and who opens many pushes out his own.
 */
final class Acceptor implements Served {
    /** How many clients are let in before those who are in get their turn. */
    private static final int AT_ONCE = 16;

    /** How long to wait when there are no file descriptors: the next attempt would fail at once, and so on. */
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final HttpLoop loop;
    private final HttpListener listener;
    private final ServerSocketChannel channel;
    private int connections;
    private long deadline = NEVER;
    private boolean ended;
    private volatile @Nullable Stop stopping;

    /**
     * The wish to have it closed.
     *
     * @param done to be counted down when the last answer is gone
     * @param grace how long answers may take
     */
    record Stop(CountDownLatch done, Duration grace) {}

    Acceptor(HttpLoop loop, HttpListener listener, ServerSocketChannel channel) {
        this.loop = loop;
        this.listener = listener;
        this.channel = channel;
    }

    HttpListener listener() {
        return listener;
    }

    /** Has the port closed. Called by any thread, once. */
    void stop(Stop wish) {
        stopping = wish;
        loop.call(this);
    }

    @Override
    public void ready() {
        Stop wish = stopping;
        if (wish == null) {
            accept();
        } else if (!ended) {
            HttpLoop.close(channel);
            loop.endAll(this, wish.grace());
            ended = true;
            tellIfOver();
        }
    }

    private void accept() {
        for (int i = 0; i < AT_ONCE; i++) {
            SocketChannel client;
            try {
                client = channel.accept();
            } catch (IOException e) {
                pause(e.getMessage());
                return;
            }
            if (client == null) {
                return;
            }
            if (connections < loop.limits().connections() || loop.pushOut(this)) {
                admit(client);
            } else {
                HttpLoop.close(client); // all are being answered
            }
        }
    }

    private void admit(SocketChannel client) {
        try {
            client.configureBlocking(false);
            client.setOption(StandardSocketOptions.TCP_NODELAY, true); // the end of an answer should not wait for the acknowledgement of its beginning
            new HttpConnection(loop, this, client).open();
            connections++;
        } catch (IOException e) {
            HttpLoop.close(client); // it is gone already
        }
    }

    private void pause(@Nullable String reason) {
        Complaints.tell("cannot accept HTTP clients at " + listener + ": " + reason);
        failed();
    }

    private void interest(int operations) {
        SelectionKey key = loop.keyOf(channel);
        if (key != null && key.isValid()) {
            key.interestOps(operations);
        }
    }

    @Override
    public long deadline() {
        return deadline;
    }

    @Override
    public void late() {
        deadline = NEVER;
        interest(SelectionKey.OP_ACCEPT);
    }

    @Override
    public void failed() {
        interest(0);
        deadline = loop.after(PAUSE);
    }

    /** A connection is no more. */
    void left() {
        connections--;
        tellIfOver();
    }

    private void tellIfOver() {
        Stop wish = stopping;
        if (ended && connections == 0 && wish != null) {
            loop.whenFlushed(wish.done());
        }
    }
}
