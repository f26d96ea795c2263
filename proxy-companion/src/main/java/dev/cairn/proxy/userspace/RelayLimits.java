package dev.cairn.proxy.userspace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * What the relay may use.
 *
 * @param connections TCP connections at a time
 * @param sessions UDP clients at a time
 * @param udpIdle after how much silence a UDP client is forgotten
 */
record RelayLimits(int connections, int sessions, Duration udpIdle) {
    private static final int FEW_FILES = 1024;
    private static final int MANY_FILES = 1 << 20;

    /** Three quarters of the open files that the process may have are for connections, which need two, and an eighth for UDP. */
    static RelayLimits ofProcess(Duration udpIdle) {
        int files = openFiles();
        return new RelayLimits(files / 8 * 3, files / 8, udpIdle);
    }

    private static int openFiles() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/limits"))) {
                String[] words = line.split("\\s+", -1);
                if (line.startsWith("Max open files") && words.length > 3) {
                    return words[3].matches("[0-9]{1,18}") ? Math.clamp(Long.parseLong(words[3]), 1, MANY_FILES) : MANY_FILES;
                }
            }
        } catch (IOException _) {
            // Nowhere but on Linux; then few are surely allowed.
        }
        return FEW_FILES;
    }
}
