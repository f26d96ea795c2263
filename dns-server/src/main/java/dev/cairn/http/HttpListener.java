package dev.cairn.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.cairn.metrics.HttpServerSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.BindException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * One listening socket and its routes. Routes are changed under the lock of {@link HttpEndpoints} and read by request threads without one.
 */
final class HttpListener {
    private static final Logger LOG = System.getLogger(HttpListener.class.getName());
    private static final int GZIP_FROM = 1024;
    private static final int STOP_SECONDS = 1;

    static {
        HttpServerSettings.apply();
    }

    private final InetSocketAddress address;
    private volatile @Nullable HttpServer server;
    private final ExecutorService requests;
    private final List<Route> routes = new CopyOnWriteArrayList<>();

    /** Another program listens there. */
    static final class AddressInUse extends BindException {
        private static final long serialVersionUID = 1;

        private AddressInUse(String message) {
            super(message);
        }
    }

    /** A class, not a record: two leases with the same responder are two routes. */
    static final class Route {
        private final String path;
        private final HttpResponder responder;

        private Route(String path, HttpResponder responder) {
            this.path = path;
            this.responder = responder;
        }
    }

    private HttpListener(InetSocketAddress address) {
        this.address = address;
        this.requests = Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("cairn-http-" + address.getPort() + "-", 0).factory());
    }

    /** Takes the port. Clients wait in the backlog until {@link #start}, so that none is told 404 before the first route is in. */
    static HttpListener bind(InetSocketAddress wanted) throws IOException {
        HttpServer server = create(wanted);
        HttpListener listener = new HttpListener(new InetSocketAddress(wanted.getAddress(), server.getAddress().getPort()));
        listener.use(server);
        return listener;
    }

    /** One for a port that another program still has, to be tried again by {@link #bindLate}. */
    static HttpListener unbound(InetSocketAddress wanted) {
        return new HttpListener(wanted);
    }

    private void use(HttpServer bound) {
        bound.setExecutor(requests);
        bound.createContext("/", this::handle);
        server = bound;
    }

    /** Takes the port if it is free by now, and starts; false if it is not. */
    boolean bindLate() throws IOException {
        try {
            use(create(address));
        } catch (AddressInUse e) {
            return false;
        }
        start();
        return true;
    }

    void start() {
        HttpServer bound = server;
        if (bound == null) {
            throw new IllegalStateException("no port was bound");
        }
        // The server's dispatcher thread is a daemon only if the thread that starts it is one.
        Thread starter = Thread.ofPlatform().daemon().name("cairn-http-start").start(bound::start);
        boolean interrupted = false;
        while (starter.isAlive()) {
            try {
                starter.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    InetSocketAddress address() {
        return address;
    }

    Route add(String path, HttpResponder responder) {
        Route route = new Route(path, responder);
        routes.add(route);
        return route;
    }

    void remove(Route route) {
        routes.remove(route);
    }

    boolean answers(String path) {
        return newest(path) != null;
    }

    boolean isUnused() {
        return routes.isEmpty();
    }

    /** Frees the port, then gives requests being answered a moment to end. */
    void stop() {
        HttpServer bound = server;
        if (bound != null) {
            bound.stop(STOP_SECONDS);
        }
        requests.shutdownNow();
    }

    private static HttpServer create(InetSocketAddress address) throws IOException {
        try {
            if (address.getPort() != 0) {
                // HttpServer loses a file descriptor when its bind fails, and a failing reload is tried over and over.
                try (ServerSocket probe = new ServerSocket()) {
                    probe.setReuseAddress(true);
                    probe.bind(address);
                }
            }
            return HttpServer.create(address, 0);
        } catch (SocketException e) {
            String reason = String.valueOf(e.getMessage());
            BindException explained = reason.contains("in use")
                ? new AddressInUse("address " + text(address)
                        + " is in use: stop the program that listens there (ss -ltnp names it) or choose another port")
                : new BindException("cannot listen on address " + text(address) + ": " + reason + wayOut(e, address));
            explained.initCause(e);
            throw explained;
        }
    }

    private static String wayOut(SocketException e, InetSocketAddress address) {
        if (address.getPort() < 1024 && String.valueOf(e.getMessage()).contains("ermission")) {
            return "; a port below 1024 needs the capability NET_BIND_SERVICE";
        }
        return "; the address must be one of this machine's (ip address lists them)";
    }

    private static String text(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (address.getAddress() instanceof Inet6Address ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    private void handle(HttpExchange exchange) throws IOException {
        // An IOException means that the client went away or took too long; the server closes the connection, and no more is to be done.
        try (exchange) {
            String path = exchange.getRequestURI().getRawPath();
            Route route = newest(path);
            if (route == null) {
                send(exchange, HttpReply.text(404, "404 page not found\n"), false);
                return;
            }
            String method = exchange.getRequestMethod();
            if (!method.equals("GET") && !method.equals("HEAD")) {
                exchange.getResponseHeaders().set("Allow", "GET, HEAD");
                send(exchange, HttpReply.text(405, "405 method not allowed\n"), false);
                return;
            }
            HttpRequest request = new HttpRequest(method, path, orEmpty(exchange.getRequestURI().getRawQuery()),
                String.join(",", exchange.getRequestHeaders().getOrDefault("Accept-Encoding", List.of())));
            send(exchange, replyOf(route, request), request.acceptsGzip());
        }
    }

    private @Nullable Route newest(@Nullable String path) {
        Route found = null;
        for (Route route : routes) {
            if (route.path.equals(path)) {
                found = route;
            }
        }
        return found;
    }

    private HttpReply replyOf(Route route, HttpRequest request) {
        try {
            return route.responder.respond(request);
        } catch (RuntimeException | Error e) {
            // The outermost frame of this request: whatever went wrong in it, the next request gets its chance.
            LOG.log(Level.ERROR, "answering " + request.path() + " at " + text(address) + " failed", e);
            return HttpReply.text(500, "500 internal server error\n");
        }
    }

    private static void send(HttpExchange exchange, HttpReply reply, boolean gzip) throws IOException {
        byte[] body = reply.body();
        exchange.getResponseHeaders().set("Content-Type", reply.contentType());
        if (body.length > GZIP_FROM) {
            exchange.getResponseHeaders().set("Vary", "Accept-Encoding");
            if (gzip) {
                exchange.getResponseHeaders().set("Content-Encoding", "gzip");
                body = gzipped(body);
            }
        }
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.getResponseHeaders().set("Content-Length", Integer.toString(body.length));
            exchange.sendResponseHeaders(reply.status(), -1);
        } else if (body.length == 0) {
            // To this API -1 is an empty body, and 0 one of unknown length.
            exchange.sendResponseHeaders(reply.status(), -1);
        } else {
            exchange.sendResponseHeaders(reply.status(), body.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(body);
            }
        }
    }

    private static byte[] gzipped(byte[] body) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream(body.length / 4);
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed, 4096)) {
            gzip.write(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // nothing here leaves memory
        }
        return packed.toByteArray();
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
