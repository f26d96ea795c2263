package dev.cairn.plugin.kubernetes;

import static dev.cairn.testing.TestServer.answers;
import static dev.cairn.testing.TestServer.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.testing.Manifests;
import dev.cairn.testing.TestServer;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** A cluster may be served right under the root, as in CoreDNS. */
class RootZoneTest {
    @TempDir
    Path manifests;

    @BeforeEach
    void write() throws IOException {
        Manifests.write(manifests, Manifests.SHOP,
                Manifests.service("web", "{clusterIP: 10.96.0.10, externalIPs: [192.0.2.7], ports: [{name: http, port: 80}]}"));
    }

    @Test
    void kubernetesServesTheRoot() throws Exception {
        try (TestServer server = TestServer.start(". {\n kubernetes {\n manifests " + manifests + "\n }\n}")) {
            await().until(() -> answers(server.ask("web.shop.svc", Type.A)).size() == 1);
            assertThat(answers(server.ask("web.shop.svc", Type.A))).containsExactly("web.shop.svc. 5 IN A 10.96.0.10");
            assertThat(answers(server.ask("_http._tcp.web.shop.svc", Type.SRV))).containsExactly("_http._tcp.web.shop.svc. 5 IN SRV 0 100 80 web.shop.svc.");
            assertThat(answers(server.ask("dns-version", Type.TXT))).hasSize(1);
            assertThat(rows(server.ask("no.shop.svc", Type.A), Section.AUTHORITY)).singleElement().asString()
                    .startsWith(". 5 IN SOA ns.dns. hostmaster. ");
        }
    }

    @Test
    void externalNamesStandUnderTheRoot() throws Exception {
        try (TestServer server = TestServer.start(
                ". {\n kubernetes cluster.local {\n manifests " + manifests + "\n }\n k8s_external\n}")) {
            await().until(() -> answers(server.ask("web.shop", Type.A)).size() == 1);
            assertThat(answers(server.ask("web.shop", Type.A))).containsExactly("web.shop. 5 IN A 192.0.2.7");
        }
    }
}
