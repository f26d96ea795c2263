package dev.cairn.proxy.ipvs;

import dev.cairn.proxy.sync.ApplyFailure;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Runs a program of the system: {@code nft}, {@code ipset}, {@code iptables}. */
class Tool {
    static final int MISSING = 127;
    private static final long PATIENCE_SECONDS = 120;

    /** What a program said; its code is {@code MISSING} if there is no such program. */
    record Answer(int code, String text) {
        boolean isGood() {
            return code == 0;
        }
    }

    /** Runs it with some input. */
    Answer run(List<String> command, String input) throws ApplyFailure {
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException _) {
            return new Answer(MISSING, "there is no program " + command.getFirst());
        }
        try {
            CompletableFuture<String> output = CompletableFuture.supplyAsync(() -> read(process));
            try (OutputStream in = process.getOutputStream()) {
                in.write(input.getBytes(StandardCharsets.UTF_8));
            } catch (IOException _) {
                // It ended before it had read all; what it said is the reason.
            }
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new ApplyFailure(command.getFirst() + " did not end within " + PATIENCE_SECONDS + " s", false);
            }
            return new Answer(process.exitValue(), output.join());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ApplyFailure("interrupted", false);
        } finally {
            process.destroyForcibly();
        }
    }

    /** Runs it, and fails if it does. */
    void must(List<String> command, String input) throws ApplyFailure {
        Answer answer = run(command, input);
        if (!answer.isGood()) {
            String first = answer.text().lines().filter(line -> !line.isBlank()).findFirst().orElse("no reason given");
            throw new ApplyFailure(command.getFirst() + " refused: " + first, false);
        }
    }

    private static String read(Process process) {
        try {
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
