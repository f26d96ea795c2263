package dev.cairn.corefile;

import java.util.List;

/**
 * A line of a block: its first word, the words after it, and the lines of the block it opens, if it opens one.
 * The lines of a nested block are directives too.
 */
public record Directive(Token name, List<Token> args, List<Directive> block, boolean hasBlock) {

    public Directive {
        args = List.copyOf(args);
        block = List.copyOf(block);
        if (!hasBlock && !block.isEmpty()) {
            throw new IllegalArgumentException("lines without a block: " + name.text());
        }
    }
}
