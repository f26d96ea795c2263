package dev.cairn.server;

import dev.cairn.corefile.Corefile;
import dev.cairn.corefile.CorefileParser;
import dev.cairn.corefile.Problems;
import java.nio.file.Path;

/** Where the configuration comes from, each time it is read. */
public interface ConfigSource {
    /** What runs without any Corefile, as CoreDNS has it. */
    ConfigSource BUILT_IN = text("built-in", ". {\n    whoami\n    log\n}\n");

    /** Reads and parses; what is wrong goes to {@code problems}. */
    Corefile read(Problems problems);

    static ConfigSource file(Path file) {
        return problems -> CorefileParser.parseFile(file, problems);
    }

    static ConfigSource text(String name, String text) {
        return problems -> CorefileParser.parse(name, text, System::getenv, problems);
    }
}
