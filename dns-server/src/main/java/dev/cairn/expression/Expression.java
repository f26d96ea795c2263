package dev.cairn.expression;

import dev.cairn.chain.Exchange;
import dev.cairn.pattern.PatternTooCostly;
import dev.cairn.plugin.MetadataValue;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An expression over a query, ready to run. */
public final class Expression {
    private final Kind kind;
    private final Code code;
    private final List<QueryWords.Label> labels;

    private Expression(Kind kind, Code code, List<QueryWords.Label> labels) {
        this.kind = kind;
        this.code = code;
        this.labels = labels;
    }

    /** An expression that can be true or false. */
    public static Expression condition(String text, Names names) {
        return compile(text, names, true);
    }

    /** An expression with any value. */
    public static Expression value(String text, Names names) {
        return compile(text, names, false);
    }

    private static Expression compile(String text, Names names, boolean condition) {
        Compiler compiler = new Compiler(text, names);
        Term term = compiler.compile();
        if (condition && !term.kind().fits(Kind.BOOL)) {
            throw new IllegalArgumentException("\"" + text + "\" is " + term.kind() + ": write an expression that is true or false");
        }
        return new Expression(term.kind(), term.code(), compiler.labels());
    }

    /** Whether the name can be a variable: it is an identifier that means nothing else. */
    public static boolean isFree(String name) {
        return name.matches("[A-Za-z_][A-Za-z0-9_]*") && !Tokens.isWord(name) && !QueryWords.isKnown(name) && !Builtins.isKnown(name);
    }

    /** Finds sources of metadata; to be called before the first query. */
    public void bind(Function<String, @Nullable MetadataValue> metadata) {
        labels.forEach(label -> label.bind(metadata));
    }

    /** Whether the expression is true for the query; one that has no value is not. */
    public boolean isTrue(Exchange exchange, Frame frame) {
        try {
            return code.run(exchange, frame) instanceof Boolean truth && truth;
        } catch (EvaluationFailure | PatternTooCostly e) {
            return false;
        }
    }

    /** The value; a failure is thrown as {@link IllegalArgumentException}. */
    public @Nullable Object evaluate(Exchange exchange, Frame frame) {
        try {
            return code.run(exchange, frame);
        } catch (EvaluationFailure | PatternTooCostly e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    Kind kind() {
        return kind;
    }

    /** What an expression may use beside the query: variables declared before, and groups of a pattern if there is one. */
    public static final class Names {
        private final boolean groups;
        private final java.util.Map<String, Integer> variables = new java.util.HashMap<>();
        private final java.util.List<Kind> kinds = new java.util.ArrayList<>();

        public Names(boolean groups) {
            this.groups = groups;
        }

        /** Makes the value of an expression known under a name; returns its index in a {@link Frame}. */
        public int declare(String name, Expression expression) {
            variables.put(name, kinds.size());
            kinds.add(expression.kind());
            return kinds.size() - 1;
        }

        boolean groups() {
            return groups;
        }

        @Nullable Term variable(String name) {
            Integer index = variables.get(name);
            return index == null ? null : Term.of(kinds.get(index), (_, frame) -> frame.variable(index));
        }
    }
}
