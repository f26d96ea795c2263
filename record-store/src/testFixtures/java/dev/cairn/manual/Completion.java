package dev.cairn.manual;

import picocli.AutoComplete;
import picocli.CommandLine;

/** Lets shells complete subcommands, flags and their values: bash and zsh. */
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

    /**
     * The same for zsh, which can complete only in a terminal: types the words in one, and prints what they have become. Where the script
     * lies zsh keeps what it knows of completions.
     */
    public static String zshScript() {
        return """
                zmodload zsh/zpty
                file=$1; shift
                zpty shell "ZDOTDIR=${(q)${0:A:h}} zsh -f -i"
                zpty -w shell "TERM=dumb; . ${(q)file}"
                zpty -w shell 'tell() { zle complete-word; print -r -- "<$BUFFER>" }; zle -N tell; bindkey "^T" tell; print ready'
                zpty -r -m shell seen '*[[:space:]]ready[[:space:]]*'
                zpty -w -n shell "$*"$'\\x14'
                zpty -r -m shell seen "*<$1 *>*"
                print -r -- "${${seen##*<}%%>*}"
                zpty -d shell
                """;
    }
}
