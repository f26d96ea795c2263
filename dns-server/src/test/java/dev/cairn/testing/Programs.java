package dev.cairn.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs clients nobody here wrote. */
public final class Programs {
    private Programs() {}

    /** What a program printed on both streams, and its exit code. */
    public record Result(int code, String output) {}

    /** Runs a program to its end; one that is not installed fails the test with the way to get it. */
    public static Result run(String... command) throws IOException, InterruptedException {
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            throw new AssertionError(command[0] + " is not installed; run tools/setup (" + List.of(command) + ")", e);
        }
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(5, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            throw new AssertionError(List.of(command) + " did not end: " + output);
        }
        return new Result(process.exitValue(), output);
    }
}
