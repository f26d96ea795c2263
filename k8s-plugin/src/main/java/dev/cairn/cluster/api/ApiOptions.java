package dev.cairn.cluster.api;

import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where the API server is and how to speak to it. A kubeconfig file wins over an endpoint; without either, this is a pod and uses its
 * service account.
 *
 * @param endpoint URL of the API server
 * @param tls files for TLS with an endpoint
 * @param kubeconfig kubeconfig file
 * @param context context in the kubeconfig file; null for its current one
 * @param serviceAccount directory with {@code token} and {@code ca.crt} of a pod's service account
 * @param qps requests a second on average; 0 for no limit
 * @param burst requests that may be made at once before {@code qps} holds; 0 for 10
 * @param maxInflight requests that may wait for an answer at the same time; 0 for no limit
 * @param pageSize objects in a page of a list that the server does not have in its cache; 0 to list all at once
 * @param streamedLists whether to have lists sent as events of a watch (WatchList, Kubernetes 1.32 and later), which spares the server the
 *     memory for pages; where it is refused, lists are made as usual
 */
public record ApiOptions(
        @Nullable String endpoint,
        @Nullable Tls tls,
        @Nullable Path kubeconfig,
        @Nullable String context,
        Path serviceAccount,
        double qps,
        int burst,
        int maxInflight,
        int pageSize,
        boolean streamedLists) {
    /** Where Kubernetes mounts the service account of a pod. */
    public static final Path SERVICE_ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

    private static final int PAGE = 500;

    /** Files in PEM form: certificate and key of the client, and the authority that signed the server's certificate. */
    public record Tls(Path certificate, Path key, Path authority) {}

    public ApiOptions {
        if (qps < 0 || burst < 0 || maxInflight < 0 || pageSize < 0) {
            throw new IllegalArgumentException("limits of requests must not be negative");
        }
    }

    @Override
    public int hashCode() {
        return 31 * Objects.hashCode(endpoint) + Objects.hashCode(kubeconfig);
    }

    /** The API server of the cluster this runs in. */
    public static ApiOptions inCluster() {
        return new ApiOptions(null, null, null, null, SERVICE_ACCOUNT, 0, 0, 0, PAGE, false);
    }

    public static ApiOptions atEndpoint(String endpoint, @Nullable Tls tls) {
        return new ApiOptions(endpoint, tls, null, null, SERVICE_ACCOUNT, 0, 0, 0, PAGE, false);
    }

    public static ApiOptions fromKubeconfig(Path file, @Nullable String context) {
        return new ApiOptions(null, null, file, context, SERVICE_ACCOUNT, 0, 0, 0, PAGE, false);
    }

    public ApiOptions withLimits(double qps, int burst, int maxInflight) {
        return new ApiOptions(endpoint, tls, kubeconfig, context, serviceAccount, qps, burst, maxInflight, pageSize, streamedLists);
    }

    public ApiOptions withPageSize(int pageSize) {
        return new ApiOptions(endpoint, tls, kubeconfig, context, serviceAccount, qps, burst, maxInflight, pageSize, streamedLists);
    }

    public ApiOptions withServiceAccount(Path serviceAccount) {
        return new ApiOptions(endpoint, tls, kubeconfig, context, serviceAccount, qps, burst, maxInflight, pageSize, streamedLists);
    }

    public ApiOptions withStreamedLists() {
        return new ApiOptions(endpoint, tls, kubeconfig, context, serviceAccount, qps, burst, maxInflight, pageSize, true);
    }
}
