package dev.cairn.proxy.nft;

import dev.cairn.proxy.sync.ApplyFailure;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs {@code nft}. */
class NftRunner {
    private static final long PATIENCE_SECONDS = 120;
    private static final String MISSING = "cannot run nft: install nftables 1.0.1 or later, and have it on the PATH";

    private final List<String> prefix;
    private int transactions;

    private record Answer(int code, String text) {}

    NftRunner() {
        this(List.of());
    }

    /** With words before each command, such as those that enter a namespace. */
    NftRunner(List<String> prefix) {
        this.prefix = List.copyOf(prefix);
    }

    /** Whether a failure is that there is no such program. */
    static boolean isMissing(ApplyFailure failure) {
        return MISSING.equals(failure.getMessage());
    }

    /** Has commands checked by the kernel as if they were to be applied; why it would refuse them, or null. */
    @Nullable String check(String script) throws ApplyFailure {
        Answer answer = nft(List.of("nft", "-c", "-f", "-"), script);
        return answer.code() == 0 ? null : failure(answer.text()).getMessage();
    }

    /** Applies commands in one transaction: all of them or none. */
    void run(String script) throws ApplyFailure {
        Answer answer = nft(List.of("nft", "-f", "-"), script);
        if (answer.code() != 0) {
            throw failure(answer.text());
        }
        transactions++;
    }

    /** How many transactions have been applied. */
    int transactions() {
        return transactions;
    }

    /** What a list command prints; null if there is no such table or set. */
    @Nullable String list(List<String> command) throws ApplyFailure {
        Answer answer = nft(command, "");
        if (answer.code() != 0) {
            if (answer.text().contains("No such file or directory")) {
                return null;
            }
            throw failure(answer.text());
        }
        return answer.text();
    }

    static ApplyFailure forbidden() {
        return new ApplyFailure("not allowed to program nftables: run as root, or give the container the capability NET_ADMIN", true);
    }

    private static ApplyFailure failure(String text) {
        if (text.contains("Operation not permitted") || text.contains("must be root")) {
            return forbidden();
        }
        String first = text.lines().findFirst().orElse("no reason given");
        return new ApplyFailure("nft refused: " + first, false);
    }

    private Answer nft(List<String> words, String input) throws ApplyFailure {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(words);
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            throw new ApplyFailure(MISSING, true);
        }
        try {
            CompletableFuture<String> output = CompletableFuture.supplyAsync(() -> read(process));
            try (OutputStream in = process.getOutputStream()) {
                in.write(input.getBytes(StandardCharsets.UTF_8));
            } catch (IOException _) {
                // It ended before it had read all; what it said is the reason.
            }
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new ApplyFailure("nft did not end within " + PATIENCE_SECONDS + " s", false);
            }
            return new Answer(process.exitValue(), output.join());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ApplyFailure("interrupted", false);
        } finally {
            process.destroyForcibly();
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
