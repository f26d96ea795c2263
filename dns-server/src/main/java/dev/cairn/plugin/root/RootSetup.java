package dev.cairn.plugin.root;

import dev.cairn.corefile.Use;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.PluginSetup;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/** Reads {@code root}. Stands first in the order of plugins, so that all others find their files by it. */
public final class RootSetup implements PluginSetup {
    @Override
    public String name() {
        return "root";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        Use.onlyOnce(uses);
        Use use = uses.getFirst();
        if (!use.expect(1, 1, "root PATH")) {
            return;
        }
        try {
            Path root = Path.of(use.arg(0));
            if (Files.notExists(root)) {
                // It may appear later, as a volume that is mounted after the start.
                use.warning("Root path does not exist: " + root);
            } else if (!Files.isDirectory(root)) {
                use.error("root path " + root + " is not a directory that can be read; write one");
            }
            block.root(root);
        } catch (InvalidPathException e) {
            use.error("\"" + use.arg(0) + "\" is not a path: " + e.getReason());
        }
    }
}
