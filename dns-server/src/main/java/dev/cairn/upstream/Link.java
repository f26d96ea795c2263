package dev.cairn.upstream;

import dev.cairn.wire.Bytes;
import dev.cairn.wire.HeaderFlag;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.Rcode;
import io.netty.util.collection.IntObjectHashMap;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A socket or connection to an upstream, and the attempts that are on it. Owned by the thread of its lane. Closes itself when it has been
 * idle for long or has got old; a retired one takes no more attempts and closes with its last.
 */
abstract class Link extends Timed {
    /** So many of the last questions that nobody waits for any more are remembered, to tell their replies from forged ones. */
    private static final int GIVEN_UP = 16;

    private final Pool pool;
    private final IntObjectHashMap<Attempt> attempts = new IntObjectHashMap<>();
    private @Nullable List<Attempt> waiting = new ArrayList<>(1);
    private final long openedNanos = System.nanoTime();
    private long usedNanos = openedNanos;
    private final int[] givenUp = new int[GIVEN_UP];
    private int givenUpCount;
    private int served;
    private boolean retired;
    private boolean closed;

    Link(Pool pool) {
        this.pool = pool;
    }

    /** Begins to open; ends in {@link #opened} or {@link #broke}. */
    abstract void open();

    /** Sends a question over the open link. */
    abstract void transmit(Attempt attempt);

    /** An attempt is given up before its reply came. */
    void withdrawn(Attempt attempt) {}

    /** Closes the socket. */
    abstract void shut();

    /** Finds the key of a new attempt. */
    abstract int newKey();

    final Pool pool() {
        return pool;
    }

    final Lane lane() {
        return pool.lane();
    }

    final int load() {
        return attempts.size();
    }

    final boolean isOpen() {
        return waiting == null && !closed;
    }

    final boolean isClosed() {
        return closed;
    }

    final @Nullable Attempt attempt(int key) {
        return attempts.get(key);
    }

    /** An unused key at random. */
    final int randomKey() {
        int key;
        do {
            key = lane().random().next16();
        } while (attempts.containsKey(key));
        return key;
    }

    final void start() {
        lane().at(openedNanos + pool.upstream().settings().connectNanos(), this);
        open();
    }

    final void take(Attempt attempt) {
        attempt.key = newKey();
        attempts.put(attempt.key, attempt);
        served++;
        List<Attempt> queue = waiting;
        attempt.takenBy(this, queue == null);
        if (queue == null) {
            usedNanos = System.nanoTime();
            transmit(attempt);
        } else {
            queue.add(attempt);
        }
    }

    final void opened() {
        List<Attempt> queue = waiting;
        if (closed || queue == null) {
            return;
        }
        waiting = null;
        usedNanos = System.nanoTime();
        for (Attempt attempt : queue) {
            if (attempts.get(attempt.key) == attempt) {
                attempt.sent();
                transmit(attempt);
            }
        }
        if (!closed) {
            settle();
            lane().at(usedNanos + pool.upstream().settings().expireNanos(), this);
        }
    }

    /** Takes an attempt off, because its reply is here or it has failed on its own. */
    final void done(Attempt attempt) {
        attempts.remove(attempt.key);
        settle();
    }

    /** An attempt has left by itself. */
    final void forget(Attempt attempt, boolean late) {
        if (attempts.remove(attempt.key) == attempt) {
            if (isOpen()) {
                givenUp[givenUpCount++ % givenUp.length] = attempt.key;
                withdrawn(attempt);
            }
            if (late && pool.carrier() != Carrier.UDP) {
                retire(); // it may be dead without having been told
            }
            settle();
        }
    }

    private void settle() {
        if (attempts.isEmpty() && !closed && waiting == null && (retired || pool.hasTooManyIdle())) {
            close();
        }
    }

    /** Takes no more attempts. */
    final void retire() {
        if (!retired) {
            retired = true;
            pool.remove(this);
            settle();
        }
    }

    final boolean isWornOut(long now) {
        UpstreamSettings settings = pool.upstream().settings();
        return (settings.maxAgeNanos() > 0 && now - openedNanos > settings.maxAgeNanos())
                || (pool.carrier() == Carrier.UDP
                        && (served >= UpstreamSettings.QUERIES_PER_PORT || now - openedNanos > settings.expireNanos()));
    }

    @Override
    protected final void due(long now) {
        if (waiting != null) {
            broke(Attempt.TIMEOUT);
            return;
        }
        long expire = pool.upstream().settings().expireNanos();
        if (isWornOut(now) || (attempts.isEmpty() && now - usedNanos >= expire)) {
            retire();
        }
        if (!closed) {
            lane().at(Math.max(usedNanos + expire, now + expire / 4), this);
        }
    }

    final void close() {
        if (!closed) {
            closed = true;
            retired = true;
            lane().cancel(this);
            pool.remove(this);
            shut();
        }
    }

    /** The link is gone. Attempts on a connection that had been idle go to another: the other side may close those at any time. */
    final void broke(String reason) {
        if (closed) {
            return;
        }
        boolean old = waiting == null && served > attempts.size();
        List<Attempt> lost = new ArrayList<>(attempts.values());
        attempts.clear();
        close();
        for (Attempt attempt : lost) {
            if (old && pool.carrier() != Carrier.UDP && attempt.sendAgain()) {
                pool.send(attempt, true);
            } else {
                attempt.failed(reason);
            }
        }
    }

    /** Hands the message in the lane's buffer to the attempt it belongs to; one that belongs to none is ignored. */
    final void received(@Nullable Attempt attempt, int length) {
        byte[] message = lane().in();
        if (attempt == null) {
            pool.upstream().metrics().ignored(length >= 2 && wasGivenUp(Bytes.u16(message, 0)) ? "late" : "id");
        } else if (!answers(message, length, attempt)) {
            pool.upstream().metrics().ignored("question");
        } else {
            usedNanos = System.nanoTime();
            attempts.remove(attempt.key);
            attempt.replied(message, length);
            settle();
        }
    }

    private boolean wasGivenUp(int key) {
        for (int i = 0; i < Math.min(givenUpCount, givenUp.length); i++) {
            if (givenUp[i] == key) {
                return true;
            }
        }
        return false;
    }

    /** The same where each question has a stream of its own: no other reply will come, so one that does not answer it is a failure. */
    final void receivedAlone(Attempt attempt, int length) {
        received(attempt, length);
        if (attempts.get(attempt.key) == attempt) {
            done(attempt);
            attempt.failed("the reply is not one to the question");
        }
    }

    /** Whether a message is a reply to the question, letter by letter. A reply that tells an error may leave the question out. */
    private static boolean answers(byte[] message, int length, Attempt attempt) {
        if (length < QueryView.HEADER || (message[2] & 0xf8) != 0x80) {
            return false;
        }
        if (Bytes.u16(message, 4) == 1) {
            return attempt.isRepeated(message, length);
        }
        int rcode = Bytes.u16(message, 2) & HeaderFlag.RCODE_MASK;
        return Bytes.u16(message, 4) == 0 && Bytes.u16(message, 6) == 0 && rcode != Rcode.NOERROR && rcode != Rcode.NXDOMAIN;
    }
}
