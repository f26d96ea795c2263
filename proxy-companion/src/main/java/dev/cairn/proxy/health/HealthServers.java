package dev.cairn.proxy.health;

import com.sun.net.httpserver.HttpServer;
import dev.cairn.facts.Address;
import dev.cairn.log.Log;
import dev.cairn.metrics.HttpServerSettings;
import dev.cairn.proxy.plan.ServiceName;
import dev.cairn.proxy.plan.ServicePlan;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Listens for questions on health. {@code update} is called by one thread; answers are given by the servers' own. */
public final class HealthServers implements AutoCloseable {
    private static final Log LOG = Log.server();

    static {
        HttpServerSettings.apply();
    }

    /** Who is slow in asking has a thread of his own to hold up. */
    private final ExecutorService requests = Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("cairn-health-", 0).factory());
    private final NodeHealth node;
    private final List<HttpServer> own = new ArrayList<>();
    private final Map<Integer, Map<InetAddress, HttpServer>> byPort = new HashMap<>();
    private final Map<Integer, Local> locals = new ConcurrentHashMap<>();
    /** Ports that could not be had, to be told once. */
    private final Set<Integer> refused = new HashSet<>();

    private Consumer<String> whenRefused = _ -> {};

    private record Local(ServiceName service, int ready) {}

    public HealthServers(NodeHealth node) {
        this.node = node;
    }

    /** Has somebody told of health-check node ports that cannot be listened on, once each; by the thread that calls {@code update}. */
    public void whenRefused(Consumer<String> tell) {
        whenRefused = tell;
    }

    /** Listens for /healthz and /livez. */
    public InetSocketAddress listen(InetSocketAddress at, SyncMetrics metrics) throws IOException {
        return listen(at, Map.of(
                "/healthz", () -> counted(metrics, false, node.healthz()),
                "/livez", () -> counted(metrics, true, node.livez())));
    }

    private static HealthAnswer counted(SyncMetrics metrics, boolean live, HealthAnswer answer) {
        metrics.asked(live, answer.status());
        return answer;
    }

    /** Listens for /metrics and /proxyMode. */
    public InetSocketAddress listen(InetSocketAddress at, SyncMetrics metrics, String mode) throws IOException {
        Map<String, String> text = Map.of("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
        return listen(at, Map.of(
                "/metrics", () -> new HealthAnswer(200, text, metrics.text()),
                "/proxyMode", () -> new HealthAnswer(200, text, mode),
                "/healthz", () -> new HealthAnswer(200, text, "ok")));
    }

    private InetSocketAddress listen(InetSocketAddress at, Map<String, Supplier<HealthAnswer>> answers) throws IOException {
        HttpServer server = server(at, answers);
        own.add(server);
        return server.getAddress();
    }

    /** Listens on the health-check node ports of these services and on no others; at all addresses if {@code addresses} is null. */
    public void update(Collection<ServicePlan> plans, @Nullable List<Address> addresses) {
        Map<Integer, Local> wanted = new HashMap<>();
        for (ServicePlan plan : plans) {
            if (plan.healthCheckNodePort() != 0) {
                wanted.putIfAbsent(plan.healthCheckNodePort(), new Local(plan.name(), plan.localReady()));
            }
        }
        Set<InetAddress> places = places(addresses);
        byPort.forEach((port, servers) -> servers.entrySet().removeIf(server -> {
            boolean unwanted = !wanted.containsKey(port) || !places.contains(server.getKey());
            if (unwanted) {
                server.getValue().stop(0);
            }
            return unwanted;
        }));
        byPort.keySet().retainAll(wanted.keySet());
        locals.keySet().retainAll(wanted.keySet());
        refused.retainAll(wanted.keySet());
        locals.putAll(wanted);
        wanted.forEach((port, local) -> open(port, local, places));
    }

    private static Set<InetAddress> places(@Nullable List<Address> addresses) {
        Set<InetAddress> places = new HashSet<>();
        try {
            for (Address address : addresses == null ? List.<Address>of() : addresses) {
                places.add(InetAddress.getByAddress(address.bytes()));
            }
        } catch (UnknownHostException e) {
            throw new AssertionError("an address has 4 or 16 bytes", e);
        }
        return addresses == null ? Set.of(new InetSocketAddress(0).getAddress()) : places;
    }

    private void open(int port, Local local, Set<InetAddress> places) {
        Map<InetAddress, HttpServer> servers = byPort.computeIfAbsent(port, _ -> new HashMap<>());
        try {
            for (InetAddress place : places) {
                if (!servers.containsKey(place)) {
                    servers.put(place, server(new InetSocketAddress(place, port), Map.of("/", () -> answer(port))));
                }
            }
            refused.remove(port);
        } catch (IOException e) {
            if (refused.add(port)) {
                String complaint = "health check node port " + port + " of service " + local.service() + " cannot be listened on ("
                        + e.getMessage() + "): load balancers will take this node for one without endpoints";
                LOG.warning(complaint);
                whenRefused.accept(complaint);
            }
        }
    }

    private HealthAnswer answer(int port) {
        Local local = locals.get(port);
        return new ServiceHealth(local == null ? new ServiceName("", "") : local.service(), local == null ? 0 : local.ready(), node.isHealthy()).answer();
    }

    private HttpServer server(InetSocketAddress at, Map<String, Supplier<HealthAnswer>> answers) throws IOException {
        if (at.getPort() != 0) {
            // HttpServer loses a file descriptor when its bind fails, and a port that cannot be had is tried again with each change.
            try (ServerSocket probe = new ServerSocket()) {
                probe.setReuseAddress(true);
                probe.bind(at);
            }
        }
        HttpServer server = HttpServer.create(at, 0);
        server.setExecutor(requests);
        answers.forEach((path, answer) -> server.createContext(path, exchange -> answer.get().send(exchange)));
        server.start();
        return server;
    }

    private static void stop(Collection<HttpServer> servers) {
        servers.forEach(server -> server.stop(0));
    }

    @Override
    public void close() {
        stop(own);
        byPort.values().forEach(servers -> stop(servers.values()));
        requests.shutdownNow();
    }
}
