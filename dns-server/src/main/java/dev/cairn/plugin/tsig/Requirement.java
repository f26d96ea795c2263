package dev.cairn.plugin.tsig;

import dev.cairn.wire.QueryView;
import java.util.BitSet;

/** Which requests must be signed. Immutable after set-up. */
final class Requirement {
    private final BitSet types = new BitSet();
    private boolean all;
    private boolean queries;
    private boolean notifies;

    void type(int type) {
        types.set(type);
    }

    /** All types, or none. */
    void types(boolean every) {
        types.clear();
        all = every;
    }

    void opcodes(boolean query, boolean notify) {
        queries = query;
        notifies = notify;
    }

    boolean of(QueryView query) {
        return all || types.get(query.type()) || (query.isNotify() ? notifies : queries);
    }
}
