package dev.cairn.plugin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The name of the machine, by which a server is told from others. */
public final class HostName {
    private HostName() {}

    /** The name as the kernel has it, which in a container is the pod's; never looked up in DNS, which may be this server's business. */
    public static String get() {
        try {
            String name = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
            return name.isEmpty() ? "localhost" : name;
        } catch (IOException e) {
            return "localhost";
        }
    }
}
