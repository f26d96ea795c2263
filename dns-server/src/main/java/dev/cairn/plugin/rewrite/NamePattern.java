package dev.cairn.plugin.rewrite;

import dev.cairn.pattern.GoPattern;
import dev.cairn.pattern.NameText;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.WireName;

/** Which names a rule is for. Names are compared as text in lower case with the last dot. */
sealed interface NamePattern {
    /** Whether the question's name is one of them; {@code text} is the same name. Does not allocate. */
    boolean matches(QueryView query, NameText text);

    /**
     * One name.
     *
     * @param wire the same name
     */
    record Exact(String name, WireName wire) implements NamePattern {
        @Override
        public boolean matches(QueryView query, NameText text) {
            return query.is(wire);
        }
    }

    record Prefix(String start) implements NamePattern {
        @Override
        public boolean matches(QueryView query, NameText text) {
            return text.startsWith(start);
        }
    }

    record Suffix(String end) implements NamePattern {
        @Override
        public boolean matches(QueryView query, NameText text) {
            return text.endsWith(end);
        }
    }

    record Substring(String part) implements NamePattern {
        @Override
        public boolean matches(QueryView query, NameText text) {
            return text.contains(part);
        }
    }

    record Regex(GoPattern pattern) implements NamePattern {
        @Override
        public boolean matches(QueryView query, NameText text) {
            return pattern.find(text) != null;
        }
    }
}
