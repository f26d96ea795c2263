package dev.cairn.chain;

import dev.cairn.wire.Answer;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.WireName;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One query on its way to a reply, with all that plugins may want to know of it. Owned by one thread at a time: the listener's until a plugin
 * returns {@link Step#LATER}, then that of whoever resumes it. Listeners use an exchange again and again, so plugins keep no reference to one
 * that they did not keep by {@link Step#LATER}.
 */
public final class Exchange {
    private static final VarHandle SETTLED;

    static {
        try {
            SETTLED = MethodHandles.lookup().findVarHandle(Exchange.class, "settled", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final QueryView query = new QueryView();
    private final Answer answer = new Answer();
    private final byte[] clientAddress = new byte[16];
    private final byte[] localAddress = new byte[16];
    private int addressLength = 4;
    private int clientPort;
    private int scope;
    private int localPort;
    private Protocol protocol = Protocol.UDP;
    private long startNanos;
    private long endNanos;
    private int replyLength;
    private int replyFlags;
    private int position;
    private Route route;
    private @Nullable Plugin answeredBy;
    private @Nullable String error;
    private @Nullable Object attachment;
    private @Nullable Dispatcher dispatcher;
    private @Nullable ReplySink sink;
    private @Nullable Router router;
    private @Nullable Consumer<Exchange> whenAnswered;
    private boolean hasDeadline;
    private long deadlineNanos;

    // Used only once the exchange was kept. A kept exchange is not used again by its listener, so these need no resetting.
    private volatile boolean settled;
    private volatile @Nullable Future<?> alarm;

    public Exchange() {
        route = Router.empty("").unrouted();
    }

    public QueryView query() {
        return query;
    }

    public Answer answer() {
        return answer;
    }

    /** The route chosen for the query; the server's {@link Router#unrouted} if it has not got that far. */
    public Route route() {
        return route;
    }

    public Protocol protocol() {
        return protocol;
    }

    /** 4 or 16: how many bytes of {@link #clientAddress} and {@link #localAddress} count. */
    public int addressLength() {
        return addressLength;
    }

    public byte[] clientAddress() {
        return clientAddress;
    }

    public byte[] localAddress() {
        return localAddress;
    }

    public int clientPort() {
        return clientPort;
    }

    public int localPort() {
        return localPort;
    }

    /** The client's address as an object. Allocates: for logs and slow paths. */
    public InetAddress client() {
        return toInetAddress(clientAddress);
    }

    /** The address the client sent to. Allocates: for logs and slow paths. */
    public InetAddress local() {
        return toInetAddress(localAddress);
    }

    private InetAddress toInetAddress(byte[] address) {
        try {
            return InetAddress.getByAddress(Arrays.copyOf(address, addressLength));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address has 4 or 16 bytes", e);
        }
    }

    /** When the query was received, in {@link System#nanoTime}. */
    public long startNanos() {
        return startNanos;
    }

    /** How long the reply took; known to finish hooks. */
    public long durationNanos() {
        return endNanos - startNanos;
    }

    /** The size of the reply; known to finish hooks, 0 for a dropped query. */
    public int replyLength() {
        return replyLength;
    }

    /** The header flags of the reply as sent, TC included; known to finish hooks. */
    public int replyFlags() {
        return replyFlags;
    }

    /** The plugin that gave the answer, null if the server itself did. */
    public @Nullable Plugin answeredBy() {
        return answeredBy;
    }

    void answeredBy(@Nullable Plugin plugin) {
        answeredBy = plugin;
    }

    /** Makes the answer an empty one with this code, because of something that {@code errors} should tell the operator. */
    public Step fail(int rcode, String message) {
        answer.clear();
        answer.rcode(rcode);
        error = message;
        return Step.ANSWERED;
    }

    /** Makes the answer an empty one with this code. */
    public Step refuse(int rcode) {
        answer.clear();
        answer.rcode(rcode);
        return Step.ANSWERED;
    }

    /** What went wrong, for the operator. */
    public @Nullable String error() {
        return error;
    }

    /**
     * Sets when the client must have its answer, in {@link System#nanoTime}. If a plugin keeps the exchange for longer, the client gets
     * SERVFAIL, and what the plugin answers after that goes nowhere. To be set before any plugin keeps the exchange.
     */
    public void deadline(long nanos) {
        hasDeadline = true;
        deadlineNanos = nanos;
    }

    /** Whether there is a time at which an answer comes too late. */
    public boolean hasDeadline() {
        return hasDeadline;
    }

    /** When an answer comes too late, in {@link System#nanoTime}; of no meaning unless {@link #hasDeadline}. */
    public long deadlineNanos() {
        return deadlineNanos;
    }

    /** What a plugin keeps with the query while it is away. */
    public @Nullable Object attachment() {
        return attachment;
    }

    public void attachment(@Nullable Object object) {
        attachment = object;
    }

    int position() {
        return position;
    }

    void position(int index) {
        position = index;
    }

    // What follows is for listeners.

    /** Says who asks; the two addresses have {@code length} bytes each, which are copied. */
    public void from(Protocol by, byte[] client, int port, byte[] local, int toPort, int length) {
        protocol = by;
        addressLength = length;
        System.arraycopy(client, 0, clientAddress, 0, length);
        System.arraycopy(local, 0, localAddress, 0, length);
        clientPort = port;
        localPort = toPort;
    }

    /** The interface a link-local client is on, 0 for others. */
    public int scope() {
        return scope;
    }

    public void scope(int interfaceIndex) {
        scope = interfaceIndex;
    }

    /** Starts anew for the next query. */
    void begin(Dispatcher by, ReplySink to, Router over, long now) {
        dispatcher = by;
        sink = to;
        router = over;
        route = over.unrouted();
        whenAnswered = null;
        startNanos = now;
        replyLength = 0;
        position = -1;
        answeredBy = null;
        error = null;
        attachment = null;
        hasDeadline = false;
        answer.reset(query);
    }

    void route(Route chosen) {
        route = chosen;
    }

    void end(int length, int flags, long now) {
        replyLength = length;
        replyFlags = flags;
        endNanos = now;
    }

    /** Claims the right to reply to the client, which only one caller gets: whoever resumed the exchange to its end, or the deadline. */
    boolean settle() {
        if (!SETTLED.compareAndSet(this, false, true)) {
            return false;
        }
        silence();
        return true;
    }

    /** Keeps what will go off at the deadline, to silence it when the reply is sent, which may already be so. */
    void alarm(Future<?> set) {
        alarm = set;
        if (settled) {
            silence();
        }
    }

    private void silence() {
        Future<?> set = alarm;
        if (set != null) {
            set.cancel(false);
        }
    }

    /** Whether the client has its reply already, so that there is no use in doing more; for exchanges that were kept. */
    public boolean isSettled() {
        return settled;
    }

    /**
     * The same query anew, for a reply at the deadline. Reads only what stays as it was received, since a plugin still works on this one.
     */
    Exchange again() {
        if (dispatcher == null || sink == null || router == null) {
            throw new IllegalStateException("the exchange has not begun");
        }
        Exchange copy = new Exchange();
        int size = query.length();
        System.arraycopy(query.message(), 0, copy.query.buffer(size), 0, size);
        copy.query.read(size);
        copy.from(protocol, clientAddress, clientPort, localAddress, localPort, addressLength);
        copy.scope(scope);
        copy.begin(dispatcher, sink, router, startNanos);
        copy.route(route);
        return copy;
    }

    /** Sends what was made on another thread than the listener's. */
    void send(byte[] reply, int length) {
        if (sink != null) {
            sink.send(this, reply, length);
        }
    }

    /**
     * Asks the whole server a question of its own, as if this client had asked it, and hands the answered exchange to {@code then}, on this
     * thread or later on another. Returns what the caller's plugin is to return: the exchange goes on by itself once {@code then} has run.
     */
    public Step ask(WireName name, int type, Consumer<Exchange> then) {
        if (dispatcher == null || router == null || sink == null) {
            throw new IllegalStateException("the exchange has not begun");
        }
        Exchange inner = new Exchange();
        int size = inner.query.write(name, type, query);
        inner.from(Protocol.TCP, clientAddress, clientPort, localAddress, localPort, addressLength);
        inner.scope(scope);
        inner.query.read(size);
        inner.begin(dispatcher, sink, router, System.nanoTime());
        return dispatcher.ask(inner, router, answered -> {
            then.accept(answered);
            resume(Step.ANSWERED);
        }, then);
    }

    void whenAnswered(Consumer<Exchange> callback) {
        whenAnswered = callback;
    }

    @Nullable Consumer<Exchange> whenAnswered() {
        return whenAnswered;
    }

    /**
     * Goes on with an exchange that a plugin kept, from below it ({@link Step#NEXT}), with its answer, or with none. Does nothing if the
     * deadline has passed and the client was told so.
     */
    public void resume(Step step) {
        if (dispatcher == null) {
            throw new IllegalStateException("the exchange has not begun");
        }
        if (!settled) {
            dispatcher.resume(this, step);
        }
    }
}
