package dev.cairn.plugin.template;

/** A template has no result for a query. Carries no stack trace: it tells of a query, not of a defect. */
final class TemplateFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TemplateFailure(String message) {
        super(message, null, false, false);
    }
}
