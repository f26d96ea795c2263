package dev.cairn.expression;

/** An expression has no value for a query. Carries no stack trace: it tells of a query, not of a defect. */
final class EvaluationFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    EvaluationFailure(String message) {
        super(message, null, false, false);
    }
}
