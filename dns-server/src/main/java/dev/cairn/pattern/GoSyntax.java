package dev.cairn.pattern;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** Writes a regular expression of Go's syntax in Java's. Used once, by one thread. */
final class GoSyntax {
    private static final Pattern REPEAT = Pattern.compile("\\{[0-9]+(,[0-9]*)?}.*", Pattern.DOTALL);
    private static final Pattern NAMED_GROUP = Pattern.compile("\\(\\?P?<([A-Za-z0-9_]+)>.*", Pattern.DOTALL);
    private static final Pattern FLAGS = Pattern.compile("\\(\\?[imsU]*(-[imsU]+)?[:)].*", Pattern.DOTALL);
    private static final Pattern POSIX_CLASS = Pattern.compile("\\[:(\\^?)([a-z]+):].*", Pattern.DOTALL);
    private static final Map<String, String> POSIX = Map.ofEntries(
            Map.entry("alnum", "Alnum"), Map.entry("alpha", "Alpha"), Map.entry("ascii", "ASCII"), Map.entry("blank", "Blank"),
            Map.entry("cntrl", "Cntrl"), Map.entry("digit", "Digit"), Map.entry("graph", "Graph"), Map.entry("lower", "Lower"),
            Map.entry("print", "Print"), Map.entry("punct", "Punct"), Map.entry("space", "Space"), Map.entry("upper", "Upper"),
            Map.entry("xdigit", "XDigit"));

    private final String source;
    private final StringBuilder java = new StringBuilder();
    private final Map<String, Integer> groupNames = new HashMap<>();
    private int groups;
    private int at;

    GoSyntax(String source) {
        this.source = source;
    }

    /** The groups that have names, by their numbers; known after {@link #toJava}. */
    Map<String, Integer> groupNames() {
        return Map.copyOf(groupNames);
    }

    String toJava() {
        while (at < source.length()) {
            char c = source.charAt(at);
            switch (c) {
                case '\\' -> escape();
                case '[' -> characterClass();
                case '(' -> group();
                case '{' -> {
                    // A brace that is no repeat stands for itself in Go and is an error in Java.
                    java.append(REPEAT.matcher(rest()).matches() ? "{" : "\\{");
                    at++;
                }
                default -> {
                    java.append(c);
                    at++;
                }
            }
        }
        return java.toString();
    }

    private String rest() {
        return source.substring(at);
    }

    private IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException("\"" + source + "\" is not a regular expression: " + what);
    }

    private void escape() {
        if (at + 1 == source.length()) {
            throw wrong("it ends with a backslash");
        }
        char c = source.charAt(at + 1);
        if (c == 'Q') {
            int end = source.indexOf("\\E", at + 2);
            java.append(Pattern.quote(source.substring(at + 2, end < 0 ? source.length() : end)));
            at = end < 0 ? source.length() : end + 2;
        } else if (c == 'p' || c == 'P') {
            property(c);
        } else if ((c >= '1' && c <= '9') || "kCZGXRhHvVN".indexOf(c) >= 0) {
            throw wrong("\\" + c + " is not known there");
        } else {
            java.append('\\').append(c);
            at += 2;
        }
    }

    /** Scripts and categories: Java has both under names that begin with Is. */
    private void property(char p) {
        boolean braced = at + 2 < source.length() && source.charAt(at + 2) == '{';
        int end = braced ? source.indexOf('}', at) : at + 2;
        if (end < 0 || end >= source.length()) {
            throw wrong("\\" + p + " wants a class of characters, such as \\" + p + "{Greek}");
        }
        String name = braced ? source.substring(at + 3, end) : source.substring(at + 2, at + 3);
        boolean negated = name.startsWith("^") != (p == 'P');
        java.append(negated ? "\\P{Is" : "\\p{Is").append(name.startsWith("^") ? name.substring(1) : name).append('}');
        at = end + 1;
    }

    private void group() {
        var named = NAMED_GROUP.matcher(rest());
        if (named.matches()) {
            // Java allows fewer characters in names; the group goes by its number.
            groupNames.put(named.group(1), ++groups);
            java.append('(');
            at = source.indexOf('>', at) + 1;
        } else if (source.startsWith("(?", at)) {
            String rest = rest();
            if (!FLAGS.matcher(rest).matches()) {
                throw wrong("groups that begin with \"" + rest.substring(0, Math.min(4, rest.length())) + "\" are not known");
            }
            int end = Math.min(indexOrEnd(':'), indexOrEnd(')'));
            if (source.substring(at, end).indexOf('U') >= 0) {
                throw wrong("the flag U is not known here; write *? instead of *");
            }
            java.append(source, at, end + 1);
            at = end + 1;
        } else {
            groups++;
            java.append('(');
            at++;
        }
    }

    private int indexOrEnd(char c) {
        int index = source.indexOf(c, at);
        return index < 0 ? source.length() : index;
    }

    private void characterClass() {
        java.append('[');
        at++;
        if (at < source.length() && source.charAt(at) == '^') {
            java.append('^');
            at++;
        }
        int first = at;
        while (at < source.length() && (source.charAt(at) != ']' || at == first)) {
            char c = source.charAt(at);
            if (c == '\\') {
                escape();
            } else if (c == '[' && POSIX_CLASS.matcher(rest()).matches()) {
                posixClass();
            } else {
                // Java nests classes and cuts them with &&; to Go these are characters like others.
                java.append("[]&".indexOf(c) >= 0 ? "\\" : "").append(c);
                at++;
            }
        }
        if (at == source.length()) {
            throw wrong("a [ has no ]");
        }
        java.append(']');
        at++;
    }

    private void posixClass() {
        var matcher = POSIX_CLASS.matcher(rest());
        if (!matcher.matches()) {
            throw wrong("a class of characters is missing");
        }
        boolean negated = !matcher.group(1).isEmpty();
        String name = matcher.group(2);
        String known = POSIX.get(name);
        if (name.equals("word")) {
            java.append(negated ? "\\W" : "\\w");
        } else if (known == null) {
            throw wrong("[:" + name + ":] is not known");
        } else {
            java.append(negated ? "\\P{" : "\\p{").append(known).append('}');
        }
        at = source.indexOf(":]", at) + 2;
    }
}
