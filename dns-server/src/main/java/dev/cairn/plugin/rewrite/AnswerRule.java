package dev.cairn.plugin.rewrite;

import org.jspecify.annotations.Nullable;

/** What is to be done with the answer to a query that a rule was for. */
sealed interface AnswerRule {
    /** Another name for one in an answer; null if it is to stay. */
    @FunctionalInterface
    interface Names {
        @Nullable String rename(String name);
    }

    /** Renames the owners of records. */
    record Owners(Names names) implements AnswerRule {}

    /** Renames what records point to. */
    record Values(Names names) implements AnswerRule {}

    /** Brings TTLs into a range. */
    record Ttl(int min, int max) implements AnswerRule {}

    /** Puts one code in the place of another. */
    record Code(int from, int to) implements AnswerRule {}

    /** Lets an alias lead elsewhere, and the rest of the answer be what is found there. */
    record AliasTarget(Renaming renaming) implements AnswerRule {}

    /** Maps a name, and the names below it, back to what it was before. */
    record Back(String rewritten, String before) implements Names {
        @Override
        public @Nullable String rename(String name) {
            if (name.equals(rewritten)) {
                return before;
            }
            int at = name.length() - rewritten.length();
            return at > 0 && name.charAt(at - 1) == '.' && name.endsWith(rewritten) ? name.substring(0, at) + before : null;
        }
    }
}
