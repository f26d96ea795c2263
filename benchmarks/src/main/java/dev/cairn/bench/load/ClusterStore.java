package dev.cairn.bench.load;

import dev.cairn.e2e.Peers;
import dev.cairn.e2e.RealCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Keeps what etcd holds of large clusters from one run to the next, outside of the tree: to write 10,000 services takes longer than to measure with
 * them. What is kept is told apart by the objects and by the API server that has taken them, so that a change of either is written anew.
 */
public final class ClusterStore {
    /** Of so many services the objects are compared. */
    private static final int COMPARED = 20;

    private final Path home;
    private final String kind;

    ClusterStore(Path home, String kind) {
        this.home = home;
        this.kind = kind;
    }

    /** In {@code $XDG_CACHE_HOME/cairn-bench} or {@code ~/.cache/cairn-bench}. */
    public static ClusterStore usual(Map<String, String> environment) throws IOException {
        String cache = environment.getOrDefault("XDG_CACHE_HOME", "");
        Path parent = cache.isEmpty() ? Path.of(environment.getOrDefault("HOME", "/root"), ".cache") : Path.of(cache);
        Path server = Peers.find("kube-apiserver");
        StringBuilder objects = new StringBuilder(server.toString()).append(Files.size(server));
        IntStream.range(0, COMPARED).forEach(i -> objects.append(BigCluster.serviceJson(i)).append(BigCluster.sliceJson(i)));
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(objects.toString().getBytes(StandardCharsets.UTF_8));
            return new ClusterStore(parent.resolve("cairn-bench"), HexFormat.of().formatHex(digest, 0, 6));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Where a cluster is, or would be. */
    private Path place(int services, int bare) {
        return home.resolve(kind + "-" + services + (bare == 0 ? "" : "-" + bare));
    }

    /** Whether there is a cluster of so many services with endpoints, and so many without. */
    public boolean has(int services, int bare) {
        return Files.isDirectory(place(services, bare));
    }

    /** The size of the largest that has no more services than that, all with endpoints; 0 if there is none. */
    public int largest(int most) throws IOException {
        if (!Files.isDirectory(home)) {
            return 0;
        }
        try (Stream<Path> all = Files.list(home)) {
            return all.map(path -> path.getFileName().toString()).filter(name -> name.matches(kind + "-[0-9]+"))
                    .mapToInt(name -> Integer.parseInt(name.substring(name.indexOf('-') + 1))).filter(size -> size <= most).max().orElse(0);
        }
    }

    /** Keeps what the cluster of a directory, which has ended, has written. */
    public void keep(Path directory, int services, int bare) throws IOException {
        Files.createDirectories(home);
        Path fresh = Files.createTempDirectory(home, "new-");
        copy(RealCluster.data(directory), fresh);
        Files.move(fresh, place(services, bare), StandardCopyOption.ATOMIC_MOVE);
    }

    /** Starts a cluster that is kept, with files below a directory. */
    public RealCluster start(Path directory, int services, int bare) throws IOException {
        copy(place(services, bare), Files.createDirectories(RealCluster.data(directory)));
        return RealCluster.startAgain(directory);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
    }
}
