package dev.cairn.upstream;

import org.jspecify.annotations.Nullable;

/** One question on its way to one upstream. Ends once: with a reply, with a failure, or cancelled. Owned by the thread of its lane. */
public final class Attempt extends Timed {
    /** Hears how an attempt ended, on the thread of its lane. */
    public interface Listener {
        /** A message came that answers the question by ID, sender and question; the bytes are good only for the time of the call. */
        void replied(Attempt attempt, byte[] message, int length);

        /** No answer came. */
        void failed(Attempt attempt, String reason);
    }

    /** The last words of a failure for want of time; Go's, because operators have configured {@code errors} to look for them. */
    static final String TIMEOUT = "i/o timeout";

    private final Pool pool;
    private final Question question;
    private final Listener listener;
    private final long limitNanos;
    private final long startNanos = System.nanoTime();
    private final byte[] spelled;
    private @Nullable Link link;
    private boolean ended;
    private boolean sentAgain;

    /** By which its link tells it from others. */
    int key;

    /** @param pool who asks whom, and by what */
    Attempt(Pool pool, Question question, long limitNanos, Listener listener) {
        this.pool = pool;
        this.question = question;
        this.limitNanos = limitNanos;
        this.listener = listener;
        this.spelled = upstream().settings().randomCase() ? question.spelledAtRandom(lane().random()) : question.name().array();
    }

    public Upstream upstream() {
        return pool.upstream();
    }

    public Carrier carrier() {
        return pool.carrier();
    }

    public Question question() {
        return question;
    }

    public long startNanos() {
        return startNanos;
    }

    /** Whether it has neither ended nor been cancelled. */
    public boolean isPending() {
        return !ended;
    }

    Lane lane() {
        return pool.lane();
    }

    /** Whether a message repeats the question as it was asked. */
    boolean isRepeated(byte[] message, int length) {
        return question.isRepeated(message, length, spelled);
    }

    /** Writes the query to the lane's {@link Lane#out} and returns its length. */
    int write(int id) {
        return question.write(lane().out(), id, spelled, carrier().isEncrypted());
    }

    /** A link has taken it and sends it, now or once it is open. */
    void takenBy(Link taker, boolean open) {
        link = taker;
        setLimit(open ? upstream().settings().readNanos() : upstream().settings().connectNanos());
    }

    /** The question leaves: the time to wait for the reply starts. */
    void sent() {
        setLimit(upstream().settings().readNanos());
    }

    private void setLimit(long nanos) {
        long now = System.nanoTime();
        lane().at(Math.min(now + nanos, limitNanos - now > 0 ? limitNanos : now), this);
    }

    /** Whether it may go over another link, since the one it was on had been closed by the other side for being old. */
    boolean sendAgain() {
        boolean first = !sentAgain;
        sentAgain = true;
        return first && limitNanos - System.nanoTime() > 0;
    }

    @Override
    protected void due(long now) {
        leave(true);
        end();
        listener.failed(this, describe(TIMEOUT));
    }

    /** Nobody waits for it any more. */
    public void cancel() {
        if (!ended) {
            leave(false);
            end();
        }
    }

    private void leave(boolean late) {
        Link left = link;
        link = null;
        if (left != null) {
            left.forget(this, late);
        }
    }

    private void end() {
        ended = true;
        lane().cancel(this);
    }

    void replied(byte[] message, int length) {
        link = null;
        end();
        upstream().heard();
        listener.replied(this, message, length);
    }

    void failed(String reason) {
        link = null;
        end();
        listener.failed(this, describe(reason));
    }

    private String describe(String reason) {
        return "forward to " + upstream().label() + " over " + carrier().label() + ": " + reason;
    }
}
