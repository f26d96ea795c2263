package dev.cairn.conformance;

import dev.cairn.testing.CairnProcess;
import dev.cairn.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A place like a pod: a network of its own with nothing but the loopback interface, {@code /etc/resolv.conf} as the kubelet writes it, and
 * the server on port 53.
 */
final class Pod implements AutoCloseable {
    private final CairnProcess server;

    /** @param search the search path of the pod */
    Pod(Path directory, String corefile, String search) throws IOException {
        Files.writeString(directory.resolve("Corefile"), corefile);
        Path etc = Files.createDirectories(directory.resolve("etc"));
        Files.writeString(etc.resolve("resolv.conf"), "search " + search + "\nnameserver 127.0.0.1\noptions ndots:5\n");
        Files.writeString(etc.resolve("nsswitch.conf"), "hosts: files dns\n");
        Files.writeString(etc.resolve("hosts"), "127.0.0.1 localhost\n");
        try {
            server = CairnProcess.startBy(Namespaces.make(etc.toString(), List.of()), directory, "-conf", "Corefile");
        } catch (IOException e) {
            throw new AssertionError("unshare is not installed; it is in the package util-linux", e);
        }
        try {
            server.port();
        } catch (AssertionError e) {
            close();
            throw new AssertionError("the server did not start in a network of its own" + Namespaces.wayOut(), e);
        }
    }

    /** Runs a program in the pod. */
    Programs.Result run(String... command) throws IOException, InterruptedException {
        return Programs.run(Stream.concat(Namespaces.enter(server.pid()).stream(), Stream.of(command)).toArray(String[]::new));
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
