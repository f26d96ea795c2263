package dev.cairn.proxy.health;

import dev.cairn.facts.Address;
import dev.cairn.http.HttpListener;
import dev.cairn.http.HttpReply;
import dev.cairn.log.Log;
import dev.cairn.metrics.MetricRegistry;
import dev.cairn.proxy.plan.ServiceName;
import dev.cairn.proxy.plan.ServicePlan;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Listens for questions on health. {@code update} is called by one thread; answers are given by the one that serves HTTP. */
public final class HealthServers implements AutoCloseable {
    private static final Log LOG = Log.server();

    private final NodeHealth node;
    private final List<HttpListener> own = new ArrayList<>();
    private final Map<Integer, Map<InetAddress, HttpListener>> byPort = new HashMap<>();
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
        HttpListener listener = HttpListener.bind(at);
        listener.answer("/healthz", _ -> counted(metrics, false, node.healthz()));
        listener.answer("/livez", _ -> counted(metrics, true, node.livez()));
        return start(listener);
    }

    private static HttpReply counted(SyncMetrics metrics, boolean live, HealthAnswer answer) {
        metrics.asked(live, answer.status());
        return answer.reply();
    }

    /** Listens for /metrics, for which the kernel may have to be asked by a program, and /proxyMode. */
    public InetSocketAddress listen(InetSocketAddress at, SyncMetrics metrics, String mode) throws IOException {
        HttpListener listener = HttpListener.bind(at);
        listener.answerSlowly("/metrics", _ -> text(metrics.text()));
        listener.answer("/proxyMode", _ -> text(mode));
        listener.answer("/healthz", _ -> text("ok"));
        listener.answer("/healthz/ping", _ -> text("ok"));
        return start(listener);
    }

    private static HttpReply text(String body) {
        return new HttpReply(200, MetricRegistry.CONTENT_TYPE, body.getBytes(StandardCharsets.UTF_8));
    }

    private InetSocketAddress start(HttpListener listener) throws IOException {
        listener.start();
        own.add(listener);
        return listener.address();
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
        List<HttpListener> unwanted = new ArrayList<>();
        byPort.forEach((port, listeners) -> listeners.entrySet().removeIf(
                listener -> (!wanted.containsKey(port) || !places.contains(listener.getKey())) && unwanted.add(listener.getValue())));
        HttpListener.stop(unwanted, Duration.ZERO);
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
        Map<InetAddress, HttpListener> listeners = byPort.computeIfAbsent(port, _ -> new HashMap<>());
        try {
            for (InetAddress place : places) {
                if (!listeners.containsKey(place)) {
                    HttpListener listener = HttpListener.bind(new InetSocketAddress(place, port));
                    listener.answer(HttpListener.ANY_PATH, _ -> answer(port));
                    listener.start();
                    listeners.put(place, listener);
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

    private HttpReply answer(int port) {
        Local local = locals.get(port);
        ServiceName service = local == null ? new ServiceName("", "") : local.service();
        return new ServiceHealth(service, local == null ? 0 : local.ready(), node.isHealthy()).answer().reply();
    }

    @Override
    public void close() {
        List<HttpListener> all = new ArrayList<>(own);
        byPort.values().forEach(listeners -> all.addAll(listeners.values()));
        HttpListener.stop(all, Duration.ZERO);
    }
}
