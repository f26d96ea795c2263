package dev.cairn.plugin.cache;

import static dev.cairn.testing.TestServer.answers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.testing.Manifests;
import dev.cairn.testing.TestServer;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Type;

/** What plugins answer from memory goes past the cache. */
class LocalAnswersTest {
    @TempDir
    Path manifests;

    private void write(String address) throws IOException {
        Manifests.write(manifests, Manifests.service("web", "{clusterIP: " + address + ", ports: [{port: 80}]}"));
    }

    @Test
    void aClusterNameIsNeverOlderThanTheCluster() throws Exception {
        write("10.96.0.10");
        String corefile = """
                . {
                    kubernetes cluster.local in-addr.arpa {
                        manifests DIR
                        fallthrough in-addr.arpa
                    }
                    cache 3600
                    whoami
                }
                """.replace("DIR", manifests.toString());
        try (TestServer server = TestServer.start(corefile)) {
            String name = "web.shop.svc.cluster.local";
            await().until(() -> answers(server.ask(name, Type.A)).size() == 1);
            assertThat(server.ask("new.shop.svc.cluster.local", Type.A).getRcode()).isEqualTo(Rcode.NXDOMAIN);
            assertThat(server.ask(name, Type.A).getSection(1).getFirst().getTTL()).as("not the cache's").isEqualTo(5);
            assertThat(server.metrics()).doesNotContain("coredns_cache_requests_total{");
            write("10.96.0.11");
            await().until(() -> answers(server.ask(name, Type.A)).getFirst().endsWith("10.96.0.11"));
            assertThat(answers(server.ask("11.0.96.10.in-addr.arpa", Type.PTR))).hasSize(1);
            assertThat(server.metrics()).doesNotContain("coredns_cache_requests_total{");
        }
    }

    @Test
    void whoamiTellsEachClientItsOwnPort() throws Exception {
        try (TestServer server = TestServer.start(". {\n cache\n whoami\n}")) {
            Message first = server.ask("who.example.org", Type.A);
            Message second = server.ask("who.example.org", Type.A);
            assertThat(first.getSection(3).getFirst().getTTL()).isZero();
            assertThat(TestServer.rows(first, 3)).isNotEqualTo(TestServer.rows(second, 3));
            assertThat(server.metrics()).contains("coredns_cache_requests_total{server=\"dns://:0\",view=\"\",zones=\".\"} 2\n",
                    "coredns_cache_entries{server=\"dns://:0\",type=\"success\",view=\"\",zones=\".\"} 0\n");
        }
    }

    @Test
    void aReloadStartsWithAnEmptyCacheAndTheSameMetrics() throws Exception {
        String corefile = ". {\n cache\n whoami\n}";
        try (TestServer server = TestServer.start(corefile)) {
            server.ask("who.example.org", Type.A);
            assertThat(server.reload(corefile)).isTrue();
            server.ask("who.example.org", Type.A);
            assertThat(server.metrics()).contains("coredns_cache_requests_total{server=\"dns://:0\",view=\"\",zones=\".\"} 2\n",
                    "coredns_cache_entries{server=\"dns://:0\",type=\"success\",view=\"\",zones=\".\"} 0\n");
            assertThat(server.reload(". {\n whoami\n}")).isTrue();
            assertThat(server.metrics()).doesNotContain("coredns_cache_entries{");
        }
    }
}
