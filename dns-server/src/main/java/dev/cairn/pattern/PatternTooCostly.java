package dev.cairn.pattern;

/** A pattern and a text need more steps than one query is worth. Carries no stack trace: it tells of a text, not of a defect. */
public final class PatternTooCostly extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PatternTooCostly(String pattern) {
        super("the pattern " + pattern + " takes too many steps; write it without repeats inside repeats", null, false, false);
    }
}
