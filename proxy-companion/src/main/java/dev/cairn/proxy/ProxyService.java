package dev.cairn.proxy;

import dev.cairn.cluster.ClusterSource;
import dev.cairn.cluster.control.IpFamily;
import dev.cairn.cluster.origin.ClusterOrigin;
import dev.cairn.facts.Address;
import dev.cairn.kernel.StartPages;
import dev.cairn.log.Log;
import dev.cairn.proxy.config.ProxyConfig;
import dev.cairn.proxy.conntrack.FlowCleaner;
import dev.cairn.proxy.health.HealthServers;
import dev.cairn.proxy.health.NodeHealth;
import dev.cairn.proxy.health.SyncMetrics;
import dev.cairn.proxy.plan.ClusterModel;
import dev.cairn.proxy.plan.NodeView;
import dev.cairn.proxy.sync.ApplyFailure;
import dev.cairn.proxy.sync.Backend;
import dev.cairn.proxy.sync.SyncLoop;
import dev.cairn.proxy.sync.SyncObserver;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The proxy of a node while it runs: hears of a cluster, has the kernel follow, and answers for its health. Made, started and closed by one thread; its own
 * thread does the work.
 */
public final class ProxyService implements AutoCloseable {
    /** As kube-proxy has it: twice the time after which it would try again. */
    private static final Duration HEALTH_TIMEOUT = Duration.ofSeconds(60);

    private static final Log LOG = Log.server();
    private static final String HEALTH = "healthzBindAddress";
    private static final String HEALTH_PLACE = "0.0.0.0:10256";
    private static final String METRICS = "metricsBindAddress";
    private static final String METRICS_PLACE = "127.0.0.1:10249";

    private final ProxyConfig asked;
    private final ModeChoice choice;
    private final ProxyConfig settings;
    private final Backend backend;
    private final NodeView node;
    private final NodeHealth health = new NodeHealth(InstantSource.system(), HEALTH_TIMEOUT);
    private final HealthServers servers = new HealthServers(health);
    private final SyncMetrics metrics;
    private @Nullable SyncLoop loop;
    private @Nullable Thread worker;
    private @Nullable AddressMonitor addresses;

    /**
     * Makes one that listens for questions on health and metrics, and programs nothing yet.
     *
     * @param asked the settings as they were given
     * @param backend that of the mode that was chosen
     */
    ProxyService(ProxyConfig asked, ModeChoice choice, Backend backend, NodeView node) {
        this.asked = asked;
        this.choice = choice;
        settings = choice.in(asked);
        this.backend = backend;
        this.node = node;
        metrics = new SyncMetrics(InstantSource.system(), settings.mode(), () -> Backends.connections(settings));
        metrics.add(backend::metrics);
        listen();
    }

    /**
     * Makes one by flags.
     *
     * @param print where to print what would be programmed instead of programming it; null to program it
     * @throws CommandFailure with a line for the user
     */
    public static ProxyService of(ProxyFlags flags, @Nullable PrintWriter print) {
        ProxyConfig asked = flags.settings();
        if (print != null) {
            ModeChoice choice = new ModeChoice(asked.mode(), null);
            return new ProxyService(asked, choice, new PrintedRules(Backends.make(asked.mode(), asked), print), flags.node(asked));
        }
        ModeChoice choice = flags.choose(asked);
        ProxyConfig usable = choice.in(asked);
        return new ProxyService(asked, choice, Backends.make(usable.mode(), usable), flags.node(usable));
    }

    /** Which cluster flags name. */
    public static ClusterOrigin origin(ProxyFlags flags) {
        return flags.origin(flags.settings());
    }

    public String nodeName() {
        return node.name();
    }

    /** Begins to do what the source tells; returns at once. */
    public void start(ClusterSource source) {
        ClusterModel model = new ClusterModel(node, settings.bindAddress(), SyncLog.limited(System::nanoTime));
        Events events = new Events(source, node.name());
        servers.whenRefused(complaint -> events.warn("FailedToStartServiceHealthcheck", "TryAgainLater", complaint));
        if (choice.complaint() != null) {
            events.warn("ModeNotAvailable", "UseOtherMode", choice.complaint());
        }
        StartLines.of(asked, choice, node, source.place(), settings.text(HEALTH, HEALTH_PLACE), settings.text(METRICS, METRICS_PLACE)).forEach(LOG::info);
        if (backend instanceof PrintedRules) {
            LOG.info("rules are printed, none is programmed");
        }
        if (!(backend instanceof PrintedRules)) {
            NodeSetup.prepare(settings, backend);
            backend.readAhead();
        }
        NodeSetup.protect(settings, Path.of("/"));
        Set<IpFamily> tracked = backend.cleansFlows() ? Set.of() : OwnNode.families();
        SyncObserver observer = new Reporting(health, metrics, servers,
                new FlowCleaner(tracked, settings.flag("conntrack.sctpCleanup", false)), new SyncLog(settings.mode(), source::place, System::nanoTime),
                events, this::settleBeside, settings::traffic);
        SyncLoop started = new SyncLoop(model, backend, settings::traffic, observer, System::nanoTime);
        loop = started;
        worker = Thread.ofPlatform().name("cairn-sync").unstarted(started);
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(this::end));
        source.start(started);
        worker.start();
        addresses = AddressMonitor.start(node.interfaces(), started::interfaces);
    }

    /** Waits for its end; the reason if it ended by itself, since trying again is of no use. */
    public @Nullable ApplyFailure await() throws InterruptedException {
        if (worker != null) {
            worker.join();
        }
        return loop == null ? null : loop.hopeless();
    }

    /** Our rules are in: what went before is removed, and the kernel, which has loaded what they need, is set to fit. */
    static void settle(ProxyConfig settings, Backend backend) {
        new TakeOver(settings).run();
        NodeSetup.attempt(settings, backend);
    }

    /** Programs for iptables and ipset take a second to look for what went before, which changes of services should not wait for. */
    private void settleBeside() {
        Thread.ofPlatform().daemon().name("cairn-settle").start(() -> {
            if (!(backend instanceof PrintedRules)) {
                settle(settings, backend);
            }
            // What it took to read and program a whole cluster is more than what is kept; the system gets it back once, since little comes later.
            System.gc();
            try {
                StartPages.leaveAtRest();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /** The process may end when this returns, whatever others are about to do. Who comes second waits for who came first. */
    private synchronized void end() {
        if (worker != null && worker.isAlive()) {
            LOG.info("shutting down");
        }
        if (addresses != null) {
            addresses.close();
        }
        if (loop != null) {
            loop.close();
        }
        try {
            await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        backend.close();
        Log.end();
    }

    /** Ends; what is programmed stays. */
    @Override
    public void close() {
        end();
        servers.close();
    }

    private void listen() {
        String healthz = settings.text(HEALTH, HEALTH_PLACE);
        String others = settings.text(METRICS, METRICS_PLACE);
        InetSocketAddress first = address(healthz);
        InetSocketAddress second = address(others);
        String at = healthz;
        try {
            servers.listen(first, metrics);
            at = others;
            servers.listen(second, metrics, settings.mode().toString());
        } catch (IOException e) {
            servers.close();
            throw new CommandFailure(CairnProxy.FAILURE, "cannot listen on " + at + ": " + e.getMessage()
                    + "; is kube-proxy still running? Choose other places by --healthz-bind-address and --metrics-bind-address");
        }
    }

    private static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        String port = text.substring(colon + 1);
        String host = colon < 0 ? "" : text.substring(0, colon).replaceAll("[\\[\\]]", "");
        Address address = Address.parse(host);
        if (address == null || !port.matches("[0-9]{1,5}") || Integer.parseInt(port) > 0xffff) {
            throw new CommandFailure(CairnProxy.USAGE, "\"" + text + "\" is not a place to listen at: write ADDRESS:PORT");
        }
        return new InetSocketAddress(host, Integer.parseInt(port));
    }
}
