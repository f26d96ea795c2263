package dev.cairn.proxy.nft;

import dev.cairn.proxy.sync.ApplyFailure;
import dev.cairn.proxy.sync.Tool;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs {@code nft}. */
class NftRunner {
    private static final String MISSING = "cannot run nft: install nftables 1.0.1 or later, and have it on the PATH";

    private final Tool tool;
    private int transactions;
    private long commands;

    NftRunner() {
        this(List.of());
    }

    /** With words before each command, such as those that enter a namespace. */
    NftRunner(List<String> prefix) {
        tool = new Tool(prefix);
    }

    /** Whether a failure is that there is no such program. */
    static boolean isMissing(ApplyFailure failure) {
        return MISSING.equals(failure.getMessage());
    }

    /** Has commands checked by the kernel as if they were to be applied; why it would refuse them, or null. */
    @Nullable String check(String script) throws ApplyFailure {
        Tool.Answer answer = nft(List.of("nft", "-c", "-f", "-"), script);
        return answer.code() == 0 ? null : failure(answer.err()).getMessage();
    }

    /** Applies commands in one transaction: all of them or none. */
    void run(String script) throws ApplyFailure {
        Tool.Answer answer = nft(List.of("nft", "-f", "-"), script);
        if (answer.code() != 0) {
            throw failure(answer.err());
        }
        transactions++;
        commands += script.lines().count();
    }

    /** How many transactions have been applied. */
    int transactions() {
        return transactions;
    }

    /** How many commands they had. */
    long commands() {
        return commands;
    }

    /** What a list command prints; null if there is no such table or set. */
    @Nullable String list(List<String> command) throws ApplyFailure {
        Tool.Answer answer = nft(command, "");
        if (answer.code() != 0) {
            if (answer.err().contains("No such file or directory")) {
                return null;
            }
            throw failure(answer.err());
        }
        return answer.out();
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

    private Tool.Answer nft(List<String> words, String input) throws ApplyFailure {
        Tool.Answer answer = tool.run(words, input);
        if (answer == null) {
            throw new ApplyFailure(MISSING, true);
        }
        return answer;
    }
}
