package dev.cairn.explain;

/** It cannot be found out how the name is answered; the message says why, in a line for the user. */
public final class ExplainFailure extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean ofCorefile;

    ExplainFailure(String message) {
        this(message, false);
    }

    private ExplainFailure(String message, boolean ofCorefile) {
        super(message);
        this.ofCorefile = ofCorefile;
    }

    /** Mistakes in the Corefile, a line for each, with its place. */
    static ExplainFailure ofCorefile(String lines) {
        return new ExplainFailure(lines, true);
    }

    /** Whether the message is lines that begin with their place in the Corefile. */
    public boolean isOfCorefile() {
        return ofCorefile;
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
