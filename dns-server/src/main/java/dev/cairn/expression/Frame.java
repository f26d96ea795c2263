package dev.cairn.expression;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What one evaluation knows beside the query: groups of a pattern, variables, and the element that a predicate looks at. */
public final class Frame {
    /** For expressions that need no more than the query. */
    public static final Frame NONE = new Frame(null, new Object[0], null);

    private final @Nullable Function<String, @Nullable String> groups;
    private final @Nullable Object[] variables;
    private final @Nullable Object element;

    private Frame(@Nullable Function<String, @Nullable String> groups, @Nullable Object[] variables, @Nullable Object element) {
        this.groups = groups;
        this.variables = variables;
        this.element = element;
    }

    /** A frame with room for so many variables; {@code groups} finds a group by its name or number. */
    public static Frame of(int variables, Function<String, @Nullable String> groups) {
        return new Frame(groups, new Object[variables], null);
    }

    /** Sets a variable, counted in the order in which they were declared. */
    public void variable(int index, @Nullable Object value) {
        variables[index] = value;
    }

    public @Nullable Object variable(int index) {
        return variables[index];
    }

    String group(String name) {
        String value = groups == null ? null : groups.apply(name);
        return value == null ? "" : value;
    }

    Frame with(@Nullable Object one) {
        return new Frame(groups, variables, one);
    }

    @Nullable Object element() {
        return element;
    }
}
