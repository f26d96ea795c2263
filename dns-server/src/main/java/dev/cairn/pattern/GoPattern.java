package dev.cairn.pattern;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** A regular expression in Go's syntax (RE2). Immutable. */
public final class GoPattern {
    /** As in CoreDNS. */
    public static final int MAX_LENGTH = 10_000;

    /** How many characters a match may look at: about a millisecond, while an honest pattern needs some hundreds for a name. */
    private static final int MAX_STEPS = 200_000;

    private final String source;
    private final Map<String, Integer> groupNames;
    private final int groupCount;
    private final ThreadLocal<Attempt> attempts;

    private GoPattern(String source, Pattern pattern, Map<String, Integer> groupNames) {
        this.source = source;
        this.groupNames = groupNames;
        groupCount = pattern.matcher("").groupCount();
        attempts = ThreadLocal.withInitial(() -> new Attempt(source, pattern));
    }

    /**
     * Reads a pattern.
     *
     * @throws IllegalArgumentException with a sentence for the user if this is none
     */
    public static GoPattern compile(String source) {
        return compile(source, 0);
    }

    /** A pattern that takes upper and lower case for the same. */
    public static GoPattern compileIgnoringCase(String source) {
        return compile(source, Pattern.CASE_INSENSITIVE);
    }

    private static GoPattern compile(String source, int flags) {
        if (source.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("a pattern of " + source.length() + " characters is too long: write at most " + MAX_LENGTH);
        }
        GoSyntax syntax = new GoSyntax(source);
        try {
            return new GoPattern(source, Pattern.compile(syntax.toJava(), flags), syntax.groupNames());
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException("\"" + source + "\" is not a regular expression: " + e.getDescription());
        }
    }

    /**
     * Looks for the pattern in a text; null if it is not there. The match is the calling thread's until it looks for this pattern again.
     *
     * @throws PatternTooCostly if that takes too long
     */
    public @Nullable Matcher find(CharSequence text) {
        Attempt attempt = attempts.get();
        attempt.text = text;
        attempt.left = MAX_STEPS;
        attempt.matcher.reset();
        return attempt.matcher.find() ? attempt.matcher : null;
    }

    public int groupCount() {
        return groupCount;
    }

    /** The numbers of the groups that have names. */
    public Map<String, Integer> groupNames() {
        return groupNames;
    }

    /** The pattern as it was written. */
    @Override
    public String toString() {
        return source;
    }

    /** One thread's matcher and the text it reads, with the steps it has left. */
    private static final class Attempt implements CharSequence {
        private final String source;
        private final Matcher matcher;
        private CharSequence text = "";
        private int left;

        Attempt(String source, Pattern pattern) {
            this.source = source;
            matcher = pattern.matcher(this);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            if (--left < 0) {
                throw new PatternTooCostly(source);
            }
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.subSequence(start, end);
        }

        @Override
        public String toString() {
            return text.toString();
        }
    }
}
