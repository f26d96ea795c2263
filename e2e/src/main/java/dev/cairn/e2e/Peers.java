package dev.cairn.e2e;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The programs that {@code tools/peers} compiles. */
public final class Peers {
    private Peers() {}

    /** A program by its name; one that is not there is an error that tells how to get it. */
    public static Path find(String name) {
        Path program = directory(System.getenv()).resolve(name);
        if (!Files.isExecutable(program)) {
            throw new IllegalStateException(program + " is not there; run tools/peers " + name);
        }
        return program;
    }

    /** The same directory that {@code tools/peers} chooses. */
    static Path directory(Map<String, String> environment) {
        String chosen = environment.getOrDefault("CAIRN_PEERS", "");
        if (!chosen.isEmpty()) {
            return Path.of(chosen);
        }
        String cache = environment.getOrDefault("XDG_CACHE_HOME", "");
        return (cache.isEmpty() ? Path.of(environment.getOrDefault("HOME", "/root"), ".cache") : Path.of(cache)).resolve("cairn-peers");
    }
}
