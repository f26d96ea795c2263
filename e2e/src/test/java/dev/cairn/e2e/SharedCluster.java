package dev.cairn.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives tests the one cluster, which starts with the first that wants it and ends with the last. The roles of {@code deploy/} are there. */
final class SharedCluster implements ParameterResolver {
    /** The service account the server runs as, in {@code kube-system}. */
    static final String ACCOUNT = "cairn-dns";
    /** The one that the proxy runs as, there, too. */
    static final String PROXY = "cairn-proxy";

    private static final String BINDING = """
            apiVersion: v1
            kind: ServiceAccount
            metadata: {name: %1$s, namespace: kube-system}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: %1$s}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: %1$s}
            subjects: [{kind: ServiceAccount, name: %1$s, namespace: kube-system}]
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
            for (String role : List.of("clusterrole.yaml", "proxy-clusterrole.yaml")) {
                admin.create(Files.readString(Path.of(System.getProperty("cairn.root"), "deploy", role)));
            }
            admin.create(BINDING.formatted(ACCOUNT));
            admin.create(BINDING.formatted(PROXY));
            return new Running(cluster);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
