package dev.cairn.plugin.autopath;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Plugin;
import dev.cairn.chain.Step;
import dev.cairn.testing.TestChain;
import dev.cairn.testing.TestServer;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.Rcode;
import dev.cairn.wire.Rdata;
import dev.cairn.wire.WireName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.Message;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

class AutopathTest {
    private static final String CLUSTER = """
            apiVersion: v1
            kind: Namespace
            metadata: {name: shop}
            ---
            apiVersion: v1
            kind: Namespace
            metadata: {name: bank}
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: cart, namespace: shop}
            spec: {clusterIP: 10.96.0.10, ports: [{port: 80}]}
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: vault, namespace: bank}
            spec: {clusterIP: 10.96.0.11, ports: [{port: 80}]}
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: circle, namespace: bank}
            spec: {type: ExternalName, externalName: circle.bank.shop.svc.cluster.local}
            """;

    @TempDir
    Path directory;

    /** Answers after a while, from another thread, what it knows; another answer than an address is NXDOMAIN. Keeps what it was asked. */
    private static final class Slow implements Plugin {
        private final List<String> asked = new CopyOnWriteArrayList<>();
        private final String known;

        Slow(String known) {
            this.known = known;
        }

        @Override
        public String name() {
            return "slow";
        }

        @Override
        public Step query(Exchange exchange) {
            String name = exchange.query().nameText();
            asked.add(name);
            Thread.ofPlatform().start(() -> {
                if (name.equals(known)) {
                    exchange.answer().addForQuestion(Rdata.single(WireName.ROOT, DnsType.A, 60, new byte[] {10, 0, 0, 1}));
                } else {
                    exchange.answer().rcode(Rcode.NXDOMAIN);
                }
                exchange.resume(Step.ANSWERED);
            });
            return Step.LATER;
        }
    }

    private Path resolvConf(String text) throws IOException {
        return Files.writeString(directory.resolve("resolv.conf"), text);
    }

    private TestServer cluster(String pods, String below) throws Exception {
        Path manifests = Files.createDirectories(directory.resolve("manifests"));
        Files.writeString(manifests.resolve("cluster.yaml"), CLUSTER);
        Files.writeString(manifests.resolve("pods.yaml"), pods);
        TestServer server = TestServer.start(". {\n autopath @kubernetes\n kubernetes cluster.local {\n  manifests " + manifests
                + "\n  pods verified\n }\n " + below + "\n}");
        Awaitility.await()
                .until(() -> server.ask("none.none.svc.cluster.local", Type.A).getRcode() != org.xbill.DNS.Rcode.SERVFAIL);
        return server;
    }

    /** A pod with the address that the test asks from. */
    private static String pod(String namespace, String name, String more) {
        return "---\napiVersion: v1\nkind: Pod\nmetadata: {name: " + name + ", namespace: " + namespace
                + (more.contains("deletion") ? ", deletionTimestamp: \"2026-01-01T00:00:00Z\"" : "") + "}\n"
                + (more.contains("hostNetwork") ? "spec: {hostNetwork: true}\n" : "")
                + "status: {podIP: 127.0.0.1" + (more.contains("Succeeded") ? ", phase: Succeeded" : "") + "}\n";
    }

    private static void assertFollows(TestServer server, String namespace) throws IOException {
        assertThat(TestServer.answers(server.ask("vault.bank." + namespace + ".svc.cluster.local", Type.A))).containsExactly(
                "vault.bank." + namespace + ".svc.cluster.local. 5 IN CNAME vault.bank.svc.cluster.local.",
                "vault.bank.svc.cluster.local. 5 IN A 10.96.0.11");
    }

    private static void assertDoesNotFollow(TestServer server, String namespace) throws IOException {
        Message reply = server.ask("vault.bank." + namespace + ".svc.cluster.local", Type.A);
        assertThat(reply.getRcode()).isEqualTo(org.xbill.DNS.Rcode.NXDOMAIN);
        assertThat(reply.getSection(Section.ANSWER)).isEmpty();
    }

    @Test
    void theNextNamesAreAskedOneAfterTheOtherAlsoWhenAnswersTakeTime() throws Exception {
        Slow slow = new Slow("host.two.example.");
        Path file = resolvConf("domain no.example\n# search never.example\nsearch one.example two.example three.example\n");
        try (TestChain chain = new TestChain("autopath " + file, List.of(new AutopathSetup()), slow)) {
            Message reply = chain.ask(TestServer.query("Host.One.example", Type.A));
            assertThat(reply.getQuestion().getName().toString()).isEqualTo("Host.One.example.");
            assertThat(TestServer.answers(reply)).containsExactly(
                    "Host.One.example. 60 IN CNAME host.two.example.", "host.two.example. 60 IN A 10.0.0.1");
            assertThat(slow.asked).containsExactly("host.one.example.", "host.two.example.");
            assertThat(chain.metrics()).contains("coredns_autopath_success_total{server=\"dns://:53\"} 1");

            slow.asked.clear();
            reply = chain.ask(TestServer.query("absent.one.example", Type.A));
            assertThat(reply.getRcode()).isEqualTo(org.xbill.DNS.Rcode.NXDOMAIN);
            assertThat(slow.asked)
                    .containsExactly("absent.one.example.", "absent.two.example.", "absent.three.example.", "absent.");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "two.example, because it is not in the first domain of the path",
        "one.example, because nothing was typed",
        "host.two.example, because it is not in the first domain of the path",
        "other.zone, because it is not in the zones of autopath",
    })
    void otherQuestionsAreLeftAlone(String name, String reason) throws Exception {
        Slow slow = new Slow("");
        Path file = resolvConf("search one.example two.example");
        try (TestChain chain = new TestChain("autopath example " + file, List.of(new AutopathSetup()), slow)) {
            chain.ask(TestServer.query(name, Type.A));
            assertThat(slow.asked).as(reason).containsExactly(name + ".");
        }
    }

    @Test
    void namesThatWouldBeTooLongAreLeftOut() throws Exception {
        Slow slow = new Slow("");
        String label = "a".repeat(60) + ".";
        Path file = resolvConf("search b " + label + label);
        try (TestChain chain = new TestChain("autopath " + file, List.of(new AutopathSetup()), slow)) {
            chain.ask(TestServer.query(label + label + label + "b", Type.A));
            assertThat(slow.asked).containsExactly(label + label + label + "b.", label + label + label);
        }
    }

    @Test
    void aPodOfItsNamespaceHasItsSearchPath() throws Exception {
        try (TestServer server = cluster(pod("shop", "one", ""), "whoami")) {
            assertFollows(server, "shop");
            assertThat(TestServer.answers(server.ask("cart.shop.svc.cluster.local", Type.A)))
                    .containsExactly("cart.shop.svc.cluster.local. 5 IN A 10.96.0.10");
            // whoami answers for all other names, without an answer record
            Message outside = server.ask("example.org.shop.svc.cluster.local", Type.A);
            assertThat(outside.getRcode()).isEqualTo(org.xbill.DNS.Rcode.NOERROR);
            assertThat(outside.getSection(Section.ANSWER)).isEmpty();
            assertDoesNotFollow(server, "bank");
        }
    }

    @Test
    void anAddressBelongsToThePodThatHasItNow() throws Exception {
        try (TestServer server = cluster(pod("shop", "one", ""), "whoami")) {
            assertFollows(server, "shop");
            Files.writeString(directory.resolve("manifests/pods.yaml"), pod("shop", "one", "Succeeded") + pod("bank", "two", ""));
            Awaitility.await().untilAsserted(() -> assertFollows(server, "bank"));
            assertDoesNotFollow(server, "shop");
            Files.writeString(directory.resolve("manifests/pods.yaml"), pod("shop", "one", "") + pod("bank", "two", "deletion"));
            Awaitility.await().untilAsserted(() -> assertFollows(server, "shop"));
            Files.writeString(directory.resolve("manifests/pods.yaml"), "");
            Awaitility.await().untilAsserted(() -> assertDoesNotFollow(server, "shop"));
        }
    }

    @ParameterizedTest
    @CsvSource({"one", "two"})
    void nothingIsGuessedOfAnAddressThatIsANodes(String pods) throws Exception {
        String one = pod("shop", "one", "hostNetwork");
        try (TestServer server = cluster(pods.equals("one") ? one : one + pod("bank", "two", "hostNetwork"), "whoami")) {
            assertDoesNotFollow(server, "shop");
            assertDoesNotFollow(server, "bank");
        }
    }

    @Test
    void anAliasThatLeadsBackIntoTheSearchEnds() throws Exception {
        try (TestServer server = cluster(pod("shop", "one", ""), "whoami")) {
            Message reply = server.ask("circle.bank.shop.svc.cluster.local", Type.A);
            assertThat(reply.getRcode()).isEqualTo(org.xbill.DNS.Rcode.NOERROR);
        }
    }

    @Test
    void itSaysWhatItCannotDo() throws Exception {
        assertThat(TestServer.errorsOf(". {\n autopath\n}")).singleElement().asString()
                .contains("plugin/autopath: wants at least 1 argument", "autopath [ZONE...] RESOLV-CONF|@kubernetes");
        assertThat(TestServer.errorsOf(". {\n autopath kubernetes\n whoami\n}")).singleElement().asString()
                .contains("\"kubernetes\" does not exist", "@kubernetes");
        assertThat(TestServer.errorsOf(". {\n autopath " + resolvConf("search a..b") + "\n whoami\n}")).singleElement().asString()
                .contains("empty label");
        try (TestServer server = TestServer.start(". {\n autopath @kubernetes\n whoami\n}")) {
            assertThat(server.logLinesWith("there is no kubernetes in this server block")).hasSize(1);
        }
        try (TestServer server = TestServer.start(
                ". {\n autopath @kubernetes\n kubernetes cluster.local {\n manifests " + directory + "\n pods insecure\n }\n}")) {
            assertThat(server.logLinesWith("set 'pods verified'")).hasSize(1);
        }
    }
}
