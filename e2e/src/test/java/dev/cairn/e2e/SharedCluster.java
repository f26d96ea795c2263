package dev.cairn.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives tests the one cluster, which starts with the first that wants it and ends with the last. The roles of {@code deploy/} are there. */
final class SharedCluster implements ParameterResolver {
    /** An account in {@code kube-system} with all rights that the server can use. That of {@code deploy/} has only those that are always needed. */
    static final String ACCOUNT = "cairn-dns";
    /** The one that the proxy runs as, there, too. */
    static final String PROXY = "cairn-proxy";

    /** What {@code deploy/} lets the server and the proxy do, in files there, and the roles in them. */
    private static final Map<String, String> DNS_ROLES = Map.of("dns/clusterrole.yaml", "system:coredns",
            "components/pods-verified/clusterrole.yaml", "cairn-dns-pods",
            "components/multicluster/clusterrole.yaml", "cairn-dns-multicluster");

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
            for (String file : List.of("dns/account.yaml", "proxy/base/account.yaml", "proxy/base/clusterrole.yaml",
                    "node/account.yaml", "node/clusterrole.yaml")) {
                admin.create(deployed(file));
            }
            admin.create("{apiVersion: v1, kind: ServiceAccount, metadata: {name: " + ACCOUNT + ", namespace: kube-system}}");
            for (Map.Entry<String, String> role : DNS_ROLES.entrySet()) {
                admin.create(deployed(role.getKey()));
                admin.create("""
                        apiVersion: rbac.authorization.k8s.io/v1
                        kind: ClusterRoleBinding
                        metadata: {name: "%1$s-%2$s"}
                        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: "%2$s"}
                        subjects: [{kind: ServiceAccount, name: %1$s, namespace: kube-system}]
                        """.formatted(ACCOUNT, role.getValue()));
            }
            return new Running(cluster);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A file of {@code deploy/}. */
    static String deployed(String file) throws IOException {
        return Files.readString(Path.of(System.getProperty("cairn.root"), "deploy", file));
    }
}
