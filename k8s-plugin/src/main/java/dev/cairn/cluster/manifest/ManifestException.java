package dev.cairn.cluster.manifest;

/** A document or object that cannot be used; the message is for the user. */
final class ManifestException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int line;

    /** Takes the line on which the fault stands, 0 if only the object as a whole is to blame. */
    ManifestException(int line, String message) {
        super(message);
        this.line = line;
    }

    ManifestException(String message) {
        this(0, message);
    }

    int line() {
        return line;
    }
}
