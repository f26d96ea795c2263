package dev.cairn.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Commands that run a program in a network and a mount namespace of its own. These hang on the program's process and are gone with it.
 * Needs {@code unshare} and {@code nsenter} (package util-linux) and {@code ip}, and root or else user namespaces.
 */
public final class Namespaces {
    /** Keeps what is mounted from the rest of the machine, lays files over those in /etc, sets addresses and becomes the program. */
    private static final String SETUP = """
            set -e
            etc=$0 addresses=$1
            shift
            mount --make-rprivate /
            if [ -n "$etc" ]; then for file in "$etc"/*; do mount --bind "$file" "/etc/${file##*/}"; done; fi
            if [ -d /var/run/nscd ]; then mount -t tmpfs none /var/run/nscd; fi
            ip link set lo up
            for address in $addresses; do ip address add "$address" dev lo; done
            exec "$@"
            """;

    private Namespaces() {}

    private static boolean root() {
        try {
            return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * What to put before a command. The process stays the same all the way.
     *
     * @param etc a directory whose files take the place of those in {@code /etc}; empty for none
     * @param addresses which the machine shall have beside those of loopback
     */
    public static List<String> make(String etc, List<String> addresses) {
        List<String> command = new ArrayList<>(root() ? List.of("unshare") : List.of("unshare", "--map-root-user"));
        command.addAll(List.of("--net", "--mount", "sh", "-c", SETUP, etc, String.join(" ", addresses)));
        return command;
    }

    /** What to put before a command that shall run where a process is; it is given two minutes. */
    public static List<String> enter(long process) {
        List<String> command = new ArrayList<>(List.of("nsenter", "--target", Long.toString(process), "--net", "--mount"));
        command.addAll(root() ? List.of() : List.of("--user", "--preserve-credentials"));
        command.addAll(List.of("timeout", "120"));
        return command;
    }

    /** What a user can do who is not allowed to have namespaces; empty for root. */
    static String wayOut() {
        return root() ? "" : "; if this user may not make namespaces, run the tests as root or allow user namespaces"
                + " (sysctl kernel.unprivileged_userns_clone=1)";
    }
}
