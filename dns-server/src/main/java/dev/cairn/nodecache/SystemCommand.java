package dev.cairn.nodecache;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs programs of the system. */
final class SystemCommand {
    private static final Duration LIMIT = Duration.ofSeconds(30);

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
        return run(command, input, LIMIT);
    }

    static Result run(List<String> command, String input, Duration limit) {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            try (OutputStream in = process.getOutputStream()) {
                in.write(input.getBytes(StandardCharsets.UTF_8));
            }
            // Read beside the wait: what does not end does not end its output either.
            FutureTask<byte[]> output = new FutureTask<>(process.getInputStream()::readAllBytes);
            Thread.ofVirtual().start(output);
            if (!process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                return new Result(-1, command.getFirst() + " did not end");
            }
            return new Result(process.exitValue(), new String(output.get(limit.toNanos(), TimeUnit.NANOSECONDS), StandardCharsets.UTF_8).strip());
        } catch (ExecutionException | TimeoutException e) {
            return new Result(-1, command.getFirst() + ": its output did not end");
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
