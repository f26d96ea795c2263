package dev.cairn.cluster.api;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An API server that does what it is told, reply by reply. Where nothing is told, lists are empty and watches stay open and silent. */
public final class FakeApi implements AutoCloseable {
    /** One scripted reply. */
    public interface Reply {
        void send(Call call) throws IOException;
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Map<String, Deque<Reply>> scripts = new HashMap<>();
    private final Map<String, List<String>> requests = new HashMap<>();
    private final List<String> tokens = new ArrayList<>();

    /** A server on a port of its own. */
    public static FakeApi start() throws IOException {
        return new FakeApi(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
    }

    FakeApi(HttpServer server) {
        this.server = server;
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    public String url() {
        return "http://127.0.0.1:" + port();
    }

    public FakeApi list(String plural, Reply... replies) {
        return script("list " + plural, replies);
    }

    public FakeApi watch(String plural, Reply... replies) {
        return script("watch " + plural, replies);
    }

    private synchronized FakeApi script(String key, Reply... replies) {
        scripts.computeIfAbsent(key, _ -> new ArrayDeque<>()).addAll(List.of(replies));
        return this;
    }

    /** The queries, decoded, of requests so far: "list services" or "watch services". */
    public synchronized List<String> requests(String key) {
        return List.copyOf(requests.getOrDefault(key, List.of()));
    }

    /** What was sent as authorization, without repetitions in a row. */
    synchronized List<String> tokens() {
        return List.copyOf(tokens);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String raw = exchange.getRequestURI().getRawQuery();
        String query = raw == null ? "" : URLDecoder.decode(raw, StandardCharsets.UTF_8);
        boolean watch = query.contains("watch=true");
        String key = (watch ? "watch " : "list ") + path.substring(path.lastIndexOf('/') + 1);
        Reply reply = next(key, query, String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
        Call call = new Call(exchange, closing);
        try {
            if (reply != null) {
                reply.send(call);
            } else if (watch) {
                call.hold();
            } else {
                call.page("1", "");
            }
        } finally {
            if (!call.ended) {
                exchange.close();   // which cuts the connection: were it done after a whole answer, the next request on it may be lost
            }
        }
    }

    private synchronized Reply next(String key, String query, String token) {
        requests.computeIfAbsent(key, _ -> new ArrayList<>()).add(query);
        if (tokens.isEmpty() || !tokens.getLast().equals(token)) {
            tokens.add(token);
        }
        Deque<Reply> script = scripts.get(key);
        return script == null ? null : script.poll();
    }

    @Override
    public void close() {
        closing.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    public static Reply page(String version, String next, String... items) {
        return call -> call.page(version, next, items);
    }

    public static Reply status(int code, String message) {
        return call -> call.status(code, message);
    }

    /** A watch that sends these events and then stays open. */
    public static Reply events(String... events) {
        return call -> {
            for (String event : events) {
                call.line(event);
            }
            call.hold();
        };
    }

    public static String event(String type, String object) {
        return "{\"type\":\"" + type + "\",\"object\":" + object + "}";
    }

    static String bookmark(String version) {
        return event("BOOKMARK", "{\"kind\":\"Service\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"" + version
                + "\",\"creationTimestamp\":null},\"spec\":{},\"status\":{\"loadBalancer\":{}}}");
    }

    public static String service(String name, String version, String ip) {
        return """
                {"metadata":{"name":"%s","namespace":"shop","resourceVersion":"%s","uid":"u-%s",\
                "managedFields":[{"manager":"m","fieldsV1":{"f:spec":{}}}]},\
                "spec":{"clusterIP":"%s","clusterIPs":["%s"],"type":"ClusterIP",\
                "ports":[{"name":"http","protocol":"TCP","port":80,"targetPort":"web"}],\
                "selector":{"app":"web"}},"status":{"loadBalancer":{}}}""".formatted(name, version, name, ip, ip);
    }

    /** One request and the answer to it. */
    public static final class Call {
        private final HttpExchange exchange;
        private final CountDownLatch closing;
        private boolean begun;
        private boolean ended;

        private Call(HttpExchange exchange, CountDownLatch closing) {
            this.exchange = exchange;
            this.closing = closing;
        }

        void header(String name, String value) {
            exchange.getResponseHeaders().add(name, value);
        }

        void status(int code, String message) throws IOException {
            String status = "{\"kind\":\"Status\",\"status\":\"Failure\",\"message\":\"" + message + "\",\"code\":" + code + "}";
            byte[] body = status.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(code, body.length);
            exchange.getResponseBody().write(body);
            endBody();
        }

        void page(String version, String next, String... items) throws IOException {
            raw("{\"kind\":\"List\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"" + version + "\",\"continue\":\"" + next
                    + "\"},\"items\":[" + String.join(",", items) + "]}\n");
            endBody();
        }

        private void endBody() throws IOException {
            exchange.getResponseBody().close();
            ended = true;
        }

        public void line(String text) throws IOException {
            raw(text + "\n");
        }

        /** Sends bytes in a chunk of their own. */
        void raw(String text) throws IOException {
            begin();
            exchange.getResponseBody().write(text.getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
        }

        /** Sends each byte in a chunk of its own. */
        void dribble(String text) throws IOException {
            begin();
            for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
                exchange.getResponseBody().write(each);
                exchange.getResponseBody().flush();
            }
        }

        /** Says no more, until the server closes. */
        public void hold() throws IOException {
            begin();
            exchange.getResponseBody().flush();
            try {
                closing.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void begin() throws IOException {
            if (!begun) {
                exchange.sendResponseHeaders(200, 0);
                begun = true;
            }
        }

        /** Ends the body as a server does whose time for a watch is over. */
        void end() throws IOException {
            begin();
            endBody();
        }

        /** Breaks the connection. */
        void cut() {
            exchange.close();
        }
    }
}
