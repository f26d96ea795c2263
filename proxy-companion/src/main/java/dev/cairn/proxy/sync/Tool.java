package dev.cairn.proxy.sync;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs programs that talk to the kernel. */
public final class Tool {
    private static final long PATIENCE_SECONDS = 120;

    private final List<String> prefix;

    /** What a program printed, and the code that it ended with. */
    public record Answer(int code, String out, String err) {}

    /** With words before each command, such as those that enter a namespace. */
    public Tool(List<String> prefix) {
        this.prefix = List.copyOf(prefix);
    }

    /** What came of a program; null if there is none of this name. */
    public @Nullable Answer run(List<String> words, String input) throws ApplyFailure {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(words);
        Process process;
        try {
            process = new ProcessBuilder(command).start();
        } catch (IOException _) {
            return null;
        }
        try {
            CompletableFuture<String> out = reading(process.getInputStream());
            CompletableFuture<String> err = reading(process.getErrorStream());
            try (OutputStream in = process.getOutputStream()) {
                in.write(input.getBytes(StandardCharsets.UTF_8));
            } catch (IOException _) {
                // It ended before it had read all; what it said is the reason.
            }
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new ApplyFailure(words.getFirst() + " did not end within " + PATIENCE_SECONDS + " s", false);
            }
            return new Answer(process.exitValue(), out.join(), err.join());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ApplyFailure("interrupted", false);
        } finally {
            process.destroyForcibly();
        }
    }

    /** With a thread for each pipe: the common pool may have a single one, and a program stands still while nobody reads what it says. */
    private static CompletableFuture<String> reading(InputStream in) {
        return CompletableFuture.supplyAsync(() -> read(in), task -> Thread.ofPlatform().daemon().name("cairn-pipe").start(task));
    }

    private static String read(InputStream in) {
        try {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
