package dev.cairn.corefile;

/** One mistake in the configuration: where it is, what is wrong and what to write instead. */
public record Problem(Severity severity, Position at, String message) {

    /** Whether the configuration can be used in spite of the problem. */
    public enum Severity { ERROR, WARNING }

    public Problem {
        if (message.isBlank()) {
            throw new IllegalArgumentException("a problem needs a message");
        }
    }

    @Override
    public String toString() {
        return at + ": " + message;
    }
}
