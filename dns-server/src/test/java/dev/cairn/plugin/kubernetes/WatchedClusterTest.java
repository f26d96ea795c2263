package dev.cairn.plugin.kubernetes;

import static dev.cairn.cluster.api.FakeApi.event;
import static dev.cairn.cluster.api.FakeApi.events;
import static dev.cairn.cluster.api.FakeApi.page;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.cluster.api.FakeApi;
import dev.cairn.testing.TestServer;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Type;

/** A server and its API server, which does what it is told: reloads, bad objects, and how long changes take. */
class WatchedClusterTest {
    private static final String NAMESPACE = "{\"metadata\":{\"name\":\"shop\",\"resourceVersion\":\"1\"}}";
    private static final String POD =
            "{\"metadata\":{\"name\":\"p\",\"namespace\":\"shop\",\"resourceVersion\":\"1\"},\"status\":{\"podIP\":\"10.1.0.9\"}}";

    private FakeApi api;

    @BeforeEach
    void startApi() throws IOException {
        api = FakeApi.start();
    }

    @AfterEach
    void stopApi() {
        api.close();
    }

    /** What one reading of the cluster finds. */
    private void cluster(String... slices) {
        api.list("namespaces", page("9", "", NAMESPACE));
        api.list("services", page("9", "", FakeApi.service("web", "2", "10.96.0.5")));
        api.list("endpointslices", page("9", "", slices));
    }

    private static String slice(String service, String version, String trigger) {
        return """
                {"metadata":{"name":"s-%1$s","namespace":"shop","resourceVersion":"%2$s","labels":{"kubernetes.io/service-name":"%1$s"},\
                "annotations":{"endpoints.kubernetes.io/last-change-trigger-time":"%3$s"}},\
                "addressType":"IPv4","endpoints":[{"addresses":["10.1.0.1"]}]}""".formatted(service, version, trigger);
    }

    private String corefile(String more) {
        return ". {\n kubernetes cluster.local {\n  endpoint " + api.url() + "\n  " + more + "\n }\n}";
    }

    private static void awaitSynced(TestServer server) {
        await().until(() -> ask(server, "web.shop.svc.cluster.local").getRcode() == Rcode.NOERROR);
    }

    private static Message ask(TestServer server, String name) throws IOException {
        return server.ask(name, Type.A);
    }

    @Test
    void aReloadThatReadsTheSameListsNothingAgain() throws Exception {
        cluster();
        try (TestServer server = TestServer.start(corefile("ttl 5"))) {
            awaitSynced(server);
            assertThat(server.reload(corefile("ttl 30"))).isTrue();
            assertThat(TestServer.answers(ask(server, "web.shop.svc.cluster.local"))).containsExactly("web.shop.svc.cluster.local. 30 IN A 10.96.0.5");
            for (String kind : List.of("namespaces", "services", "endpointslices")) {
                assertThat(api.requests("list " + kind)).as(kind).hasSize(1);
            }
        }
    }

    @Test
    void aReloadThatReadsMoreLetsTheOldConfigurationServeUntilItKnowsAll() throws Exception {
        CountDownLatch listed = new CountDownLatch(1);
        cluster();
        cluster();
        FakeApi.Reply late = call -> {
            awaitOpen(listed);
            page("9", "", POD).send(call);
        };
        api.list("pods", late, late, late, late);   // asked again each minute
        try (TestServer server = TestServer.start(corefile("ttl 5"))) {
            awaitSynced(server);
            int port = server.port();   // which nobody is told while a reload is under way
            // On a thread of its own: the resolver that asks meanwhile needs the common pool, which may have but one.
            CompletableFuture<Boolean> reloaded = CompletableFuture.supplyAsync(
                    () -> server.reload(corefile("pods verified\n  startup_timeout 10m")), command -> Thread.ofPlatform().daemon().start(command));
            await().until(() -> !api.requests("list pods").isEmpty());
            Message meanwhile = TestServer.ask(port, TestServer.query("web.shop.svc.cluster.local", Type.A), false);
            assertThat(meanwhile.getRcode()).isEqualTo(Rcode.NOERROR);
            assertThat(reloaded).isNotDone();
            listed.countDown();
            await().until(reloaded::isDone);
            assertThat(reloaded).isCompletedWithValue(true);
            assertThat(TestServer.answers(ask(server, "10-1-0-9.shop.pod.cluster.local"))).hasSize(1);
        } finally {
            listed.countDown();
        }
    }

    private static void awaitOpen(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aReloadWhoseClusterCannotBeReadIsRefused() throws Exception {
        cluster();
        cluster();
        api.list("pods", FakeApi.Call::hold);
        try (TestServer server = TestServer.start(corefile("ttl 5"))) {
            awaitSynced(server);
            assertThat(server.reload(corefile("pods verified\n  startup_timeout 1s"))).isFalse();
            assertThat(ask(server, "web.shop.svc.cluster.local").getRcode()).isEqualTo(Rcode.NOERROR);
            assertThat(server.logLinesWith("the cluster of cluster.local. was not known after 1 s")).isNotEmpty();
        }
    }

    @Test
    void listsComeAsEventsOfAWatchIfTheUserWantsThat() throws Exception {
        String end = event("BOOKMARK", "{\"metadata\":{\"resourceVersion\":\"9\",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}}}");
        api.watch("namespaces", events(event("ADDED", NAMESPACE), end));
        api.watch("services", events(event("ADDED", FakeApi.service("web", "2", "10.96.0.5")), end));
        api.watch("endpointslices", events(end));
        try (TestServer server = TestServer.start(corefile("streamed_lists"))) {
            awaitSynced(server);
            assertThat(TestServer.answers(ask(server, "web.shop.svc.cluster.local"))).hasSize(1);
            assertThat(api.requests("list services")).isEmpty();
        }
    }

    /** At a start there is nothing else that could serve. */
    @Test
    void twoBlocksThatReadDifferentThingsDoNotWaitForEachOther() throws Exception {
        cluster();
        String away = "\nother.local {\n kubernetes other.local {\n  endpoint http://127.0.0.1:1\n }\n}";
        try (TestServer server = TestServer.start(corefile("ttl 5") + away)) {
            awaitSynced(server);
            assertThat(server.reload(corefile("ttl 6") + away)).isTrue();
            assertThat(ask(server, "web.shop.svc.other.local").getRcode()).isEqualTo(Rcode.SERVFAIL);
        }
    }

    @Test
    void badObjectsAreLeftOutAndCounted() throws Exception {
        cluster(slice("a..b", "3", ""), slice("web", "4", ""), slice("Web", "5", ""));
        try (TestServer server = TestServer.start(corefile("ttl 5"))) {
            awaitSynced(server);
            assertThat(ask(server, "10-1-0-1.web.shop.svc.cluster.local").getRcode()).isEqualTo(Rcode.NOERROR);
            assertThat(server.metrics()).contains("cairn_kubernetes_bad_objects_total{resource=\"services\"} 0\n")
                    .contains("cairn_kubernetes_bad_objects_total{resource=\"slices\"} 2\n");
        }
    }

    @Test
    void theTimeFromAChangeToNewAnswersIsMeasured() throws Exception {
        CountDownLatch known = new CountDownLatch(1);   // what is there before all is known was not programmed by this server
        cluster();
        api.watch("endpointslices", call -> {
            awaitOpen(known);
            call.line(event("ADDED", slice("web", "11", Instant.now().minusSeconds(100).toString())));
            call.hold();
        });
        String metric = "coredns_kubernetes_dns_programming_duration_seconds_";
        try (TestServer server = TestServer.start(corefile("ttl 5"))) {
            awaitSynced(server);
            known.countDown();
            await().until(() -> server.metrics().contains(metric + "count{service_kind=\"cluster_ip\"} 1\n"));
            double seconds = server.metrics().lines().filter(line -> line.startsWith(metric + "sum{service_kind=\"cluster_ip\"} "))
                    .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ')))).sum();
            assertThat(seconds).isBetween(100.0, 3600.0);
            assertThat(server.metrics()).contains(metric + "count{service_kind=\"headless_with_selector\"} 0\n");
        } finally {
            known.countDown();
        }
    }
}
