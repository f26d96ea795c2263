package dev.cairn.upstream;

import org.jspecify.annotations.Nullable;

/** Something that is due at a time. Owned by the thread of its lane. */
public abstract class Timed {
    @Nullable Timed before;
    @Nullable Timed after;
    int slot = -1;
    long dueNanos;

    /** Its time has come. */
    protected abstract void due(long now);
}
