package dev.cairn.command;

import java.io.PrintWriter;

/** Ends a command with a message for the user and an exit code; never shown as a stack trace. */
public final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    public CommandFailure(int exitCode, String message) {
        super(message, null, false, false);
        this.exitCode = exitCode;
    }

    /** Prints the message; what to exit with. */
    public int tell(PrintWriter err) {
        getMessage().lines().forEach(err::println);
        return exitCode;
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
