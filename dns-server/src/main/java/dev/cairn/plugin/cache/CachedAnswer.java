package dev.cairn.plugin.cache;

import dev.cairn.wire.Answer;
import dev.cairn.wire.Answer.Part;
import dev.cairn.wire.Answer.Section;
import dev.cairn.wire.EdnsOption;
import dev.cairn.wire.HeaderFlag;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.Rcode;
import dev.cairn.wire.RrSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A reply as it is kept: its records, their common TTL and when it was stored. What is sent does not change; used by all threads. */
final class CachedAnswer {
    /** The life of what is not kept: its sets are sent with the TTLs they have. */
    static final long UNKEPT_LIFE = -1;

    private static final int OWN_TTL = -1;
    private static final @Nullable Section[] FOR_QUESTION = {null};
    private static final RrSet[] NONE = {};

    private static final int FLAGS = HeaderFlag.AA | HeaderFlag.TC | HeaderFlag.RA | HeaderFlag.AD;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    /** What an entry costs beside its records: this object, the arrays' heads, key, and the nodes of Caffeine and its hash table. */
    private static final int ENTRY_BYTES = 340;

    /** What a set costs beside its bytes: RrSet, WireName, two arrays' heads, the references to them. */
    private static final int SET_BYTES = 120;

    private final Kind kind;
    private final int rcode;
    private final int flags;
    /** The first set, which most have alone, and those after it. */
    private final @Nullable RrSet first;
    private final RrSet[] others;

    /** Where each set goes; null for the answer, under the question's name. */
    private final @Nullable Section[] places;

    /** Why it is as it is (RFC 8914), if that was told. */
    private final byte @Nullable [] explanation;

    private final long storedNanos;
    private final long lifeNanos;

    /** Null until there is something to tell. */
    private volatile @Nullable History history;

    /** Popularity and the last failure. Written by all threads without care: a hit that gets lost does no harm. */
    private static final class History {
        private int hits;
        private long lastHitNanos;
        private volatile boolean failed;
        private volatile long retryNanos;
    }

    private CachedAnswer(Kind kind, QueryView query, Answer answer, long storedNanos, long lifeNanos) {
        this.kind = kind;
        this.rcode = answer.rcode();
        this.flags = answer.flags() & FLAGS;
        int size = answer.size();
        this.first = size == 0 ? null : answer.part(0).set();
        this.others = size < 2 ? NONE : new RrSet[size - 1];
        this.explanation = answer.option(EdnsOption.EXTENDED_ERROR);
        this.storedNanos = storedNanos;
        this.lifeNanos = lifeNanos;
        for (int i = 0; i < others.length; i++) {
            others[i] = answer.part(i + 1).set();
        }
        this.places = size == 1 && isForQuestion(query, answer.part(0)) ? FOR_QUESTION : places(query, answer);
    }

    private static @Nullable Section[] places(QueryView query, Answer answer) {
        @Nullable Section[] places = new Section[answer.size()];
        for (int i = 0; i < places.length; i++) {
            places[i] = isForQuestion(query, answer.part(i)) ? null : answer.part(i).section();
        }
        return places;
    }

    /** An owner that is the question's name is written as a pointer to it, which spares the encoder the search. */
    private static boolean isForQuestion(QueryView query, Part part) {
        return part.forQuestion() || (part.section() == Section.ANSWER && query.is(part.set().owner()));
    }

    static CachedAnswer of(Kind kind, QueryView query, Answer answer, long nowNanos, long lifeNanos) {
        return new CachedAnswer(kind, query, answer, nowNanos, lifeNanos);
    }

    Kind kind() {
        return kind;
    }

    boolean isTruncated() {
        return (flags & HeaderFlag.TC) != 0;
    }

    /** Whether it is whole and says what is, or that nothing is. */
    boolean isDefinite() {
        return !isTruncated() && (rcode == Rcode.NOERROR || rcode == Rcode.NXDOMAIN);
    }

    boolean isFresh(long now) {
        return now - storedNanos < lifeNanos;
    }

    /** Whether it expired less than {@code staleNanos} ago. Failures are no data that would be better than none. */
    boolean isStale(long now, long staleNanos) {
        long expiredFor = now - storedNanos - lifeNanos;
        return expiredFor >= 0 && expiredFor < staleNanos && kind != Kind.FAILURE;
    }

    /** The seconds that are left, those begun included, so at least 1 while it is fresh. */
    int ttl(long now) {
        return seconds(Math.min(lifeNanos, lifeNanos - (now - storedNanos)));
    }

    /** The seconds it was stored for, for {@link #addTo}. */
    int fullTtl() {
        return lifeNanos == UNKEPT_LIFE ? OWN_TTL : seconds(lifeNanos);
    }

    private static int seconds(long nanos) {
        return (int) Math.min(Integer.MAX_VALUE, (nanos + SECOND - 1) / SECOND);
    }

    /**
     * Puts the reply into an answer that has nothing yet.
     *
     * @param ttl the TTL of all records, or -1 for each set's own
     * @param mask the header's flags to send of those that came with it
     */
    void addTo(Answer answer, int ttl, int mask) {
        answer.rcode(rcode);
        answer.set(flags & mask);
        if (explanation != null) {
            answer.addOption(EdnsOption.EXTENDED_ERROR, explanation);
        }
        if (first != null) {
            add(answer, first, places[0], ttl);
            for (int i = 0; i < others.length; i++) {
                add(answer, others[i], places[i + 1], ttl);
            }
        }
    }

    private static void add(Answer answer, RrSet set, @Nullable Section place, int ttl) {
        Part part = place == null ? answer.addForQuestion(set) : answer.add(place, set);
        if (ttl != OWN_TTL) {
            part.overrideTtl(ttl);
        }
    }

    private History history() {
        History told = history;
        if (told == null) {
            told = new History();
            told.lastHitNanos = storedNanos;
            history = told;
        }
        return told;
    }

    /** Counts a hit; returns how many there were with no gap of {@code gapNanos} between them. */
    int hit(long now, long gapNanos) {
        History told = history();
        int count = now - told.lastHitNanos > gapNanos ? 1 : told.hits + 1;
        told.lastHitNanos = now;
        told.hits = count;
        return count;
    }

    /** Goes on where the one that it replaces was in popularity. */
    void succeed(CachedAnswer old) {
        History before = old.history;
        if (before != null) {
            History told = history();
            told.hits = before.hits;
            told.lastHitNanos = before.lastHitNanos;
        }
    }

    /** Notes that it could not be refreshed, and when to try again. */
    void refreshFailed(long retryAt) {
        History told = history();
        told.retryNanos = retryAt;
        told.failed = true;
    }

    boolean mayRefresh(long now) {
        History told = history;
        return told == null || !told.failed || now - told.retryNanos >= 0;
    }

    /** About how much memory it takes, with its key. */
    int bytes(Question question) {
        int bytes = ENTRY_BYTES + question.nameLength() + (explanation == null ? 0 : explanation.length);
        bytes += first == null ? 0 : bytes(first);
        for (RrSet set : others) {
            bytes += bytes(set);
        }
        return bytes;
    }

    private static int bytes(RrSet set) {
        return SET_BYTES + set.owner().length() + set.byteCount();
    }
}
