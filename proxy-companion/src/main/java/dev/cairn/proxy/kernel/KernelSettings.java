package dev.cairn.proxy.kernel;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Sets values that the kernel has as files. In a container they may be read-only; what stays as it is, is named. */
public final class KernelSettings {
    private static final String SYSCTL = "proc/sys/";
    private static final int ROOM = 256;

    private final Path root;
    private final List<String> complaints = new ArrayList<>();

    /** With {@code /} for the kernel's own. */
    public KernelSettings(Path root) {
        this.root = root;
    }

    /** Sets sysctls by their names below /proc/sys, such as {@code net/ipv4/ip_forward}. What is so already is not written. */
    public void set(Map<String, String> wanted) {
        wanted.forEach((name, value) -> write(SYSCTL + name, value));
    }

    /** Sets how much rather than others this process is spared when memory runs out. */
    public void oomScore(String score) {
        write("proc/self/oom_score_adj", score);
    }

    /** Makes a number as large as this, unless it is. */
    void raise(String file, long least) {
        OptionalLong now = number(file);
        if (now.isEmpty() || now.getAsLong() < least) {
            write(file, Long.toString(least));
        }
    }

    private OptionalLong number(String file) {
        try {
            String text = read(root.resolve(file));
            return text.matches("[0-9]{1,18}") ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
        } catch (IOException _) {
            return OptionalLong.empty();
        }
    }

    /**
     * What a file says. Numbers of the kernel come whole with the first call, and a second one finds nothing; what begins with a call for one byte, as
     * {@link Files#readString} does with a file that seems empty, gets their first digit.
     */
    private static String read(Path path) throws IOException {
        byte[] room = new byte[ROOM];
        try (InputStream in = Files.newInputStream(path)) {
            return new String(room, 0, Math.max(0, in.read(room)), StandardCharsets.US_ASCII).strip();
        }
    }

    private void write(String file, String value) {
        Path path = root.resolve(file);
        try {
            if (!read(path).equals(value)) {
                Files.writeString(path, value);
            }
        } catch (NoSuchFileException _) {
            complaints.add(name(file) + " is not there to be set to " + value + ": is its module loaded?");
        } catch (IOException e) {
            String reason = e instanceof AccessDeniedException ? "Permission denied" : e.getMessage();
            complaints.add(name(file) + " cannot be set to " + value + " (" + reason + ")");
        }
    }

    private static String name(String file) {
        return file.startsWith(SYSCTL) ? file.substring(SYSCTL.length()).replace('/', '.') : "/" + file;
    }

    /** What could not be set, one line each. */
    public List<String> complaints() {
        return List.copyOf(complaints);
    }
}
