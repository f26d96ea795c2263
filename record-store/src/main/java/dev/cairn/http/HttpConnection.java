package dev.cairn.http;

import dev.cairn.http.HttpListener.Route;
import dev.cairn.http.RequestHead.Afterwards;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A client, from its first request to its last reply. Owned by the HTTP thread. It is read from while no request is being answered, and no
 * further than to the end of a head, so that a client that sends more than it reads fills its own buffers.
 */
final class HttpConnection implements Served {
    private static final Map<String, String> ALLOW = Map.of("Allow", "GET, HEAD");

    /** What the JDK copies at once on its way to the kernel, and keeps memory of its own for. */
    private static final int SLICE = 1 << 16;

    private enum State {
        /** For a request, or for the rest of one. */
        WAITING,
        /** A slow responder is at work. */
        ANSWERING,
        SENDING,
        /**
         * All is sent, and the client knows. What it still sends is taken, since the kernel would otherwise break off the connection, and the
         * last reply with it (RFC 9112 section 9.6).
         */
        LEAVING
    }

    private final HttpLoop loop;
    private final Acceptor acceptor;
    private final SocketChannel channel;
    private final RequestBuffer in;
    private @Nullable SelectionKey key;
    private State state = State.WAITING;
    /** Whether a part of the request has come that it waits for. */
    private boolean begun;
    /** Whether the listener is closed. */
    private boolean ending;
    private Afterwards afterwards = Afterwards.KEEP;
    private ByteBuffer out = ByteBuffer.allocate(0);
    private long since = System.nanoTime();
    private long deadline = NEVER;
    /** What a slow responder had to say; its thread writes this, and calls. */
    private volatile @Nullable ByteBuffer answer;
    private volatile boolean closed;

    HttpConnection(HttpLoop loop, Acceptor acceptor, SocketChannel channel) {
        this.loop = loop;
        this.acceptor = acceptor;
        this.channel = channel;
        in = new RequestBuffer(loop.limits().headBytes());
    }

    void open() throws IOException {
        key = loop.register(channel, SelectionKey.OP_READ, this);
        await(State.WAITING, SelectionKey.OP_READ, loop.limits().idle());
    }

    /** The time from which on it has waited for a request; {@link #NEVER} if that is not what it does. */
    long waitingSince() {
        return state == State.WAITING || state == State.LEAVING ? since : NEVER;
    }

    boolean isOf(Acceptor one) {
        return acceptor == one;
    }

    @Override
    public void ready() throws IOException {
        if (closed) {
            return;
        }
        switch (state) {
            case WAITING -> receive();
            case ANSWERING -> {
                ByteBuffer reply = answer;
                if (reply != null) {
                    answer = null;
                    send(reply);
                }
            }
            case SENDING -> send(out);
            case LEAVING -> {
                if (channel.read(loop.waste()) < 0) {
                    close();
                }
            }
        }
    }

    private void receive() throws IOException {
        boolean more = in.fill(channel);
        int length = in.headLength();
        if (length > 0) {
            RequestHead head = RequestParser.parse(in.bytes(), length);
            in.drop(length);
            answer(head);
        } else if (!more) {
            close();
        } else if (in.isFull()) {
            answer(new RequestHead.Bad(in.hasLine() ? 431 : 414)); // RFC 6585 section 5, RFC 9110 section 15.5.15
        } else if (!begun && !in.isEmpty()) {
            begun = true;
            deadline = loop.after(loop.limits().request());
        }
    }

    private void answer(RequestHead head) throws IOException {
        deadline = loop.after(loop.limits().reply());
        // No switch: to link it the first request would load fifty classes.
        if (head instanceof RequestHead.Good good) {
            afterwards = good.afterwards();
            answer(good.request());
        } else if (head instanceof RequestHead.Bad bad) {
            afterwards = Afterwards.CLOSE;
            send(ReplyBytes.of(bad.reply(), null, afterwards));
        }
    }

    private void answer(HttpRequest request) throws IOException {
        Route route = acceptor.listener().route(request.path());
        SlowAnswers slowly = route == null ? null : route.slowly();
        if (route == null) {
            send(ReplyBytes.of(HttpReply.text(404, "404 page not found\n"), request, afterwards));
        } else if (!request.method().equals("GET") && !request.isHead()) {
            HttpReply refusal = HttpReply.text(405, "405 method not allowed\n");
            send(ReplyBytes.of(new HttpReply(refusal.status(), refusal.contentType(), ALLOW, refusal.body()), request, afterwards));
        } else if (slowly == null) {
            send(route.reply(request, afterwards));
        } else {
            state = State.ANSWERING;
            interest(0);
            Afterwards then = afterwards;
            slowly.ask(() -> answerSlowly(route, request, then));
        }
    }

    /** Run by the thread of slow answers; nobody waits for the answer any more if the client has been given up. */
    private void answerSlowly(Route route, HttpRequest request, Afterwards then) {
        if (!closed) {
            answer = route.reply(request, then);
            loop.call(this);
        }
    }

    private void send(ByteBuffer reply) throws IOException {
        int end = reply.limit();
        int written;
        do {
            reply.limit(Math.min(end, reply.position() + SLICE));
            written = channel.write(reply);
            reply.limit(end);
        } while (written > 0 && reply.hasRemaining());
        if (reply.hasRemaining()) {
            out = reply;
            state = State.SENDING;
            interest(SelectionKey.OP_WRITE);
        } else {
            sent();
        }
    }

    private void sent() throws IOException {
        out = ByteBuffer.allocate(0);
        since = System.nanoTime();
        if (ending) {
            close();
        } else if (afterwards == Afterwards.CLOSE) {
            channel.shutdownOutput();
            await(State.LEAVING, SelectionKey.OP_READ, loop.limits().request());
        } else {
            begun = !in.isEmpty();
            await(State.WAITING, SelectionKey.OP_READ, begun ? loop.limits().request() : loop.limits().idle());
            if (begun) {
                loop.call(this); // perhaps a whole request; others get their turn before it
            }
        }
    }

    private void await(State next, int operations, Duration patience) {
        state = next;
        interest(operations);
        deadline = loop.after(patience);
    }

    private void interest(int operations) {
        if (key != null) {
            key.interestOps(operations);
        }
    }

    /** The listener is closed; what is being answered may still be, for so long. */
    void end(Duration grace) {
        ending = true;
        if (waitingSince() != NEVER || grace.isZero()) {
            close();
        } else {
            long end = loop.after(grace);
            deadline = end - deadline < 0 ? end : deadline;
        }
    }

    @Override
    public long deadline() {
        return deadline;
    }

    @Override
    public void late() {
        close();
    }

    @Override
    public void failed() {
        close();
    }

    void close() {
        if (!closed) {
            closed = true;
            HttpLoop.close(channel);
            acceptor.left();
        }
    }
}
