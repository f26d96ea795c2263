package dev.cairn.explain;

/** It cannot be found out how the name is answered; the message says why, in a line for the user. */
public final class ExplainFailure extends Exception {
    private static final long serialVersionUID = 1L;

    ExplainFailure(String message) {
        super(message);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
