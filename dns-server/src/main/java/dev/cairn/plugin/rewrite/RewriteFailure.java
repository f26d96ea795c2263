package dev.cairn.plugin.rewrite;

/** A rule made something of a query, or of its answer, that cannot be sent. Carries no stack trace: it tells of a name, not of a defect. */
final class RewriteFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RewriteFailure(String message) {
        super(message, null, false, false);
    }
}
