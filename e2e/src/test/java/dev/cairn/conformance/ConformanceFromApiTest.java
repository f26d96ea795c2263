package dev.cairn.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.e2e.KubeApi;
import dev.cairn.e2e.RealCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The cases of {@code dns.yaml} again, over UDP, with the cluster read from a real API server. What cannot be asked so is listed. */
class ConformanceFromApiTest {
    private static final Facts FACTS = Facts.read();

    /** The API server makes these itself and would make them again. */
    private static final List<String> OWN_NAMESPACES = List.of("default", "kube-system");

    /**
     * Suites and how many of their cases are asked only with manifests: the server is in a network of its own, there is no cluster, or it is
     * asked over TCP alone.
     */
    private static final Map<String, Long> NOT_ASKED = Map.ofEntries(
            Map.entry("kubernetes-serve-upstream", 1L), Map.entry("kubernetes-not-synced", 1L), Map.entry("kubernetes-ns-addrs", 3L),
            Map.entry("k8s-external-apex", 6L), Map.entry("autopath", 2L), Map.entry("autopath-no-answer", 1L),
            Map.entry("acl-autopath", 2L), Map.entry("ci-autopath", 4L), Map.entry("derived-fallthrough-unsynced", 1L),
            Map.entry("axfr", 4L), Map.entry("axfr-multicluster", 1L), Map.entry("axfr-dual-stack-ns", 1L), Map.entry("server", 3L),
            Map.entry("server-uppercase-zone", 1L));

    @TempDir
    static Path directory;

    private static RealCluster cluster;
    private static KubeApi api;
    private static List<Object> stored = List.of();
    private static String running = "";
    private static @Nullable SuiteServer server;

    /** A case of a suite. */
    record Question(Suite suite, Case one) {
        @Override
        public String toString() {
            return one.id() + ": " + one.query().get("name") + " " + one.query().get("type");
        }
    }

    @BeforeAll
    static void start() throws IOException {
        cluster = RealCluster.start(directory.resolve("cluster"));
        api = cluster.admin();
        api.create(Files.readString(Path.of(System.getProperty("cairn.root"), "e2e/src/test/resources/addon/serviceimports.yaml")));
        Awaitility.await().ignoreExceptions().atMost(Duration.ofMinutes(1))
                .until(() -> !api.get("/apis/multicluster.x-k8s.io/v1alpha1/serviceimports").isEmpty());
    }

    @AfterAll
    static void stop() throws IOException {
        if (server != null) {
            server.close();
        }
        cluster.close();
    }

    static List<Question> questions() {
        List<Question> questions = new ArrayList<>();
        for (Suite suite : FACTS.suites()) {
            if (suite.getsKnown() && suite.addresses().isEmpty() && suite.nextHandler().isEmpty()) {
                suite.cases().stream().filter(one -> one.asks(Transport.UDP))
                        .forEach(one -> questions.add(new Question(suite, one)));
            }
        }
        return questions;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("questions")
    void answersFromTheApiServerAsTheFactsSay(Question question) throws Exception {
        question.one().ask(serverOf(question.suite()), Transport.UDP, false);
    }

    private static SuiteServer serverOf(Suite suite) throws Exception {
        if (server == null || !running.equals(suite.id())) {
            if (server != null) {
                server.close();
                server = null;
            }
            store(suite.objects());
            server = new SuiteServer(suite, Files.createDirectories(directory.resolve(suite.id())), null, "kubeconfig " + cluster.adminKubeconfig());
            running = suite.id();
        }
        return server;
    }

    /** Puts a suite's cluster in place of the last one. It goes straight to etcd: some of it is what an API server refuses by now. */
    private static void store(List<Object> objects) throws IOException {
        if (objects.equals(stored)) {
            return;
        }
        for (Object object : stored) {
            if (!OWN_NAMESPACES.contains(Facts.text(Facts.map(Facts.map(object).get("metadata")), "name"))) {
                cluster.remove(Facts.map(object));
            }
        }
        for (Object object : objects) {
            cluster.store(Facts.map(object));
        }
        stored = objects;
        String last = KubeApi.path(Facts.map(objects.getLast()));
        Awaitility.await().ignoreExceptions().atMost(Duration.ofMinutes(1)).until(() -> !api.get(last).isEmpty());
    }

    @Test
    void whatIsNotAskedIsListed() {
        List<String> asked = questions().stream().map(question -> question.one().id()).toList();
        Map<String, Long> left = FACTS.suites().stream()
                .map(suite -> Map.entry(suite.id(), suite.cases().stream().filter(one -> !asked.contains(one.id())).count()))
                .filter(suite -> suite.getValue() > 0)
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        assertThat(left).containsExactlyInAnyOrderEntriesOf(NOT_ASKED);
    }
}
