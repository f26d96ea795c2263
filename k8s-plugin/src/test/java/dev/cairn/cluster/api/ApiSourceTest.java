package dev.cairn.cluster.api;

import static dev.cairn.cluster.api.FakeApi.bookmark;
import static dev.cairn.cluster.api.FakeApi.event;
import static dev.cairn.cluster.api.FakeApi.events;
import static dev.cairn.cluster.api.FakeApi.page;
import static dev.cairn.cluster.api.FakeApi.service;
import static dev.cairn.cluster.api.FakeApi.status;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.cairn.cluster.LabelSelector;
import dev.cairn.cluster.WatchScope;
import dev.cairn.facts.Resource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ApiSourceTest {
    private static final WatchScope SERVICES = new WatchScope(LabelSelector.ALL, LabelSelector.ALL, false, false, false);
    private static final Timing QUICK =
            new Timing(Duration.ofMillis(2), Duration.ofMillis(20), Duration.ofMinutes(2), Duration.ofMinutes(10), Duration.ofMinutes(5));

    private final Recorder heard = new Recorder();
    private final Lines log = new Lines();
    private final List<AutoCloseable> open = new ArrayList<>();
    private FakeApi api;

    @BeforeEach
    void startServer() throws IOException {
        api = FakeApi.start();
    }

    @AfterEach
    void stopAll() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        api.close();
        assertThat(heard.overlapped()).as("calls of the listener overlap").isFalse();
    }

    private ApiSource start(WatchScope scope, Timing timing, ApiOptions options, ApiObserver observer) {
        ApiSource source = new ApiSource(options, Map.of(), scope, observer, timing, log);
        open.add(source);
        source.start(heard);
        return source;
    }

    private ApiSource start(WatchScope scope) {
        return start(scope, QUICK, endpoint(), ApiObserver.NONE);
    }

    private ApiSource start() {
        return start(SERVICES);
    }

    private ApiOptions endpoint() {
        return ApiOptions.atEndpoint(api.url(), null);
    }

    private static WatchScope scope(boolean slices, boolean pods, boolean imports) {
        return new WatchScope(LabelSelector.ALL, LabelSelector.ALL, slices, pods, imports);
    }

    private void awaitServices(String... what) {
        await().untilAsserted(() -> assertThat(heard.heard(Resource.SERVICES)).containsExactly(what));
    }

    private void awaitWatches(int count) {
        await().until(() -> api.requests("watch services").size() >= count);
    }

    @Test
    void lists_in_pages_then_watches_from_the_version_of_the_list() {
        api.list("services", page("10", "more", service("a", "1", "10.0.0.1")), page("10", "", service("b", "2", "10.0.0.2")));
        api.watch("services", events(event("ADDED", service("c", "11", "10.0.0.3")), event("MODIFIED", service("a", "12", "10.0.0.9")),
                event("DELETED", service("b", "13", "10.0.0.2"))));
        ApiSource source = start();
        awaitServices("put shop/a", "put shop/b", "synced", "put shop/c", "put shop/a", "remove shop/b");
        assertThat(api.requests("list services")).containsExactly("limit=500&resourceVersion=0&", "limit=500&continue=more&");
        assertThat(api.requests("watch services").getFirst())
                .contains("allowWatchBookmarks=true", "resourceVersion=10")
                .containsPattern("timeoutSeconds=[3-6]\\d\\d&");
        await().untilAsserted(() -> assertThat(source.states().get(Resource.SERVICES).events()).isEqualTo(3));
        WatchState state = source.states().get(Resource.SERVICES);
        assertThat(state.synced() && state.watching()).isTrue();
        assertThat(state.relists()).isZero();
        assertThat(state.secondsSinceLastWord()).isBetween(0.0, 60.0);
    }

    @Test
    void an_empty_cluster_is_synced_too() {
        start();
        await().untilAsserted(() -> assertThat(heard.heard(Resource.NAMESPACES)).containsExactly("synced"));
        awaitServices("synced");
    }

    @Test
    void a_watch_that_has_not_said_anything_yet_is_open() {
        ApiSource source = start();
        await().until(() -> source.states().get(Resource.SERVICES).watching());
    }

    @Test
    void a_continue_token_that_expired_restarts_the_list() {
        api.list("services", page("10", "more", service("a", "1", "10.0.0.1"), service("gone", "2", "10.0.0.2")), status(410, "expired"),
                page("20", "", service("a", "1", "10.0.0.1"), service("b", "15", "10.0.0.3")));
        start();
        awaitServices("put shop/a", "put shop/gone", "put shop/b", "remove shop/gone", "synced");
        awaitWatches(1);
        assertThat(api.requests("watch services").getFirst()).contains("resourceVersion=20");
    }

    @Test
    void a_list_whose_pages_keep_expiring_is_made_at_once() {
        api.list("services", page("10", "more"), status(410, "expired"), page("20", "more"), status(410, "expired"), page("30", ""));
        start();
        awaitServices("synced");
        assertThat(api.requests("list services").getLast()).doesNotContain("limit", "continue");
    }

    @Test
    void without_pages_the_first_list_comes_from_the_servers_cache() {
        api.watch("services", events(event("ERROR", "{\"kind\":\"Status\",\"code\":410,\"message\":\"too old\"}")));
        start(SERVICES, QUICK, endpoint().withPageSize(0), ApiObserver.NONE);
        await().until(() -> api.requests("list services").size() == 2);
        assertThat(api.requests("list services")).containsExactly("resourceVersion=0&", "");
    }

    @Test
    void a_page_that_is_cut_is_asked_for_again() {
        api.list("services", page("10", "more", service("a", "1", "10.0.0.1")), call -> {
            call.raw("{\"metadata\":{\"resourceVersion\":\"10\"},\"items\":[" + service("b", "2", "10.0.0.2") + ",{\"metadata\":{\"na");
            call.cut();
        }, page("10", "", service("b", "2", "10.0.0.2"), service("c", "3", "10.0.0.3")));
        start();
        awaitServices("put shop/a", "put shop/b", "put shop/c", "synced");
        assertThat(api.requests("list services")).containsExactly("limit=500&resourceVersion=0&", "limit=500&continue=more&", "limit=500&continue=more&");
    }

    @Test
    void an_error_410_in_a_watch_leads_to_a_new_list_that_tells_only_differences() {
        api.list("services", page("10", "", service("a", "1", "10.0.0.1"), service("b", "2", "10.0.0.2"), service("c", "3", "10.0.0.3")),
                page("30", "", service("a", "1", "10.0.0.1"), service("b", "21", "10.0.0.22"), service("d", "22", "10.0.0.4")));
        api.watch("services", events(event("ERROR", """
                {"kind":"Status","status":"Failure","reason":"Expired","message":"too old","code":410}""")));
        ApiSource source = start();
        awaitServices("put shop/a", "put shop/b", "put shop/c", "synced", "put shop/b", "put shop/d", "remove shop/c");
        awaitWatches(2);
        assertThat(api.requests("watch services").getLast()).contains("resourceVersion=30");
        assertThat(source.states().get(Resource.SERVICES).relists()).isEqualTo(1);
    }

    @Test
    void an_answer_410_to_a_watch_leads_to_a_new_list() {
        api.watch("services", status(410, "too old resource version"));
        start();
        await().until(() -> api.requests("list services").size() == 2);
        awaitWatches(2);
    }

    @Test
    void bookmarks_move_the_version_that_a_watch_resumes_from() {
        api.watch("services", call -> {
            call.line(bookmark("70"));
            call.line(bookmark("80"));
            call.end();
        });
        ApiSource source = start();
        awaitWatches(2);
        assertThat(api.requests("watch services").get(1)).contains("resourceVersion=80");
        assertThat(source.states().get(Resource.SERVICES).events()).isZero();
    }

    @Test
    void an_event_that_is_cut_in_the_middle_is_taken_from_the_resumed_watch() {
        String second = event("ADDED", service("b", "12", "10.0.0.2"));
        api.watch("services", call -> {
            call.line(event("ADDED", service("a", "11", "10.0.0.1")));
            call.raw(second.substring(0, second.length() / 2));
            call.cut();
        }, events(second));
        start();
        awaitServices("synced", "put shop/a", "put shop/b");
        assertThat(api.requests("watch services").get(1)).contains("resourceVersion=11");
        assertThat(log.all()).as("a cut stream that can be resumed").isEmpty();
    }

    @Test
    void objects_may_be_split_over_chunks_anywhere() {
        api.watch("services", call -> {
            call.dribble(event("ADDED", service("a", "11", "10.0.0.1")) + "\n" + event("ADDED", service("b", "12", "10.0.0.2")));
            call.hold();
        });
        start();
        awaitServices("synced", "put shop/a", "put shop/b");
    }

    @Test
    void an_event_that_comes_twice_is_told_once() {
        String added = event("ADDED", service("a", "11", "10.0.0.1"));
        String deleted = event("DELETED", service("a", "13", "10.0.0.1"));
        api.watch("services", events(added, added, event("MODIFIED", service("a", "12", "10.0.0.5")), deleted, deleted, bookmark("14")));
        start();
        awaitServices("synced", "put shop/a", "put shop/a", "remove shop/a");
    }

    @Test
    void a_watch_that_is_silent_for_too_long_is_cut_and_resumed() {
        Timing impatient = new Timing(QUICK.firstDelay(), QUICK.lastDelay(), QUICK.answer(), Duration.ofSeconds(2), QUICK.watch());
        api.watch("services", events(bookmark("50")));
        for (int i = 0; i < 20; i++) { // each is cut in its turn, even before it is heard if the machine is very busy
            api.watch("services", events(event("ADDED", service("a", "51", "10.0.0.1"))));
        }
        start(SERVICES, impatient, endpoint(), ApiObserver.NONE);
        awaitServices("synced", "put shop/a");
        assertThat(api.requests("watch services").get(1)).contains("resourceVersion=50");
        assertThat(api.requests("list services")).hasSize(1);
    }

    @Test
    void a_busy_server_is_given_the_time_it_asks_for() {
        List<Long> times = new CopyOnWriteArrayList<>();
        api.list("services", call -> {
            times.add(System.nanoTime());
            call.header("Retry-After", "1");
            call.status(429, "too many requests");
        }, call -> {
            times.add(System.nanoTime());
            call.page("5", "");
        });
        start();
        awaitServices("synced");
        assertThat(Duration.ofNanos(times.get(1) - times.get(0))).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void errors_of_the_server_are_told_once_and_outlived() {
        api.list("services", status(500, "etcd"), status(500, "etcd"), status(503, "starting"), status(500, "etcd"),
                page("5", "", service("a", "1", "10.0.0.1")));
        start();
        awaitServices("put shop/a", "synced");
        String server = "API server " + api.url();
        await().untilAsserted(() -> assertThat(log.all()).extracting(line -> line.replaceAll("\\d+ s$", "N s")).containsExactly(
                "WARNING " + server + " away: 500 etcd; serving what is known",
                "WARNING " + server + " away: 503 starting; serving what is known", "INFO " + server + " back after N s"));
        assertThat(api.requests("list services")).hasSize(5);
    }

    @Test
    void a_server_that_is_absent_at_the_start_is_waited_for() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        String url = "http://127.0.0.1:" + port;
        start(SERVICES, QUICK, ApiOptions.atEndpoint(url, null), ApiObserver.NONE);
        await().untilAsserted(() -> assertThat(log.all())
                .containsExactly("WARNING API server " + url + " away: connection refused; serving what is known"));
        open.add(new FakeApi(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0)));
        awaitServices("synced");
        await().untilAsserted(() -> assertThat(log.all()).hasSize(2).last().asString()
                .startsWith("INFO API server " + url + " back after "));
    }

    @Test
    void a_missing_right_is_named() {
        WatchScope slices = WatchScope.SERVICES_AND_SLICES;
        FakeApi.Reply forbidden = status(403, "endpointslices.discovery.k8s.io is forbidden");
        api.list("endpointslices", forbidden, forbidden);
        start(slices);
        await().untilAsserted(() -> assertThat(heard.heard(Resource.SLICES)).containsExactly("synced"));
        assertThat(log.all()).hasSize(2).first().asString().contains("list endpointslices.discovery.k8s.io at cluster scope is forbidden: "
                + "add verbs list, watch on resource endpointslices of apiGroup discovery.k8s.io to the ClusterRole");
    }

    @Test
    void a_resource_that_the_server_does_not_know_is_named() {
        api.list("serviceimports", status(404, "not found"), status(404, "not found"));
        start(scope(true, false, true));
        await().untilAsserted(() -> assertThat(log.all()).first().asString()
                .contains("serviceimports.multicluster.x-k8s.io/v1alpha1 is unknown", "install its CustomResourceDefinition"));
    }

    @Test
    void a_watch_that_ends_at_once_does_not_become_a_storm() {
        for (int i = 0; i < 50; i++) { // three of them will do, unless the machine is so busy that to end at once takes a second
            api.watch("services", FakeApi.Call::end);
        }
        start();
        awaitWatches(4);
        await().untilAsserted(() -> assertThat(log.all()).isNotEmpty().first().asString().contains("a watch ended as soon as it began"));
    }

    @Test
    void an_event_that_cannot_be_read_is_passed_by_with_a_list() {
        for (int i = 0; i < 10; i++) {
            api.watch("services", call -> {
                call.line("{\"type\":\"ADDED\",\"object\":{{{");
                call.end();
            });
        }
        start();
        awaitWatches(11);
        assertThat(api.requests("list services")).hasSize(2);
        await().untilAsserted(() -> assertThat(log.all()).as("one outage").hasSize(2).first().asString()
                .contains("away: its answer cannot be read: ").doesNotContain("\n"));
    }

    @Test
    void a_server_that_always_has_forgotten_is_not_listed_without_a_pause() {
        Timing slow = new Timing(Duration.ofSeconds(40), Duration.ofSeconds(40), QUICK.answer(), QUICK.silence(), QUICK.watch());
        for (int i = 0; i < 5; i++) {
            api.watch("services", status(410, "too old"));
        }
        start(SERVICES, slow, endpoint(), ApiObserver.NONE);
        awaitWatches(2);
        await().during(Duration.ofMillis(300)).until(() -> api.requests("list services").size() == 2);
    }

    @Test
    void an_answer_that_is_no_list_is_not_taken_for_an_empty_one() {
        api.list("services", page("10", "", service("a", "1", "10.0.0.1")), call -> {
            call.raw("{\"message\":\"hello from a captive portal\"}");
            call.end();
        }, call -> {
            call.raw("<html>");
            call.end();
        }, page("20", "", service("a", "1", "10.0.0.1")));
        api.watch("services", status(410, "old"));
        start();
        awaitWatches(2);
        awaitServices("put shop/a", "synced");
    }

    @Test
    void only_what_is_wanted_is_watched_with_its_selectors() {
        LabelSelector namespaces = LabelSelector.parse("team=a");
        LabelSelector objects = LabelSelector.parse("tier in (web, db)");
        start(new WatchScope(namespaces, objects, true, true, false));
        await().untilAsserted(() -> assertThat(heard.heard(Resource.NAMESPACES)).containsExactly("synced"));
        await().untilAsserted(() -> assertThat(heard.heard(Resource.PODS)).containsExactly("synced"));
        await().untilAsserted(() -> assertThat(heard.heard(Resource.SLICES)).containsExactly("synced"));
        assertThat(api.requests("list namespaces")).containsExactly("labelSelector=team=a&limit=500&resourceVersion=0&");
        assertThat(api.requests("list endpointslices")).containsExactly("labelSelector=tier in (web, db)&limit=500&resourceVersion=0&");
        assertThat(api.requests("list pods")).containsExactly("labelSelector=tier in (web, db)&"
                + "fieldSelector=status.phase!=Succeeded,status.phase!=Failed,status.phase!=Unknown&limit=500&resourceVersion=0&");
        assertThat(api.requests("list serviceimports")).isEmpty();
    }

    @Test
    void slices_are_not_watched_when_only_services_are_wanted() {
        start();
        awaitServices("synced");
        awaitWatches(1);
        assertThat(api.requests("list endpointslices")).isEmpty();
        assertThat(api.requests("list pods")).isEmpty();
    }

    @Test
    void for_imports_alone_only_imported_slices_are_watched() {
        start(scope(false, false, true));
        await().untilAsserted(() -> assertThat(heard.heard(Resource.IMPORTS)).containsExactly("synced"));
        await().untilAsserted(() -> assertThat(heard.heard(Resource.SLICES)).containsExactly("synced"));
        assertThat(api.requests("list endpointslices")).containsExactly("labelSelector=multicluster.kubernetes.io/service-name&limit=500&resourceVersion=0&");
    }

    @Test
    void a_pod_that_terminates_answers_until_it_is_gone() {
        String pod = """
                {"metadata":{"name":"p","namespace":"shop","resourceVersion":"%s"%s},\
                "status":{"phase":"Running","podIP":"10.1.0.1","podIPs":[{"ip":"10.1.0.1"}]}}""";
        String ending = ",\"deletionTimestamp\":\"2026-01-01T00:00:00Z\"";
        api.list("pods", page("10", "", pod.formatted("5", "")), page("20", "", pod.formatted("15", ending)));
        api.watch("pods", events(event("MODIFIED", pod.formatted("11", ending)), event("ERROR", "{\"code\":410}")),
                events(event("DELETED", pod.formatted("21", ending))));
        start(scope(false, true, false));
        await().untilAsserted(() -> assertThat(heard.heard(Resource.PODS)).containsExactly("put shop/p", "synced", "remove shop/p"));
    }

    @Test
    void a_list_may_come_as_events_of_a_watch() {
        String end = "{\"metadata\":{\"resourceVersion\":\"42\",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}}}";
        api.watch("services", call -> {
            call.line(event("ADDED", service("a", "11", "10.0.0.1")));
            call.line(bookmark("12"));
            call.line(event("BOOKMARK", end));
            call.end();
        });
        start(SERVICES, QUICK, endpoint().withStreamedLists(), ApiObserver.NONE);
        awaitServices("put shop/a", "synced");
        awaitWatches(2);
        assertThat(api.requests("watch services").get(0)).contains("sendInitialEvents=true", "resourceVersionMatch=NotOlderThan");
        assertThat(api.requests("watch services").get(1)).contains("resourceVersion=42").doesNotContain("sendInitialEvents");
        assertThat(api.requests("list services")).isEmpty();
    }

    @Test
    void a_server_without_streamed_lists_is_asked_for_pages() {
        api.watch("services", status(422, "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled"));
        api.list("services", page("10", "", service("a", "1", "10.0.0.1")));
        start(SERVICES, QUICK, endpoint().withStreamedLists(), ApiObserver.NONE);
        awaitServices("put shop/a", "synced");
    }

    @Test
    void requests_are_counted() {
        List<String> counted = new CopyOnWriteArrayList<>();
        ApiObserver observer = new ApiObserver() {
            @Override
            public void took(String verb, String host, long nanos) {
                counted.add("took " + verb + " " + host);
            }

            @Override
            public void answered(String code, String method, String host) {
                counted.add(code + " " + method + " " + host);
            }
        };
        api.list("services", status(500, "no"));
        start(SERVICES, QUICK, endpoint().withLimits(1000, 1, 1), observer);
        awaitServices("synced");
        String host = "127.0.0.1:" + api.port();
        await().untilAsserted(() -> assertThat(counted).contains("500 GET " + host, "200 GET " + host, "took GET " + host));
    }

    @Test
    void closing_ends_all_threads_and_calls() {
        api.watch("services", events(event("ADDED", service("a", "11", "10.0.0.1"))));
        ApiSource source = start();
        awaitServices("synced", "put shop/a");
        source.close();
        await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("api-") || name.startsWith("HttpClient-")));
        assertThat(log.all()).isEmpty();
    }
}
