package dev.cairn.manual;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Files in the tree that are made from the code. */
public final class Kept {
    private static final Path ROOT = Path.of(System.getProperty("cairn.root"));
    private static final boolean WRITE = Boolean.getBoolean("cairn.docs.write");

    private Kept() {}

    /** Fails if the file is not what the code says; with {@code -Dcairn.docs.write=true} makes it so instead. */
    public static void check(String file, String fresh) throws IOException {
        Path path = ROOT.resolve(file);
        if (WRITE) {
            Files.createDirectories(path.resolveSibling("."));
            Files.writeString(path, fresh);
            return;
        }
        List<String> kept = Files.exists(path) ? Files.readString(path).lines().toList() : List.of();
        List<String> now = fresh.lines().toList();
        for (int i = 0; i < Math.max(kept.size(), now.size()); i++) {
            String was = i < kept.size() ? kept.get(i) : "(nothing)";
            String is = i < now.size() ? now.get(i) : "(nothing)";
            if (!was.equals(is)) {
                throw new AssertionError(file + " is not what the code says; run ./gradlew docs and commit it. Line " + (i + 1)
                        + " is\n  " + was + "\nand should be\n  " + is);
            }
        }
    }
}
