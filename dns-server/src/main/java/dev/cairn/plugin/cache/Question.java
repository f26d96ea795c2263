package dev.cairn.plugin.cache;

import dev.cairn.wire.HeaderFlag;
import dev.cairn.wire.QueryView;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * What an answer is kept under: name, type and class, and the bits DO and CD, with which upstreams answer differently. Each thread has one to
 * look up with, which borrows the name of the query it was set to; those in maps are {@link #kept} copies and do not change.
 */
final class Question {
    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final ThreadLocal<Question> OF_THREAD = ThreadLocal.withInitial(Question::new);

    // Random, so that nobody outside can choose names that all fall into one bucket.
    private static final long SEED;
    private static final long FACTOR;
    private static final byte[] NOTHING = {};

    static {
        SecureRandom random = new SecureRandom();
        SEED = random.nextLong();
        FACTOR = random.nextLong() | 0x8000_0000_0000_0001L;
    }

    private byte[] name = NOTHING;
    private int length;
    private long kind;
    private int hash;

    private Question() {}

    /** The question of a query, valid on this thread until the next call. */
    static Question of(QueryView query) {
        Question question = OF_THREAD.get();
        question.name = query.name();
        question.length = query.nameLength();
        question.kind = ((long) query.type() << 16) | query.dnsClass();
        question.kind |= query.dnssecOk() ? 1L << 32 : 0;
        question.kind |= (query.flags() & HeaderFlag.CD) != 0 ? 1L << 33 : 0;
        question.hash = hash(question.name, question.length, question.kind);
        return question;
    }

    /** A copy that stays as it is, of the question of this query. */
    static Question kept(QueryView query) {
        Question question = of(query);
        Question copy = new Question();
        copy.name = query.wireName().array();
        copy.length = question.length;
        copy.kind = question.kind;
        copy.hash = question.hash;
        return copy;
    }

    int nameLength() {
        return length;
    }

    private static int hash(byte[] name, int length, long kind) {
        long hash = mix(SEED ^ kind);
        int at = 0;
        for (; at + 8 <= length; at += 8) {
            hash = mix(hash ^ (long) WORD.get(name, at));
        }
        long rest = length;
        for (; at < length; at++) {
            rest = (rest << 8) | (name[at] & 0xff);
        }
        hash = mix(hash ^ rest);
        return (int) (hash ^ (hash >>> 32));
    }

    /** Both halves of a 128-bit product, folded. */
    private static long mix(long bits) {
        return (bits * FACTOR) ^ Math.multiplyHigh(bits, FACTOR);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Question that
                && hash == that.hash
                && kind == that.kind
                && Arrays.equals(name, 0, length, that.name, 0, that.length);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
