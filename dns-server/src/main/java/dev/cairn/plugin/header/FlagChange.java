package dev.cairn.plugin.header;

/** The bits of a header's flag word to set and to clear; no bit is in both. */
record FlagChange(int set, int clear) {
    static final FlagChange NONE = new FlagChange(0, 0);

    FlagChange {
        if ((set & clear) != 0) {
            throw new IllegalArgumentException("a flag can't be both set and cleared");
        }
    }

    /** This change with another rule after it, which wins where they differ. */
    FlagChange then(int flag, boolean on) {
        return on ? new FlagChange(set | flag, clear & ~flag) : new FlagChange(set & ~flag, clear | flag);
    }

    int apply(int flags) {
        return (flags & ~clear) | set;
    }
}
