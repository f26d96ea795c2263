package dev.cairn.proxy.ipvs;

import dev.cairn.proxy.sync.ApplyFailure;
import java.util.List;

/** Runs a program of the system ({@code nft}, {@code ipset}, {@code iptables}) of which only counts whether it succeeded, and what it said. */
class Tool {
    static final int MISSING = 127;

    private final dev.cairn.proxy.sync.Tool programs = new dev.cairn.proxy.sync.Tool(List.of());

    /** What a program said; its code is {@code MISSING} if there is no such program. */
    record Answer(int code, String text) {
        boolean isGood() {
            return code == 0;
        }
    }

    /** Runs it with some input. */
    Answer run(List<String> command, String input) throws ApplyFailure {
        var answer = programs.run(command, input);
        return answer == null
                ? new Answer(MISSING, "there is no program " + command.getFirst())
                : new Answer(answer.code(), answer.out() + answer.err());
    }

    /** Runs it, and fails if it does. */
    void must(List<String> command, String input) throws ApplyFailure {
        Answer answer = run(command, input);
        if (!answer.isGood()) {
            String first = answer.text().lines().filter(line -> !line.isBlank()).findFirst().orElse("no reason given");
            throw new ApplyFailure(command.getFirst() + " refused: " + first, false);
        }
    }
}
