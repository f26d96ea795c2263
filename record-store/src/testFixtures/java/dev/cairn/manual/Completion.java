package dev.cairn.manual;

import picocli.AutoComplete;
import picocli.CommandLine;

/** Lets shells complete subcommands, flags and their values: bash, and zsh with {@code bashcompinit}. */
public final class Completion {
    private Completion() {}

    public static String of(CommandLine command) {
        return AutoComplete.bash(command.getCommandName(), command);
    }
}
