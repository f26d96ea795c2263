package dev.cairn.nodecache;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs programs of the system. */
final class SystemCommand {
    private static final int TIMEOUT_SECONDS = 30;

    private SystemCommand() {}

    /**
     * What a program said.
     *
     * @param output both streams, without spaces at the end
     */
    record Result(int code, String output) {
        boolean ok() {
            return code == 0;
        }
    }

    /** Runs a program to its end; one that is not there or does not end has failed. */
    static Result run(List<String> command, String input) {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            try (OutputStream in = process.getOutputStream()) {
                in.write(input.getBytes(StandardCharsets.UTF_8));
            }
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return new Result(-1, command.getFirst() + " did not end");
            }
            return new Result(process.exitValue(), output);
        } catch (IOException e) {
            return new Result(-1, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Result(-1, "interrupted");
        }
    }

    static Result run(String... command) {
        return run(List.of(command), "");
    }

    /** Whether a program is installed and runs. */
    static boolean isThere(String program) {
        return run(program, "--version").ok();
    }
}
