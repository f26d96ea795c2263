package dev.cairn.plugin.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the log tells once the cluster is read. */
class FirstSyncTest {
    private static final String CLUSTER = """
            {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
            ---
            {apiVersion: v1, kind: Service, metadata: {name: web, namespace: shop}, spec: {clusterIP: 10.96.0.1, selector: {app: web}, ports: [{port: 80}]}}
            ---
            {apiVersion: v1, kind: Service, metadata: {name: db, namespace: shop}, spec: {clusterIP: None, selector: {app: db}}}
            ---
            {apiVersion: v1, kind: Pod, metadata: {name: web-1, namespace: shop, labels: {app: web}}, status: {phase: Running, podIP: 10.1.0.1}}
            ---
            {apiVersion: v1, kind: Pod, metadata: {name: web-2, namespace: shop, labels: {app: web}}, status: {phase: Running, podIP: 10.1.0.2}}
            """;

    @TempDir
    Path directory;

    private String corefile(Path manifests, String more) {
        return "cluster.local {\n kubernetes {\n  manifests " + manifests + "\n }\n" + more + "}\n";
    }

    private static List<String> told(TestServer server) {
        return server.logLinesWith("plugin/kubernetes: synced ").toList();
    }

    @Test
    void tellsOnceHowMuchWasReadFromWhere() throws Exception {
        Path manifests = Files.writeString(directory.resolve("cluster.yaml"), CLUSTER);
        try (TestServer server = TestServer.start(corefile(manifests, ""))) {
            Awaitility.await().until(() -> !told(server).isEmpty());
            assertThat(told(server)).singleElement().asString().matches(
                    "\\[INFO] plugin/kubernetes: synced 2 namespaces, 3 services, 1 endpoint slice with 2 endpoints from manifests "
                            + manifests + " in [0-9]+ ms");
            assertThat(server.reload(corefile(manifests, " whoami\n"))).as("a configuration that goes on with what is known").isTrue();
        }
    }
}
