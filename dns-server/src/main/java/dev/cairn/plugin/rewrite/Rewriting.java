package dev.cairn.plugin.rewrite;

import dev.cairn.wire.QueryView;
import java.util.ArrayList;
import java.util.List;

/** What goes with a query that a rule was for: the query before, and what to do with the answer. Owned by the thread that has the query. */
final class Rewriting {
    private final byte[] before;
    private final int length;
    private final List<AnswerRule> back = new ArrayList<>(4);

    Rewriting(QueryView query) {
        before = query.message();
        length = query.length();
    }

    /** In the order of their rules; to be applied from the last to the first. */
    List<AnswerRule> back() {
        return back;
    }

    /** Whether the answer needs any work. */
    @SuppressWarnings("ReferenceEquality") // a changed query is another array
    boolean concerns(QueryView query) {
        return !back.isEmpty() || query.message() != before;
    }

    void restore(QueryView query) {
        query.replace(before, length);
    }
}
