package dev.cairn.expression;

import org.jspecify.annotations.Nullable;

/**
 * A part of an expression while it is compiled.
 *
 * @param constant its value if that is known already
 * @param call the name of the function, if it is a call without arguments
 */
record Term(Kind kind, Code code, @Nullable Object constant, @Nullable String call) {
    static Term of(Kind kind, Code code) {
        return new Term(kind, code, null, null);
    }

    static Term constant(Kind kind, @Nullable Object value) {
        return new Term(kind, (_, _) -> value, value, null);
    }
}
