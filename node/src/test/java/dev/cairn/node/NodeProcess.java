package dev.cairn.node;

import dev.cairn.testing.CairnProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command as a process of its own. */
final class NodeProcess {
    private NodeProcess() {}

    /** Starts it by a command that ends with {@code exec}, or an empty one. Health and metrics are told where the kernel chooses. */
    static CairnProcess start(List<String> wrapper, Path directory, String... args) throws IOException {
        List<String> command = new ArrayList<>(wrapper);
        command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx96m",
                "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"), "dev.cairn.node.CairnNode",
                "--healthz-bind-address", "127.0.0.1:0", "--metrics-bind-address", "127.0.0.1:0", "--hostname-override", "node"));
        command.addAll(List.of(args));
        return CairnProcess.startAs(directory, command);
    }
}
