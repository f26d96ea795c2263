package dev.cairn.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.cluster.api.FakeApi;
import dev.cairn.testing.CairnProcess;
import dev.cairn.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names and rules come from one watch of each kind of object. Rules are printed, so that this takes no rights. */
class OneWatchTest {
    private static final String NAMESPACE = "{\"metadata\":{\"name\":\"shop\",\"resourceVersion\":\"1\"}}";
    private static final String HEADLESS = """
            {"metadata":{"name":"db","namespace":"shop","resourceVersion":"3","labels":{"service.kubernetes.io/headless":""}},\
            "spec":{"clusterIP":"None","clusterIPs":["None"],"type":"ClusterIP","ports":[{"name":"http","protocol":"TCP","port":80}]}}""";
    private static final String OTHERS = """
            {"metadata":{"name":"theirs","namespace":"shop","resourceVersion":"4","labels":{"service.kubernetes.io/service-proxy-name":"x"}},\
            "spec":{"clusterIP":"10.96.0.9","clusterIPs":["10.96.0.9"],"type":"ClusterIP","ports":[{"name":"http","protocol":"TCP","port":80}]}}""";

    @TempDir
    Path directory;

    private FakeApi api;
    private final CountDownLatch change = new CountDownLatch(1);

    private static String slice(String service, String version, String addresses) {
        return """
                {"metadata":{"name":"%s-1","namespace":"shop","resourceVersion":"%s","labels":{"kubernetes.io/service-name":"%s"}},\
                "addressType":"IPv4","ports":[{"name":"http","protocol":"TCP","port":8080}],"endpoints":[{"addresses":[%s]}]}"""
                .formatted(service, version, service, addresses);
    }

    @BeforeEach
    void startApi() throws IOException {
        api = FakeApi.start();
        api.list("namespaces", FakeApi.page("9", "", NAMESPACE));
        api.list("services", FakeApi.page("9", "", FakeApi.service("web", "2", "10.96.0.5"), HEADLESS, OTHERS));
        api.list("endpointslices", FakeApi.page("9", "", slice("web", "5", "\"10.1.0.1\""), slice("db", "6", "\"10.1.0.2\",\"10.1.0.3\""),
                slice("theirs", "7", "\"10.1.0.4\"")));
        api.watch("endpointslices", call -> {
            awaitChange();
            call.line(FakeApi.event("MODIFIED", slice("web", "10", "\"10.1.0.7\"")));
            call.line(FakeApi.event("MODIFIED", slice("db", "11", "\"10.1.0.8\"")));
            call.hold();
        });
    }

    private void awaitChange() {
        try {
            change.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @AfterEach
    void stopApi() {
        change.countDown();
        api.close();
    }

    private static List<String> ask(CairnProcess node, String name) throws Exception {
        return Programs.run("dig", "@127.0.0.1", "-p", Integer.toString(node.port()), "+short", "+tries=1", "+time=30", name + ".shop.svc.cluster.local")
                .output().lines().sorted().toList();
    }

    private Path corefile(String more) throws IOException {
        return Files.writeString(directory.resolve("Corefile"), """
                .:0 {
                    bind 127.0.0.1
                    kubernetes cluster.local {
                        ttl 0
                        %s
                    }
                }
                """.formatted(more));
    }

    @Test
    void each_kind_is_listed_and_watched_once_and_both_follow() throws Exception {
        corefile("");
        try (CairnProcess node = NodeProcess.start(List.of(), directory, "-conf", "Corefile", "--dry-run", "--master", api.url())) {
            await().untilAsserted(() -> assertThat(ask(node, "web")).containsExactly("10.96.0.5"));
            assertThat(ask(node, "db")).as("all addresses of an endpoint").containsExactly("10.1.0.2", "10.1.0.3");
            assertThat(ask(node, "theirs")).as("a name of a service that is another proxy's").containsExactly("10.96.0.9");
            node.awaitOutput("10.96.0.5 . tcp . 80 . 0 : 10.1.0.1 . 8080");
            change.countDown();
            await().untilAsserted(() -> assertThat(ask(node, "db")).containsExactly("10.1.0.8"));
            node.awaitOutput("10.96.0.5 . tcp . 80 . 0 : 10.1.0.7 . 8080");
            assertThat(node.output()).as("what is another proxy's or has no address").noneMatch(line -> line.contains("10.96.0.9") || line.contains("10.1.0.2"));
            for (String kind : List.of("namespaces", "services", "endpointslices", "nodes", "servicecidrs")) {
                assertThat(api.requests("list " + kind)).as("lists of %s", kind).hasSize(1);
                await().untilAsserted(() -> assertThat(api.requests("watch " + kind)).as("watches of %s", kind).hasSize(1));
            }
            node.signal("TERM");
            assertThat(node.awaitExit()).as(node.output().toString()).isZero();
        }
    }

    @Test
    void a_reload_leaves_the_watch_alone_and_another_choice_of_objects_has_its_own() throws Exception {
        corefile("");
        try (CairnProcess node = NodeProcess.start(List.of(), directory, "-conf", "Corefile", "--dry-run", "--master", api.url())) {
            await().untilAsserted(() -> assertThat(ask(node, "web")).containsExactly("10.96.0.5"));
            corefile("fallthrough");
            node.signal("USR1");
            node.awaitOutput("Reloading complete");
            assertThat(ask(node, "web")).containsExactly("10.96.0.5");
            assertThat(api.requests("list services")).hasSize(1);
            corefile("labels app=web");
            node.signal("USR1");
            node.awaitOutput("watches by itself and not with the proxy");
            await().untilAsserted(() -> assertThat(api.requests("list services")).hasSize(2));
            assertThat(api.requests("list services").getLast()).contains("labelSelector=app=web");
            change.countDown();
            node.awaitOutput("10.96.0.5 . tcp . 80 . 0 : 10.1.0.7 . 8080");
        }
    }
}
