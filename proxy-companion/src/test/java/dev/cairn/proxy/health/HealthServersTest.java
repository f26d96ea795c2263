package dev.cairn.proxy.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.facts.Address;
import dev.cairn.facts.Resource;
import dev.cairn.proxy.config.ProxyMode;
import dev.cairn.proxy.plan.ServiceName;
import dev.cairn.proxy.plan.ServicePlan;
import dev.cairn.proxy.sync.SyncObserver;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HealthServersTest {
    private final HttpClient client = HttpClient.newHttpClient();
    private final HealthServers servers = new HealthServers(new NodeHealth(InstantSource.system(), Duration.ofSeconds(60)));
    /** Where a port is free that is taken at 127.0.0.1, and stays so. */
    private final String elsewhere = "127.0.0.2";
    private final List<Address> here = List.of(Objects.requireNonNull(Address.parse(elsewhere)));

    @AfterEach
    void stop() {
        servers.close();
        client.close();
    }

    private HttpResponse<String> get(int port, String path) throws IOException, InterruptedException {
        return get("127.0.0.1", port, path);
    }

    private HttpResponse<String> get(String host, int port, String path) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(URI.create("http://" + host + ":" + port + path)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static ServicePlan plan(int port, int ready) {
        return new ServicePlan(new ServiceName("ns", "web"), List.of(), port, ready, "");
    }

    @Test
    void a_load_balancer_hears_of_endpoints_that_come_and_go() throws IOException, InterruptedException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();
            servers.update(List.of(plan(port, 2)), here);
            HttpResponse<String> answer = get(elsewhere, port, "/");
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("X-Load-Balancing-Endpoint-Weight")).contains("2");
            servers.update(List.of(plan(port, 0)), here);
            assertThat(get(elsewhere, port, "/").statusCode()).isEqualTo(503);
            servers.update(List.of(), here);
            assertThatThrownBy(() -> get(elsewhere, port, "/")).isInstanceOf(ConnectException.class);
        }
    }

    @Test
    void a_port_that_is_taken_is_told_once() throws IOException {
        List<String> told = new ArrayList<>();
        servers.whenRefused(told::add);
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName(elsewhere))) {
            servers.update(List.of(plan(taken.getLocalPort(), 1)), here);
            servers.update(List.of(plan(taken.getLocalPort(), 1)), here);
            assertThat(told).singleElement().asString().startsWith("health check node port " + taken.getLocalPort() + " of service ns/web cannot be listened on");
        }
    }

    @Test
    void it_listens_where_node_ports_are_found_now() throws IOException, InterruptedException {
        List<Address> both = List.of(Objects.requireNonNull(Address.parse(elsewhere)), Objects.requireNonNull(Address.parse("127.0.0.3")));
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();
            servers.update(List.of(plan(port, 1)), here);
            servers.update(List.of(plan(port, 1)), both);
            assertThat(get(elsewhere, port, "/").statusCode()).isEqualTo(200);
            assertThat(get("127.0.0.3", port, "/").statusCode()).isEqualTo(200);
            servers.update(List.of(plan(port, 1)), both.subList(1, 2));
            assertThatThrownBy(() -> get(elsewhere, port, "/")).isInstanceOf(ConnectException.class);
        }
    }

    @Test
    void whoever_is_slow_in_asking_holds_up_nobody_else() throws IOException, InterruptedException {
        SyncMetrics metrics = new SyncMetrics(InstantSource.system(), ProxyMode.NFTABLES, Map::of);
        int port = servers.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), metrics).getPort();
        try (Socket slow = new Socket(InetAddress.getLoopbackAddress(), port)) {
            slow.getOutputStream().write('G');
            assertThat(get(port, "/livez").statusCode()).isEqualTo(200);
            assertThat(slow.getInputStream().read()).as("end of its connection").isEqualTo(-1);
        }
    }

    @Test
    void a_load_balancer_may_ask_for_any_path() throws IOException, InterruptedException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();
            servers.update(List.of(plan(port, 1)), here);
            for (String path : List.of("/", "/healthz", "/some/where?with=this")) {
                HttpResponse<String> answer = get(elsewhere, port, path);
                assertThat(answer.statusCode()).as(path).isEqualTo(200);
                assertThat(answer.body()).contains("\"localEndpoints\":1");
                assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
                assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
            }
        }
    }

    @Test
    void a_port_that_is_taken_loses_no_descriptors() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName(elsewhere))) {
            int before = descriptors();
            for (int i = 0; i < 200; i++) {
                servers.update(List.of(plan(taken.getLocalPort(), 1)), here);
            }
            assertThat(descriptors()).isLessThan(before + 100);
        }
    }

    private static int descriptors() {
        return Objects.requireNonNull(Path.of("/proc/self/fd").toFile().list()).length;
    }

    @Test
    void metrics_that_take_long_hold_up_nobody_who_asks_for_health() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        SyncMetrics metrics = new SyncMetrics(InstantSource.system(), ProxyMode.NFTABLES, Map::of);
        metrics.add(() -> {
            begun.countDown();
            Awaitility.await().until(() -> release.getCount() == 0);
            return "slow 1\n";
        });
        int health = servers.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), metrics).getPort();
        int numbers = servers.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), metrics, "nftables").getPort();
        CompletableFuture<HttpResponse<String>> scrape = client.sendAsync(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + numbers + "/metrics")).build(), HttpResponse.BodyHandlers.ofString());
        begun.await();
        assertThat(get(health, "/healthz").statusCode()).isEqualTo(200);
        assertThat(get(numbers, "/healthz/ping").body()).isEqualTo("ok");
        release.countDown();
        assertThat(get(numbers, "/metrics").body()).contains("slow 1\n");
        scrape.cancel(true);
    }

    @Test
    void health_metrics_and_mode_are_told() throws IOException, InterruptedException {
        SyncMetrics metrics = new SyncMetrics(InstantSource.system(), ProxyMode.NFTABLES, () -> Map.of(new ServiceName("ns", "web"), 7L));
        metrics.queued(Resource.SLICES);
        long trigger = System.currentTimeMillis() - 1500;
        metrics.applied(new SyncObserver.Applied(false, true, true, 1_000_000, 0, Set.of(), List.of()), List.of());
        assertThat(metrics.text()).contains("kubeproxy_sync_proxy_rules_endpoint_changes_pending 1\n");
        metrics.applied(new SyncObserver.Applied(true, true, true, 3_000_000, 0, Set.of(), List.of(trigger)), List.of(plan(0, 0)));
        metrics.audited(2, 1);
        metrics.auditFailed();
        metrics.cleaned(4, 1_000_000);
        int health = servers.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), metrics).getPort();
        int numbers = servers.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), metrics, "nftables").getPort();
        assertThat(get(health, "/healthz").body()).contains("\"healthy\":true", "\"nodeEligible\":true");
        assertThat(get(health, "/livez").statusCode()).isEqualTo(200);
        assertThat(get(numbers, "/proxyMode").body()).isEqualTo("nftables");
        assertThat(get(numbers, "/metrics").body().lines()).contains(
                "kubeproxy_sync_proxy_rules_duration_seconds_bucket{le=\"0.002\"} 0",
                "kubeproxy_sync_proxy_rules_duration_seconds_bucket{le=\"0.004\"} 1",
                "kubeproxy_sync_proxy_rules_duration_seconds_count 1",
                "kubeproxy_sync_full_proxy_rules_duration_seconds_count 1",
                "kubeproxy_sync_partial_proxy_rules_duration_seconds_count 0",
                "kubeproxy_network_programming_duration_seconds_bucket{le=\"1.0\"} 0",
                "kubeproxy_network_programming_duration_seconds_bucket{le=\"300.0\"} 1",
                "kubeproxy_sync_proxy_rules_endpoint_changes_total 1",
                "kubeproxy_sync_proxy_rules_endpoint_changes_pending 0",
                "kubeproxy_sync_proxy_rules_nftables_sync_failures_total 1",
                "kubeproxy_sync_proxy_rules_no_local_endpoints_total{traffic_policy=\"external\"} 0",
                "kubeproxy_proxy_healthz_total{code=\"200\"} 1",
                "kubeproxy_proxy_livez_total{code=\"200\"} 1",
                "kubeproxy_conntrack_reconciler_deleted_entries_total 4",
                "cairn_proxy_audit_failures_total 1",
                "cairn_proxy_repairs_total 1",
                "cairn_proxy_drift 2",
                "cairn_proxy_service_connections_total{namespace=\"ns\",service=\"web\"} 7",
                "cairn_proxy_services 1");
    }
}
