package dev.cairn.server;

import dev.cairn.chain.Dispatcher;
import dev.cairn.chain.Exchange;
import dev.cairn.corefile.Corefile;
import dev.cairn.corefile.Problem;
import dev.cairn.corefile.Problems;
import dev.cairn.corefile.Transport;
import dev.cairn.http.HttpEndpoints;
import dev.cairn.listen.Engines;
import dev.cairn.listen.ListenAddress;
import dev.cairn.listen.Listener;
import dev.cairn.log.Log;
import dev.cairn.log.RateLimit;
import dev.cairn.metrics.Counter;
import dev.cairn.metrics.MetricRegistry;
import dev.cairn.metrics.ProcessMetrics;
import dev.cairn.plugin.Host;
import dev.cairn.plugin.PluginSetup;
import dev.cairn.plugin.Reloading;
import dev.cairn.plugin.Shared;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A running server. Methods that change what runs are synchronized; queries never wait for them. */
public final class Server implements Reloading {
    private static final Log LOG = Log.server();

    /** How long open sockets may take to answer the last packets. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    /** How long queries that came before a reload may take to be answered by the plugins that have them; more than a client waits. */
    private static final Duration PARTING = Duration.ofSeconds(20);

    private static final long LOOK_NANOS = Duration.ofMillis(1).toNanos();

    private final ConfigSource source;
    private final int defaultPort;
    private final MetricRegistry metrics = new MetricRegistry();
    private final Counter panics = metrics.counter("coredns_panics_total", "A metrics that counts the number of panics.").with();
    private final RateLimit panicLines;
    private final HttpEndpoints http;
    private final Shared process = new Shared();
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor(
            task -> Thread.ofPlatform().daemon().name("cairn-scheduler").unstarted(task));
    private final Dispatcher dispatcher = new Dispatcher(this::panicked);
    private final Engines engines;
    private final List<PluginSetup> plugins;

    // Replaced and not changed, so that who only looks need not wait for a reload.
    private volatile Map<ListenAddress, Listener> listeners = Map.of();
    private volatile @Nullable Instance running;

    private boolean stopped;
    private volatile boolean stopping;

    /** @param defaultPort the port of zones that name none */
    public Server(ConfigSource source, int defaultPort, Engines engines) {
        this(source, defaultPort, engines, PluginList.inOrder(), System::nanoTime);
    }

    /** A server of plugins of the caller's choice, whose lines about defects are as many as a clock allows. */
    Server(ConfigSource source, int defaultPort, Engines engines, List<PluginSetup> plugins, LongSupplier nanoClock) {
        this.source = source;
        this.defaultPort = defaultPort;
        this.engines = engines;
        this.plugins = plugins;
        panicLines = new RateLimit(10, Duration.ofSeconds(10), nanoClock);
        this.http = new HttpEndpoints(engines.sharedPorts());
        ProcessMetrics.register(metrics);
    }

    /** What plugins keep over reloads; what is put there before the start is found by them. */
    public Shared process() {
        return process;
    }

    public MetricRegistry metrics() {
        return metrics;
    }

    /**
     * Reads the configuration and goes into service.
     *
     * @throws ConfigException with all errors of the configuration
     * @throws IOException with a line for the user, if a socket or file could not be opened
     */
    public synchronized void start() throws ConfigException, IOException {
        replaceBy(read());
    }

    private Instance read() throws ConfigException {
        Problems problems = new Problems();
        Corefile corefile = source.read(problems);
        Host host = new Host(metrics, http, scheduler, this, process, corefile::digest);
        Instance instance = InstanceBuilder.build(corefile, host, defaultPort, problems, plugins);
        if (problems.hasErrors()) {
            throw new ConfigException(problems.all());
        }
        problems.all().stream().map(Problem::toString).forEach(LOG::warning);
        return instance;
    }

    /**
     * Opens everything new before anything old is touched, so that a failure leaves the old instance as it was. Returns that, to be stopped;
     * null if there was none.
     */
    private @Nullable Instance replaceBy(Instance next) throws IOException {
        next.start();
        Map<ListenAddress, Listener> opened = open(next);
        next.sites().forEach((address, site) -> {
            Listener kept = listeners.get(address);
            if (kept != null) {
                keep(kept, site);
            }
        });
        List<Listener> dropped = new ArrayList<>();
        Map<ListenAddress, Listener> now = new LinkedHashMap<>(listeners);
        now.values().removeIf(listener -> !next.sites().containsKey(listener.address()) && dropped.add(listener));
        now.putAll(opened);
        Instance old = running;
        listeners = now;
        running = next;
        dropped.forEach(listener -> listener.close(GRACE));
        return old;
    }

    /**
     * Waits until no thread and no query has to do with an instance that listeners were given another for. A query may be in the middle of a
     * batch that was begun with the old router, or be kept by a plugin and go on to others.
     */
    private void awaitUnused(Instance old) {
        long deadline = System.nanoTime() + PARTING.toNanos();
        engines.awaitTurn(listeners.values(), deadline);
        while (!old.isIdle() && !stopping && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /** Opens the listeners that are not there yet; on failure, be it a defect, nothing of the instance stays open. */
    private Map<ListenAddress, Listener> open(Instance next) throws IOException {
        Map<ListenAddress, Listener> opened = new LinkedHashMap<>();
        boolean complete = false;
        try {
            for (var site : next.sites().entrySet()) {
                if (!listeners.containsKey(site.getKey())) {
                    opened.put(site.getKey(), open(site.getKey(), site.getValue()));
                }
            }
            complete = true;
        } finally {
            if (!complete) {
                opened.values().forEach(listener -> listener.close(Duration.ZERO));
                next.stop();
            }
        }
        return opened;
    }

    private Listener open(ListenAddress address, Instance.Site site) throws IOException {
        return engines.open(address, site.settings(), site.router(), dispatcher, metrics);
    }

    private static void keep(Listener listener, Instance.Site site) {
        listener.router(site.router());
        listener.settings(site.settings());
        int sockets = site.settings().sockets();
        if (listener.udpSockets() > 0 && sockets > 0 && sockets != listener.udpSockets()) {
            LOG.warning(listener.address().label() + " goes on with " + listener.udpSockets()
                    + " sockets: multisocket takes effect at a restart");
        }
    }

    @Override
    public @Nullable String digestOnDisk(Problems problems) {
        Corefile corefile = source.read(problems);
        return problems.hasErrors() ? null : corefile.digest();
    }

    @Override
    public synchronized boolean reload() {
        if (stopped) {
            return false;
        }
        LOG.info("Reloading");
        Instance old;
        try {
            old = replaceBy(read());
        } catch (ConfigException e) {
            e.problems().stream().map(Problem::toString).forEach(LOG::error);
            LOG.error("Reloading failed: the configuration has errors; the old one stays in service");
            return false;
        } catch (IOException e) {
            LOG.error("Reloading failed: " + e.getMessage() + "; the old configuration stays in service");
            return false;
        } catch (RuntimeException e) {
            // A defect; whoever asked for the reload has an old configuration that works, and must not lose it by that.
            LOG.error("Reloading failed by a defect: " + e + "; the old configuration stays in service");
            return false;
        }
        if (old != null) {
            awaitUnused(old);
            old.stop();
        }
        LOG.info("Reloading complete");
        return true;
    }

    @Override
    public boolean isStopping() {
        return stopping;
    }

    /** Stops gracefully, within a few seconds. */
    public void stop() {
        stop(GRACE);
    }

    /** Stops gracefully: plugins have their say (readiness goes, lameduck waits) while queries are answered, then sockets are drained. */
    public void stop(Duration grace) {
        stopping = true; // a reload need not wait any more
        Instance last;
        synchronized (this) {
            if (stopped) {
                return;
            }
            stopped = true;
            last = running;
        }
        // Without the lock: this may take long, and a reload that comes too late should be turned away, not wait.
        if (last != null) {
            last.shutdown();
        }
        close(grace);
    }

    private synchronized void close(Duration grace) {
        listeners.values().forEach(listener -> listener.close(grace));
        listeners = Map.of();
        Instance last = running;
        if (last != null) {
            last.stop();
        }
        dispatcher.close();
        scheduler.shutdownNow();
        http.close();
        engines.close();
    }

    /** Where health, readiness and metrics are served. */
    public HttpEndpoints http() {
        return http;
    }

    /** The ports that are listened on, by address. */
    public Map<ListenAddress, Integer> ports() {
        Map<ListenAddress, Integer> ports = new LinkedHashMap<>();
        listeners.forEach((address, listener) -> ports.put(address, listener.port()));
        return ports;
    }

    /** What start-up prints: a line for each zone and address, with the port that is really listened on. */
    public List<String> zoneLines() {
        List<String> lines = new ArrayList<>();
        Instance serving = running;
        if (serving != null) {
            Map<ListenAddress, Listener> open = listeners;
            serving.sites().forEach((address, site) -> {
                Listener listener = open.get(address);
                int port = listener == null ? address.port() : listener.port();
                String scheme = address.transport() == Transport.DNS ? "" : address.transport().scheme() + "://";
                site.zones().stream().sorted().forEach(
                        zone -> lines.add(scheme + zone + ":" + port + (address.host().isEmpty() ? "" : " on " + address.host())));
            });
        }
        return lines;
    }

    /** What runs and how, for the log: the configuration, its addresses, and how datagrams are received. */
    public synchronized String summary() {
        String file = running == null ? "nothing" : running.blocks().getFirst().at().file();
        List<String> places = new ArrayList<>();
        listeners.forEach((address, listener) -> {
            int sockets = listener.udpSockets();
            String udp = sockets == 0 ? "" : " (UDP by " + engines.udpEngine() + ", " + sockets + (sockets == 1 ? " socket)" : " sockets)");
            places.add(new ListenAddress(address.transport(), address.host(), listener.port()).label() + udp);
        });
        return "serving " + file + " at " + String.join(", ", places) + "; process " + ProcessHandle.current().pid();
    }

    private void panicked(Exchange exchange, RuntimeException thrown) {
        panics.increment();
        String text = "Recovered from panic in server: \"" + exchange.route().server() + "\" " + thrown;
        if (exchange.route().stackTraces()) {
            StringWriter trace = new StringWriter();
            thrown.printStackTrace(new PrintWriter(trace, true));
            text += "\n" + trace;
        }
        String line = panicLines.admit(text);
        if (line != null) {
            LOG.error(line);
        }
    }
}
