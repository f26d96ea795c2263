package dev.cairn.corefile;

import java.util.List;

/** The zones of a server and the directives that serve them, both in the order of the file. */
public record ServerBlock(List<Token> keys, List<Directive> directives) {

    public ServerBlock {
        keys = List.copyOf(keys);
        directives = List.copyOf(directives);
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("a server block needs a key");
        }
    }

    /** Where the block begins: at its first key. */
    public Position at() {
        return keys.getFirst().at();
    }

    /** All uses of one directive, in order. */
    public List<Directive> uses(String name) {
        return directives.stream().filter(directive -> directive.name().text().equals(name)).toList();
    }
}
