package dev.cairn.manual;

import picocli.AutoComplete;
import picocli.CommandLine;

/** Lets shells complete subcommands, flags and their values: bash, and zsh with {@code bashcompinit}. */
public final class Completion {
    private Completion() {}

    public static String of(CommandLine command) {
        return AutoComplete.bash(command.getCommandName(), command);
    }

    /** A script for bash that prints how words are completed: its arguments are the file with the completions and the words, the command first. */
    public static String script(String command) {
        return """
                set -eu
                compopt() { :; }
                . "$1"
                shift
                COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
                COMP_TYPE=9; COMP_KEY=9
                _complete_%s
                printf '%%s\\n' "${COMPREPLY[@]}"
                """.formatted(command);
    }
}
