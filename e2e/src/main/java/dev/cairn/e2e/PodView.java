package dev.cairn.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * What a process finds in a pod: the service account's files where Kubernetes mounts them, and the API server in the environment. For that it has its
 * own view of {@code /run}; needs root.
 */
public final class PodView {
    private static final String POD = """
            set -e
            account=$0
            mount --make-rprivate /
            mount -t tmpfs none /run
            mkdir -p /run/secrets/kubernetes.io
            ln -s "$account" /run/secrets/kubernetes.io/serviceaccount
            exec "$@"
            """;

    private final RealCluster cluster;
    private final Path account;

    /** Files are kept in a directory. */
    public PodView(RealCluster cluster, Path directory, String token) throws IOException {
        this.cluster = cluster;
        account = Files.createDirectories(directory.resolve("account"));
        Files.copy(cluster.authority(), account.resolve("ca.crt"), StandardCopyOption.REPLACE_EXISTING);
        rotate(token);
    }

    /** Puts another token in place of the old one, as the kubelet does. */
    public void rotate(String token) throws IOException {
        Path fresh = Files.writeString(account.resolve("..token"), token);
        Files.move(fresh, account.resolve("token"), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** What is to stand before a command, which keeps the process. */
    public List<String> prefix() {
        return List.of("env", "KUBERNETES_SERVICE_HOST=127.0.0.1", "KUBERNETES_SERVICE_PORT=" + cluster.port(),
                "unshare", "--mount", "sh", "-c", POD, account.toString());
    }
}
