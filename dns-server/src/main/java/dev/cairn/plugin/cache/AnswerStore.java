package dev.cairn.plugin.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import org.jspecify.annotations.Nullable;

/**
 * The answers that are kept: successes and denials apart, each bounded in number and bytes. At most one of the two has what counts for a
 * question, unless a failure or the policy of {@code serve_stale} lets an old success stay beside it. Used by all threads.
 */
final class AnswerStore {
    /**
     * An entry counts as this many bytes even if it has fewer, and the budget has this many for each entry of the capacity: so neither
     * the number nor, times this, the bytes can be more than the capacity.
     */
    static final int BYTES_PER_ENTRY = 1000;

    private final Cache<Question, CachedAnswer> successes;
    private final Cache<Question, CachedAnswer> denials;
    private final long staleNanos;
    private final boolean preferPositive;

    /** @param evictions is told of each entry that had to go for another */
    AnswerStore(CacheSettings settings, EvictionListener evictions) {
        successes = build(settings.success().capacity(), () -> evictions.evicted(true));
        denials = build(settings.denial().capacity(), () -> evictions.evicted(false));
        staleNanos = settings.stale().upToNanos();
        preferPositive = settings.stale().preferPositive();
    }

    /** Told when an entry was evicted. */
    interface EvictionListener {
        void evicted(boolean success);
    }

    private static Cache<Question, CachedAnswer> build(int capacity, Runnable evicted) {
        return Caffeine.newBuilder()
                .maximumWeight((long) capacity * BYTES_PER_ENTRY)
                .weigher((Question question, CachedAnswer answer) -> Math.max(BYTES_PER_ENTRY, answer.bytes(question)))
                .evictionListener((_, _, _) -> evicted.run())
                // Upkeep is short; on a pool of its own it would lag behind a flood.
                .executor(Runnable::run)
                .build();
    }

    /** What to answer with, fresh or stale; null if there is nothing that may be used. */
    @Nullable CachedAnswer find(Question question, long now) {
        CachedAnswer success = successes.getIfPresent(question);
        if (success != null && success.isFresh(now)) {
            return success;
        }
        CachedAnswer denial = denials.getIfPresent(question);
        CachedAnswer stale = success != null && success.isStale(now, staleNanos) ? success : null;
        if (denial != null && denial.isFresh(now)) {
            return stale != null && isBetter(stale, denial) ? stale : denial;
        }
        if (stale != null) {
            return stale;
        }
        return denial != null && denial.isStale(now, staleNanos) ? denial : null;
    }

    private boolean isBetter(CachedAnswer stale, CachedAnswer denial) {
        return denial.kind() == Kind.FAILURE || (preferPositive && stale.kind() == Kind.ANSWER);
    }

    void put(Question question, CachedAnswer answer, long now) {
        switch (answer.kind()) {
            case ANSWER -> {
                successes.put(question, answer);
                drop(denials, question);
            }
            case NON_ANSWER -> {
                if (!preferPositive || !hasUsableAnswer(question, now)) {
                    successes.put(question, answer);
                    drop(denials, question);
                }
            }
            case DENIAL -> {
                denials.put(question, answer);
                if (!preferPositive) {
                    drop(successes, question);
                }
            }
            case FAILURE -> denials.put(question, answer);
            case UNKEPT -> {}
        }
    }

    /** There seldom is one, and Caffeine makes garbage of looking for it to remove it. */
    private static void drop(Cache<Question, CachedAnswer> from, Question question) {
        if (from.asMap().containsKey(question)) {
            from.invalidate(question);
        }
    }

    private boolean hasUsableAnswer(Question question, long now) {
        CachedAnswer known = successes.getIfPresent(question);
        return known != null && known.kind() == Kind.ANSWER && (known.isFresh(now) || known.isStale(now, staleNanos));
    }

    /** The number of entries, those that have expired and were not evicted yet included. */
    long size(boolean success) {
        return (success ? successes : denials).estimatedSize();
    }
}
