package dev.cairn.cluster.api;

import static dev.cairn.cluster.api.FakeApi.event;
import static dev.cairn.cluster.api.FakeApi.events;
import static dev.cairn.cluster.api.FakeApi.page;
import static dev.cairn.cluster.api.FakeApi.service;
import static dev.cairn.cluster.api.FakeApi.status;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.cluster.WatchScope;
import dev.cairn.facts.ClusterListener;
import dev.cairn.facts.Fact;
import dev.cairn.facts.Resource;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Objects that cannot be told, by whoever's fault, and those around them that can. */
class UntoldObjectsTest {
    private static final Timing QUICK =
            new Timing(Duration.ofMillis(2), Duration.ofMillis(20), Duration.ofMinutes(2), Duration.ofMinutes(10), Duration.ofMinutes(5));

    private final Recorder heard = new Recorder();
    private final Lines log = new Lines();
    private FakeApi api;
    private @Nullable ApiSource source;

    @BeforeEach
    void startServer() throws IOException {
        api = FakeApi.start();
    }

    @AfterEach
    void stopAll() {
        if (source != null) {
            source.close();
        }
        api.close();
    }

    private ApiOptions endpoint() {
        return ApiOptions.atEndpoint(api.url(), null);
    }

    private void awaitServices(String... what) {
        await().untilAsserted(() -> assertThat(heard.heard(Resource.SERVICES)).containsExactly(what));
    }

    /** What is heard, but for what the given one makes of a fact before. */
    private ApiSource startWith(ApiOptions options, Consumer<Fact> before) {
        ApiSource started = new ApiSource(options, Map.of(), WatchScope.SERVICES_AND_SLICES, ApiObserver.NONE, QUICK, log);
        source = started;
        started.start(new ClusterListener() {
            @Override
            public void put(Fact fact) {
                before.accept(fact);
                heard.put(fact);
            }

            @Override
            public void remove(Resource resource, String namespace, String name) {
                heard.remove(resource, namespace, name);
            }

            @Override
            public void synced(Resource resource) {
                heard.synced(resource);
            }
        });
        return started;
    }

    @Test
    void a_listener_that_fails_is_told_again() {
        api.list("services", page("10", "", service("a", "1", "10.0.0.1")), page("20", "", service("a", "1", "10.0.0.1")));
        CountDownLatch first = new CountDownLatch(1);
        startWith(endpoint(), _ -> {
            if (first.getCount() > 0) {
                first.countDown();
                throw new IllegalStateException("a defect");
            }
        });
        awaitServices("put shop/a", "synced");
    }

    private static void failOnBad(Fact fact) {
        if (fact.name().startsWith("bad")) {
            throw new IllegalStateException("a defect");
        }
    }

    /** Twice listed, since the first failure may have been by chance; the objects around it are told by the first list already. */
    @Test
    void an_object_that_always_fails_keeps_no_other_from_being_told() {
        String[] all = {service("a", "1", "10.0.0.1"), service("bad-1", "2", "10.0.0.2"), service("bad-2", "3", "10.0.0.3"),
            service("b", "4", "10.0.0.4")};
        api.list("services", page("10", "", all), page("20", "", all));
        api.watch("services", events(event("MODIFIED", service("a", "21", "10.0.0.9"))));
        ApiSource started = startWith(endpoint(), UntoldObjectsTest::failOnBad);
        awaitServices("put shop/a", "put shop/b", "synced", "put shop/a");
        assertThat(api.requests("list services")).hasSize(2);
        assertThat(log.all()).filteredOn(line -> line.contains("cannot be told: java.lang.IllegalStateException: a defect; left out")).hasSize(2);
        assertThat(started.states().get(Resource.SERVICES).complaints()).isEqualTo(2);
    }

    @Test
    void an_object_that_always_fails_in_a_watch_costs_one_more_list() {
        String[] all = {service("a", "1", "10.0.0.1"), service("bad", "11", "10.0.0.2")};
        api.list("services", page("10", "", all[0]), page("20", "", all));
        api.watch("services", events(event("ADDED", all[1])), events(event("MODIFIED", service("a", "21", "10.0.0.9")), event("ADDED", all[1]),
                event("MODIFIED", service("a", "22", "10.0.0.8"))));
        startWith(endpoint(), UntoldObjectsTest::failOnBad);
        awaitServices("put shop/a", "synced", "put shop/a", "put shop/a");
        assertThat(api.requests("list services")).hasSize(2);
    }

    @Test
    void an_object_that_always_fails_in_a_streamed_list_costs_one_more() {
        String[] all = {event("ADDED", service("bad", "1", "10.0.0.2")), event("ADDED", service("a", "2", "10.0.0.1")),
            event("BOOKMARK", "{\"metadata\":{\"resourceVersion\":\"10\",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}}}")};
        api.watch("services", events(all), events(all));
        startWith(endpoint().withStreamedLists(), UntoldObjectsTest::failOnBad);
        awaitServices("put shop/a", "synced");
    }

    @Test
    void a_list_that_was_cut_off_costs_no_list_more_than_that() {
        api.list("services", call -> {
            call.raw("{\"kind\":\"List\",\"metadata\":{\"resourceVersion\":\"10\"},\"items\":[" + service("bad", "1", "10.0.0.2") + ",");
            call.cut();
        }, page("20", "", service("bad", "1", "10.0.0.2"), service("a", "2", "10.0.0.1")));
        startWith(endpoint(), UntoldObjectsTest::failOnBad);
        awaitServices("put shop/a", "synced");
        assertThat(api.requests("list services")).hasSize(2);
    }

    /** Versions come again when a cluster's state is put back to that of a backup. */
    @Test
    void an_object_that_was_deleted_is_judged_anew_when_it_comes_again() {
        String bad = service("bad", "11", "10.0.0.2");
        api.list("services", page("10", ""), page("20", "", bad), page("30", "", bad, service("a", "2", "10.0.0.1")));
        api.watch("services", events(event("ADDED", bad)), events(event("DELETED", service("bad", "21", "10.0.0.2")), event("ADDED", bad)));
        startWith(endpoint(), UntoldObjectsTest::failOnBad);
        awaitServices("synced", "put shop/a");
        assertThat(api.requests("list services")).hasSize(3);
    }

    @Test
    void an_object_that_a_list_lacks_is_judged_anew_when_it_comes_again() {
        String bad = service("bad", "2", "10.0.0.2");
        api.list("services", page("10", "", bad), page("20", "", bad), page("30", "", service("a", "1", "10.0.0.1")), page("40", "", bad),
                page("50", "", bad, service("b", "3", "10.0.0.3")));
        api.watch("services", status(410, "too old"), status(410, "too old"));
        startWith(endpoint(), UntoldObjectsTest::failOnBad);
        awaitServices("synced", "put shop/a", "put shop/b", "remove shop/a");
        assertThat(api.requests("list services")).hasSize(5);
    }

    /** The service that a slice belongs to is told by a label, which may say anything. */
    @Test
    void a_slice_of_no_possible_service_does_not_keep_slices_from_being_known() {
        api.list("endpointslices", page("10", "", slice("s-1", "a..b"), slice("s-2", "Web"), slice("s-3", "web")));
        startWith(endpoint(), _ -> {});
        await().untilAsserted(() -> assertThat(heard.heard(Resource.SLICES)).containsExactly("put shop/s-3", "synced"));
        assertThat(log.all()).hasSize(2).allMatch(line -> line.endsWith("left out"));
    }

    private static String slice(String name, String service) {
        return """
                {"metadata":{"name":"%s","namespace":"shop","resourceVersion":"1","labels":{"kubernetes.io/service-name":"%s"}},\
                "addressType":"IPv4","endpoints":[{"addresses":["10.1.0.1"]}]}""".formatted(name, service);
    }
}
