package dev.cairn.plugin.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Type;

/** What log lines can tell of a query; the expectations are those of CoreDNS's metadata_test.go, and a few more. */
class KubernetesMetadataTest {
    @TempDir
    static Path manifests;

    private static TestServer server;

    @BeforeAll
    static void start() throws Exception {
        Files.writeString(manifests.resolve("cluster.yaml"), """
                apiVersion: v1
                kind: Pod
                metadata: {name: foo, namespace: podns, labels: {app.kubernetes.io/name: foo, bar: baz}}
                spec: {containers: [{name: c}]}
                status: {podIP: 127.0.0.1, phase: Running}
                """);
        String parts = "{name}={/kubernetes/port-name}|{/kubernetes/protocol}|{/kubernetes/endpoint}|{/kubernetes/cluster}|{/kubernetes/zone}"
                + "|{/kubernetes/service}|{/kubernetes/namespace}|{/kubernetes/kind}|{/kubernetes/parse-error}|";
        String client = "{name}={/kubernetes/client-namespace} {/kubernetes/client-pod-name} {/kubernetes/client-label/bar}"
                + " {/kubernetes/client-label/app.kubernetes.io/name} {/kubernetes/client-label/none} {/kubernetes/none}|";
        server = TestServer.start(". {\n metadata\n log who.example " + quoted(client) + "\n log . " + quoted(parts) + "\n"
                + " kubernetes cluster.local clusterset.local {\n  manifests " + manifests
                + "\n  pods verified\n  multicluster clusterset.local\n  zonal\n }\n}");
        await().until(() -> server.ask("none.none.svc.cluster.local", Type.A).getRcode() != Rcode.SERVFAIL);
    }

    private static String quoted(String text) {
        return '"' + text + '"';
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    private static String told(String name) throws IOException {
        server.ask(name, Type.A);
        String start = "[INFO] " + name + "=";
        await().until(() -> server.logLinesWith(start).findAny().isPresent());
        return server.logLinesWith(start).findFirst().orElseThrow().substring(start.length());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '=', value = {
        "foo.bar.notapod.cluster.local.               = -|-|-|-|-|-|-|-|invalid query name|",
        "10-240-0-1.podns.pod.cluster.local.          = |||-||10-240-0-1|podns|pod|-|",
        "s.ns.svc.cluster.local.                      = |||-||s|ns|svc|-|",
        "_http._tcp.s.ns.svc.cluster.local.           = http|tcp||-||s|ns|svc|-|",
        "ep.s.ns.svc.cluster.local.                   = ||ep|-||s|ns|svc|-|",
        "ep.c1.s.ns.svc.clusterset.local.             = ||ep|c1||s|ns|svc|-|",
        "a.b.pin._zone.s.ns.svc.cluster.local.        = |||-|a.b|s|ns|svc|-|",
        "a.b.pin._zone.s.ns.svc.clusterset.local.     = -|-|-|-|-|-|-|-|invalid query name|",
        "svc.cluster.local.                           = |||-|||||-|",
        "cluster.local.                               = |||-|||||-|",
        "example.com.                                 = -|-|-|-|-|-|-|-|-|",
    })
    void theLabelsOfANameAreTold(String name, String expected) throws Exception {
        assertThat(told(name)).isEqualTo(expected);
    }

    @Test
    void theClientsPodIsTold() throws Exception {
        assertThat(told("who.example.")).isEqualTo("podns foo baz foo - -|");
    }
}
