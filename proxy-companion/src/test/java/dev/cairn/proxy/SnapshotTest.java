package dev.cairn.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What a command that looks once waits for, with an API server that is slow or old. */
class SnapshotTest {
    private static final int KINDS = 3;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    /** Watches of all but the ranges: whoever has begun them has listed and told what was there. */
    private final CountDownLatch watched = new CountDownLatch(KINDS);
    private HttpServer api;

    @BeforeEach
    void serve() throws IOException {
        api = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        api.setExecutor(threads);
        list("/api/v1/services", "ServiceList", "v1");
        list("/api/v1/nodes", "NodeList", "v1");
        list("/apis/discovery.k8s.io/v1/endpointslices", "EndpointSliceList", "discovery.k8s.io/v1");
        api.start();
    }

    @AfterEach
    void stop() {
        api.stop(0);
        threads.shutdownNow();
    }

    private void list(String path, String kind, String version) {
        api.createContext(path, exchange -> {
            if (exchange.getRequestURI().getQuery().contains("watch=")) {
                watched.countDown();
                answer(exchange, 200, "");
            } else {
                answer(exchange, 200, "{\"kind\":\"" + kind + "\",\"apiVersion\":\"" + version
                        + "\",\"metadata\":{\"resourceVersion\":\"7\"},\"items\":[]}");
            }
        });
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        try (exchange) {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private String dryRun() {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = CairnProxy.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        assertThat(line.execute("--dry-run", "--master", "http://127.0.0.1:" + api.getAddress().getPort())).as(err.toString()).isZero();
        return out.toString();
    }

    @Test
    void ranges_of_cluster_addresses_that_come_last_are_waited_for() {
        api.createContext("/apis/networking.k8s.io/v1/servicecidrs", exchange -> {
            try {
                watched.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            answer(exchange, 200, """
                    {"kind":"ServiceCIDRList","apiVersion":"networking.k8s.io/v1","metadata":{"resourceVersion":"7"},
                    "items":[{"metadata":{"name":"kubernetes"},"spec":{"cidrs":["10.96.0.0/16"]}}]}""");
        });
        assertThat(dryRun()).contains("10.96.0.0/16");
    }

    @Test
    void an_api_server_that_does_not_know_them_is_served_all_the_same() {
        assertThat(dryRun()).contains("table ip cairn-proxy");
    }
}
