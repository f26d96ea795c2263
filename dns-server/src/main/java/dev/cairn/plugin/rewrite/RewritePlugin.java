package dev.cairn.plugin.rewrite;

import dev.cairn.chain.AnswerHook;
import dev.cairn.chain.Exchange;
import dev.cairn.chain.Step;
import dev.cairn.pattern.NameText;
import dev.cairn.pattern.PatternTooCostly;
import dev.cairn.plugin.MetadataValue;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.Rcode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Tries the rules in their order on each query, and undoes on the way back what they did. */
final class RewritePlugin implements AnswerHook {
    private final Line[] lines;
    private final List<Integer> classes = new ArrayList<>();

    /** @param goesOn whether rules after this one are tried too if it is for a query */
    record Line(Rule rule, boolean goesOn) {}

    RewritePlugin(List<Line> lines) {
        this.lines = lines.toArray(Line[]::new);
        for (Line line : lines) {
            if (line.rule() instanceof Rule.OfClass(int from, int _)) {
                classes.add(from);
            }
        }
    }

    @Override
    public String name() {
        return "rewrite";
    }

    /** Classes that a rule takes to another one. */
    @Override
    public List<Integer> otherClasses() {
        return List.copyOf(classes);
    }

    void bind(Function<String, @Nullable MetadataValue> metadata) {
        for (Line line : lines) {
            line.rule().bind(metadata);
        }
    }

    @Override
    public Step query(Exchange exchange) {
        QueryView query = exchange.query();
        Rewriting rewriting = null;
        try {
            NameText name = NameText.of(query);
            for (Line line : lines) {
                if (!line.rule().matches(query, name)) {
                    continue;
                }
                rewriting = rewriting == null ? new Rewriting(query) : rewriting;
                if (!line.rule().apply(exchange, rewriting.back())) {
                    continue;
                }
                if (!line.goesOn()) {
                    break;
                }
                name.read(query);
            }
        } catch (RewriteFailure | PatternTooCostly e) {
            return fail(exchange, rewriting, e);
        }
        if (rewriting != null && rewriting.concerns(query)) {
            exchange.note(this, rewriting);
        }
        return Step.NEXT;
    }

    private static Step fail(Exchange exchange, @Nullable Rewriting rewriting, RuntimeException why) {
        if (rewriting != null) {
            rewriting.restore(exchange.query());
        }
        return exchange.fail(Rcode.SERVFAIL, String.valueOf(why.getMessage()));
    }

    @Override
    public Step answer(Exchange exchange) {
        if (!(exchange.note(this) instanceof Rewriting rewriting)) {
            return Step.ANSWERED;
        }
        exchange.note(this, null);
        try {
            return new AnswerChange(exchange, rewriting).apply();
        } catch (RewriteFailure | PatternTooCostly e) {
            return fail(exchange, rewriting, e);
        }
    }
}
