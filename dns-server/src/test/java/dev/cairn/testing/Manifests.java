package dev.cairn.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Little manifests of a cluster whose objects are all in the namespace {@code shop}. */
public final class Manifests {
    /** The namespace itself, for those who ask for its name. */
    public static final String SHOP = """
            apiVersion: v1
            kind: Namespace
            metadata: {name: shop}
            """;

    private Manifests() {}

    /** A service; its specification is YAML in braces. */
    public static String service(String name, String specification) {
        return """
                apiVersion: v1
                kind: Service
                metadata: {name: %s, namespace: shop}
                spec: %s
                """.formatted(name, specification);
    }

    /** Writes a cluster into a directory, in the place of the one that was written before. */
    public static void write(Path directory, String... documents) throws IOException {
        Files.writeString(directory.resolve("cluster.yaml"), String.join("---\n", documents));
    }
}
