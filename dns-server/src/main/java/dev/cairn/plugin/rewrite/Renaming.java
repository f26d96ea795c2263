package dev.cairn.plugin.rewrite;

import dev.cairn.chain.Exchange;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/** Gives another name for those that fit a pattern. */
record Renaming(NamePattern pattern, Replacement to) {
    /** The new name; null if the pattern does not fit, or a label has no value for the query. */
    @Nullable String rename(String name, @Nullable Exchange exchange) {
        return switch (pattern) {
            case NamePattern.Exact exact -> name.equals(exact.name()) ? to.text() : null;
            case NamePattern.Prefix(String start) -> name.startsWith(start) ? to.text() + name.substring(start.length()) : null;
            case NamePattern.Suffix(String end) ->
                name.endsWith(end) ? name.substring(0, name.length() - end.length()) + to.text() : null;
            case NamePattern.Substring(String part) -> name.contains(part) ? name.replace(part, to.text()) : null;
            case NamePattern.Regex regex -> {
                Matcher match = regex.pattern().find(name);
                yield match == null ? null : to.expand(match, exchange);
            }
        };
    }
}
