package dev.cairn.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives tests the one cluster, which starts with the first that wants it and ends with the last. The role of {@code deploy/} is there. */
final class SharedCluster implements ParameterResolver {
    /** The service account the server runs as, in {@code kube-system}. */
    static final String ACCOUNT = "cairn-dns";

    private static final String BINDING = """
            apiVersion: v1
            kind: ServiceAccount
            metadata: {name: cairn-dns, namespace: kube-system}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: cairn-dns}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cairn-dns}
            subjects: [{kind: ServiceAccount, name: cairn-dns, namespace: kube-system}]
            """;

    /** JUnit closes it with the root of all tests. */
    private record Running(RealCluster cluster) implements AutoCloseable {
        @Override
        public void close() {
            cluster.close();
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == RealCluster.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot().getStore(ExtensionContext.Namespace.create(SharedCluster.class))
                .getOrComputeIfAbsent(Running.class, _ -> start(), Running.class)
                .cluster();
    }

    private static Running start() {
        try {
            RealCluster cluster = RealCluster.start(Files.createTempDirectory("cairn-cluster"));
            KubeApi admin = cluster.admin();
            admin.create(Files.readString(Path.of(System.getProperty("cairn.root"), "deploy", "clusterrole.yaml")));
            admin.create(BINDING);
            return new Running(cluster);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
