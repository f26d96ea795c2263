package dev.cairn.conformance;

import dev.cairn.testing.CairnProcess;
import dev.cairn.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A place like a pod: a network of its own with nothing but the loopback interface, {@code /etc/resolv.conf} as the kubelet writes it, and
 * the server on port 53. All of it hangs on the server's process and is gone with it. Needs {@code unshare}, {@code nsenter} and
 * {@code ip}, and root or else user namespaces.
 */
final class Pod implements AutoCloseable {
    /** Keeps what is mounted here from the rest of the machine, lays the pod's files over the machine's, and becomes the server. */
    private static final String SETUP = """
            set -e
            mount --make-rprivate /
            for file in resolv.conf nsswitch.conf hosts; do mount --bind "$0/$file" "/etc/$file"; done
            if [ -d /var/run/nscd ]; then mount -t tmpfs none /var/run/nscd; fi
            ip link set lo up
            exec "$@"
            """;

    private final boolean root = Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    private final CairnProcess server;

    /** @param search the search path of the pod */
    Pod(Path directory, String corefile, String search) throws IOException {
        Files.writeString(directory.resolve("Corefile"), corefile);
        Files.writeString(directory.resolve("resolv.conf"), "search " + search + "\nnameserver 127.0.0.1\noptions ndots:5\n");
        Files.writeString(directory.resolve("nsswitch.conf"), "hosts: files dns\n");
        Files.writeString(directory.resolve("hosts"), "127.0.0.1 localhost\n");
        List<String> wrapper = new ArrayList<>(root ? List.of("unshare") : List.of("unshare", "--map-root-user"));
        wrapper.addAll(List.of("--net", "--mount", "sh", "-c", SETUP, directory.toString()));
        try {
            server = CairnProcess.startBy(wrapper, directory, "-conf", "Corefile");
        } catch (IOException e) {
            throw new AssertionError("unshare is not installed; it is in the package util-linux", e);
        }
        try {
            server.port();
        } catch (AssertionError e) {
            close();
            String wayOut = root ? "" : "; if this user may not make one, run the tests as root or allow user namespaces"
                    + " (sysctl kernel.unprivileged_userns_clone=1)";
            throw new AssertionError("the server did not start in a network of its own" + wayOut, e);
        }
    }

    /** Runs a program in the pod, for ten seconds at most. */
    Programs.Result run(String... command) throws IOException, InterruptedException {
        Stream<String> enter = Stream.of("nsenter", "--target", Long.toString(server.pid()), "--net", "--mount");
        Stream<String> user = root ? Stream.of() : Stream.of("--user", "--preserve-credentials");
        Stream<String> bounded = Stream.concat(Stream.of("timeout", "10"), Stream.of(command));
        return Programs.run(Stream.concat(Stream.concat(enter, user), bounded).toArray(String[]::new));
    }

    /** What the server has printed. */
    List<String> log() {
        return server.output();
    }

    @Override
    public void close() {
        server.close();
    }
}
