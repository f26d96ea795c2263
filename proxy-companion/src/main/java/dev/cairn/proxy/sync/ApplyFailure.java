package dev.cairn.proxy.sync;

/** The kernel, or the tool that talks to it, did not take what it was given. The message is one line with a way out, if there is one. */
public final class ApplyFailure extends Exception {
    private static final long serialVersionUID = 1;

    /** Whether trying again is of no use. */
    private final boolean lasting;

    public ApplyFailure(String message, boolean lasting) {
        super(message);
        this.lasting = lasting;
    }

    public boolean isLasting() {
        return lasting;
    }
}
