package dev.cairn.chain;

import dev.cairn.wire.Answer;
import dev.cairn.wire.OwnQuery;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.WireName;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One query on its way to a reply, with all that plugins may want to know of it. Owned by one thread at a time: the listener's until a
 * plugin returns {@link Step#LATER}, then that of whoever resumes it. Listeners use an exchange again and again, so plugins keep no
 * reference to one that they did not keep by {@link Step#LATER}, and none after they have resumed it.
 */
public final class Exchange extends Custody {
    private static final int[] NO_OPTIONS = {};
    private static final String NOT_BEGUN = "the exchange has not begun";
    private static final Route NOWHERE = Router.empty("").unrouted();

    private final QueryView query = new QueryView();
    private final Answer answer = new Answer();
    private long startNanos;
    private long endNanos;
    private char replyLength;
    private char replyFlags;
    private short position;
    private short ceiling = -1;
    private boolean dropped;
    private boolean momentary;
    private Route route = NOWHERE;
    private @Nullable Plugin answeredBy;
    private @Nullable String error;
    private @Nullable String upstream;
    private @Nullable Note notes;
    private short depth;
    private @Nullable Dispatcher dispatcher;
    private @Nullable ReplySink sink;
    private @Nullable Router router;
    private @Nullable Consumer<Exchange> whenAnswered;
    private @Nullable ReplyStream stream;
    private @Nullable ReplySeal seal;
    private int[] passedOn = NO_OPTIONS;
    private boolean personal;

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

    /**
     * Says that the answer tells of this server at this moment alone, and that nobody was asked for it: the next client may get a better one, so nobody is to
     * keep it.
     */
    public void momentary() {
        momentary = true;
    }

    public boolean isMomentary() {
        return momentary;
    }

    /** What went wrong, for the operator. */
    public @Nullable String error() {
        return error;
    }

    /** The server that the query was sent on to, as metrics name it; null if it was not, or that is not known yet. */
    public @Nullable String upstream() {
        return upstream;
    }

    public void upstream(String label) {
        upstream = label;
    }

    /** Leaves something for this plugin to find again on the way back; replaces what it left before. */
    public void note(Plugin plugin, @Nullable Object object) {
        notes = new Note(plugin, object, notes);
    }

    /** What the plugin left with this query on the way down; null if nothing. */
    public @Nullable Object note(Plugin plugin) {
        return Note.find(notes, plugin);
    }

    /**
     * Has an EDNS option of the query go to the servers that it is sent on to. The client's own options are between it and us, and stay here.
     *
     * @param aboutClient whether other clients would get another option, and so perhaps another answer
     */
    public void passOn(int optionCode, boolean aboutClient) {
        if (!passesOn(optionCode)) {
            passedOn = Arrays.copyOf(passedOn, passedOn.length + 1);
            passedOn[passedOn.length - 1] = optionCode;
        }
        personal |= aboutClient;
    }

    /** The codes of the options that go to other servers, each once; to be left unchanged. */
    public int[] passedOn() {
        return passedOn;
    }

    /** Whether {@link #passOn} was called for the option. */
    public boolean passesOn(int optionCode) {
        return Arrays.stream(passedOn).anyMatch(code -> code == optionCode);
    }

    /** Whether the answer may be of no use to other clients. */
    public boolean isPersonal() {
        return personal;
    }

    /** Whether the reply may have more than one message: neither over UDP nor for questions of the server's own. */
    public boolean takesStreams() {
        return depth == 0 && sink != null && sink.takesStreams();
    }

    /** Lets more messages follow the answer. Hooks on the way back see only the first; {@link ReplySeal} gets them all. */
    public void stream(@Nullable ReplyStream following) {
        stream = following;
    }

    /** The messages that follow the reply, null if it is but one; for listeners. */
    public @Nullable ReplyStream stream() {
        return stream;
    }

    /** Has the reply's messages sealed when they are made. */
    public void seal(ReplySeal by) {
        seal = by;
    }

    @Nullable ReplySeal seal() {
        return seal;
    }

    /** How many questions that the server asks itself lead here from the client's, which has 0: so that going round in circles ends. */
    public int depth() {
        return depth;
    }

    int position() {
        return position;
    }

    void position(int index) {
        position = (short) index;
    }

    /** The place in the chain that the answer does not pass on its way up; -1 if it goes all the way. */
    int ceiling() {
        return ceiling;
    }

    /** Whether a question of the server's own ended without an answer because a plugin wants none to be sent. */
    public boolean isDropped() {
        return dropped;
    }

    void dropped(boolean without) {
        dropped = without;
    }

    /** Starts anew for the next query. */
    void begin(Dispatcher by, ReplySink to, Router over, long now) {
        dispatcher = by;
        sink = to;
        router = over;
        route = over.unrouted();
        whenAnswered = null;
        stream = null;
        seal = null;
        depth = 0;
        startNanos = now;
        replyLength = 0;
        position = -1;
        ceiling = -1;
        dropped = false;
        momentary = false;
        answeredBy = null;
        error = null;
        upstream = null;
        notes = null;
        passedOn = NO_OPTIONS;
        personal = false;
        unsettled();
        answer.reset(query);
    }

    /** Lets go of all that would outlive its use here, such as a configuration that has been replaced, and of room that few queries need. */
    void forget() {
        dispatcher = null;
        sink = null;
        router = null;
        route = NOWHERE;
        whenAnswered = null;
        stream = null;
        seal = null;
        answeredBy = null;
        error = null;
        notes = null;
        relayedBy(null);
        forgetInner();
        query.trim();
        answer.trim();
    }

    void route(Route chosen) {
        route = chosen;
    }

    void end(int length, int flags, long now) {
        replyLength = (char) length;
        replyFlags = (char) flags;
        endNanos = now;
    }

    /**
     * The same query anew, for a reply at the deadline. Reads only what stays as it was received, since a plugin still works on this one.
     */
    Exchange again() {
        if (sink == null) {
            throw new IllegalStateException(NOT_BEGUN);
        }
        Exchange copy = new Exchange();
        int size = query.receivedLength();
        System.arraycopy(query.received(), 0, copy.query.buffer(size), 0, size);
        copy.query.read(size);
        copy.like(this, protocol());
        copy.relayedBy(relay());
        copy.begin(begun(), sink, router(), startNanos);
        copy.route(route);
        copy.seal = seal;
        return copy;
    }

    /** Sends what was made on another thread than the listener's. */
    void send(byte[] reply, int length) {
        if (sink != null) {
            sink.send(this, reply, length);
        }
    }

    /** The client has its reply, after a plugin had kept the exchange. One whose deadline is watched may still be looked at. */
    void release() {
        router().release();
        if (!hasDeadline() && sink != null) {
            sink.reuse(this);
        }
    }

    /**
     * Asks the whole server a question of its own, as if this client had asked it, and hands the answered exchange to {@code then}, on this
     * thread or later on another. Returns what the caller's plugin is to return: the exchange goes on by itself once {@code then} has run.
     */
    public Step ask(WireName name, int type, Consumer<Exchange> then) {
        Exchange inner = new Exchange();
        OwnQuery.ask(inner.query, name, type, query);
        begin(inner, Protocol.TCP, depth + 1);
        return begun().ask(inner, inner.router(), answered -> {
            then.accept(answered);
            resume(Step.ANSWERED);
        }, then);
    }

    /**
     * The same query for the plugins below the one that has this exchange, asked by the server itself: without the client's deadline, and
     * with an answer that ends where it began. To be started with {@link #ask(Consumer)}; until then its query may be changed. May be
     * {@link #giveBack given back} when it is answered.
     */
    public Exchange below(Protocol by) {
        Exchange inner = inner();
        inner.query.copy(query);
        begin(inner, by, depth);
        inner.route(route);
        inner.position = position;
        inner.ceiling = position;
        inner.passedOn = passedOn;
        inner.personal = personal;
        return inner;
    }

    /** Says of an exchange made by {@link #below} that nobody will look at it any more: the next question below may be asked with it. */
    public void giveBack() {
        forget();
        spare(true);
    }

    /** Begins a question of the server's own as if this client had asked it. */
    private void begin(Exchange inner, Protocol by, int atDepth) {
        if (sink == null) {
            throw new IllegalStateException(NOT_BEGUN);
        }
        inner.like(this, by);
        inner.begin(begun(), sink, router(), System.nanoTime());
        inner.depth = (short) atDepth;
    }

    private Dispatcher begun() {
        if (dispatcher == null) {
            throw new IllegalStateException(NOT_BEGUN);
        }
        return dispatcher;
    }

    private Router router() {
        if (router == null) {
            throw new IllegalStateException(NOT_BEGUN);
        }
        return router;
    }

    /**
     * Starts an exchange made by {@link #below}. {@code then} is handed it once with its answer, or {@link #isDropped}: on this thread
     * before this method returns true, or later on another if it returns false.
     */
    public boolean ask(Consumer<Exchange> then) {
        return begun().askBelow(this, then);
    }

    /**
     * Starts an exchange that {@link #below} made for this one, and hands it answered, or dropped, to {@code then}, on this thread or later
     * on another. Returns what the caller's plugin is to return. {@code then} says how this exchange goes on: with {@link Step#LATER} if it
     * has asked once more by this method and got that, else with its answer.
     */
    public Step askBelow(Exchange inner, Function<Exchange, Step> then) {
        return begun().askBelow(inner, answered -> {
            Step step = then.apply(answered);
            if (step != Step.LATER) {
                resume(step);
            }
        }, then);
    }

    /** Takes from an exchange that was asked for this one who answered and what went wrong, but not the answer. */
    public void credit(Exchange inner) {
        momentary = inner.momentary;
        credit(inner.answeredBy, inner.upstream, inner.error);
    }

    /** The same of one that may have been given back. */
    public void credit(@Nullable Plugin plugin, @Nullable String label, @Nullable String message) {
        answeredBy = plugin;
        upstream = label;
        error = message;
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
        if (!isSettled()) {
            begun().resume(this, step);
        }
    }
}
