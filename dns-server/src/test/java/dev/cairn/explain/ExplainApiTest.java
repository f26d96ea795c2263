package dev.cairn.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cluster as an API server tells it, or refuses to. */
class ExplainApiTest {
    @TempDir
    Path directory;

    private final Map<String, String> lists = new ConcurrentHashMap<>(Map.of(
            "namespaces", "{\"metadata\":{\"name\":\"shop\",\"resourceVersion\":\"1\"}}",
            "services", "{\"metadata\":{\"name\":\"web\",\"namespace\":\"shop\",\"resourceVersion\":\"1\"},"
                    + "\"spec\":{\"clusterIPs\":[\"10.96.0.1\"],\"ports\":[{\"port\":80,\"protocol\":\"TCP\"}]}}",
            "endpointslices", "",
            "pods", "{\"metadata\":{\"name\":\"p\",\"namespace\":\"shop\",\"resourceVersion\":\"1\"},"
                    + "\"spec\":{\"dnsConfig\":{\"searches\":[\"more.example\"]}},\"status\":{\"podIP\":\"10.1.0.1\"}}"));
    private final List<String> said = new ArrayList<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private HttpServer api;
    private Path kubeconfig;

    @BeforeEach
    void serve() throws IOException {
        api = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        api.setExecutor(threads);
        api.createContext("/", this::answer);
        api.start();
        kubeconfig = Files.writeString(directory.resolve("kubeconfig"), """
                {"apiVersion": "v1", "kind": "Config", "current-context": "c",
                "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
                "clusters": [{"name": "c", "cluster": {"server": "http://127.0.0.1:%d"}}], "users": [{"name": "u", "user": {}}]}
                """.formatted(api.getAddress().getPort()));
    }

    @AfterEach
    void end() {
        threads.shutdownNow();
        api.stop(0);
    }

    /** Lists what there is; what is not there is forbidden. A watch begins and says nothing. */
    private void answer(HttpExchange call) throws IOException {
        String path = call.getRequestURI().getPath();
        String items = lists.get(path.substring(path.lastIndexOf('/') + 1));
        String query = String.valueOf(call.getRequestURI().getQuery());
        call.getResponseHeaders().add("Content-Type", "application/json");
        if (items != null && query.contains("watch=true")) {
            call.sendResponseHeaders(200, 0);
            call.getResponseBody().flush();
            return;
        }
        String reply = items == null
                ? "{\"kind\":\"Status\",\"code\":403,\"message\":\"not for you\"}"
                : "{\"kind\":\"List\",\"metadata\":{\"resourceVersion\":\"1\"},\"items\":[" + items + "]}";
        byte[] body = reply.getBytes(StandardCharsets.UTF_8);
        call.sendResponseHeaders(items == null ? 403 : 200, body.length);
        call.getResponseBody().write(body);
        call.close();
    }

    private Explanation explain(String name, String from) throws ExplainFailure {
        return new Explainer(new Question(name, 0, from, null, kubeconfig, List.of(), false, null, null), null, said::add).explain();
    }

    @Test
    void tells_what_the_api_server_knows() throws ExplainFailure {
        Explanation explanation = explain("web", "p");
        assertThat(explanation.isAnswered()).isTrue();
        assertThat(explanation.client().conf().search()).endsWith("cluster.local", "more.example");
        assertThat(explanation.proxy()).extracting(ProxyTrace.Walk::command)
                .containsExactly("cairn-proxy trace --from 10.1.0.1 --to 10.96.0.1:80/tcp --kubeconfig " + kubeconfig);
    }

    @Test
    void a_missing_right_is_named_at_once() {
        lists.remove("endpointslices");
        assertThatThrownBy(() -> explain("web.shop", "")).isInstanceOf(ExplainFailure.class).hasMessage(
                "list endpointslices.discovery.k8s.io at cluster scope is forbidden: add verbs list, watch on resource endpointslices"
                        + " of apiGroup discovery.k8s.io to the ClusterRole (not for you)");
    }

    @Test
    void pods_that_may_not_be_read_are_done_without() throws ExplainFailure {
        lists.remove("pods");
        Explanation explanation = explain("web", "shop/p");
        assertThat(explanation.isAnswered()).isTrue();
        assertThat(explanation.client().text()).isEqualTo("pod shop/p");
        assertThat(said).singleElement().asString().startsWith("pods are not known: list pods at cluster scope is forbidden: add verbs");
    }

    @Test
    void a_server_that_is_not_there_is_named() {
        int port = api.getAddress().getPort();
        api.stop(0);
        assertThatThrownBy(() -> explain("web.shop", "")).isInstanceOf(ExplainFailure.class)
                .hasMessage("API server http://127.0.0.1:" + port + " away: connection refused");
    }
}
