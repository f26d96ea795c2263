package dev.cairn.command;

import dev.cairn.corefile.GoDuration;
import dev.cairn.corefile.HostPort;
import dev.cairn.facts.Address;
import dev.cairn.http.HttpEndpoints;
import dev.cairn.http.HttpReply;
import dev.cairn.listen.Engines;
import dev.cairn.log.Log;
import dev.cairn.metrics.CounterFamily;
import dev.cairn.nodecache.NodeNetwork;
import dev.cairn.nodecache.NodeTemplate;
import dev.cairn.server.ConfigSource;
import dev.cairn.server.Server;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cairn node-cache}: the server as a cache on a node, with the flags of kubernetes/dns's node-cache. */
@Command(
        name = "node-cache",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        description = "Serve as NodeLocal DNSCache: sets up addresses and rules on the node, and serves a Corefile made from a template.")
final class NodeCacheCommand implements Runnable {
    private static final Log LOG = Log.server();
    private static final String CONFIG_MAP = "configmap";
    private static final Duration TEMPLATE_PERIOD = Duration.ofSeconds(10);

    @Option(names = {"-localip", "--localip"}, paramLabel = "IP[,IP...]", required = true, description = "The addresses to listen on.")
    private String localIps = "";

    @Option(names = {"-conf", "--conf", "-corefile", "--corefile"}, paramLabel = "FILE", defaultValue = "/etc/Corefile",
            description = "Where the Corefile is written to and read from (default: ${DEFAULT-VALUE}).")
    private Path conf = Path.of("/etc/Corefile");

    @Option(names = {"-basecorefile", "--basecorefile"}, paramLabel = "FILE", defaultValue = "/etc/coredns/Corefile.base",
            description = "The template of the Corefile (default: ${DEFAULT-VALUE}).")
    private Path template = Path.of("/etc/coredns/Corefile.base");

    @Option(names = {"-kubednscm", "--kubednscm"}, paramLabel = "DIR", defaultValue = "/etc/kube-dns",
            description = "Where the ConfigMap kube-dns is mounted (default: ${DEFAULT-VALUE}).")
    private Path kubeDns = Path.of("/etc/kube-dns");

    @Option(names = {"-upstreamsvc", "--upstreamsvc"}, paramLabel = "SERVICE", defaultValue = "kube-dns",
            description = "The service whose cluster IP is asked for cluster names (default: ${DEFAULT-VALUE}).")
    private String upstreamService = "kube-dns";

    @Option(names = {"-kubednsip", "--kubednsip"}, paramLabel = "IP", description = "That address itself, in place of -upstreamsvc.")
    private @Nullable String upstreamIp;

    @Option(names = {"-setupinterface", "--setupinterface"}, arity = "0..1", defaultValue = "true", fallbackValue = "true",
            paramLabel = "true|false", description = "Whether to give the node the addresses (default: ${DEFAULT-VALUE}).")
    private boolean setupInterface = true;

    @Option(names = {"-interfacename", "--interfacename"}, paramLabel = "NAME", defaultValue = "nodelocaldns",
            description = "The interface to make for them (default: ${DEFAULT-VALUE}).")
    private String interfaceName = "nodelocaldns";

    @Option(names = {"-setupiptables", "--setupiptables"}, arity = "0..1", defaultValue = "true", fallbackValue = "true",
            paramLabel = "true|false", description = "Whether to keep the traffic out of connection tracking (default: ${DEFAULT-VALUE}).")
    private boolean setupRules = true;

    @Option(names = {"-syncinterval", "--syncinterval"}, paramLabel = "SECONDS", defaultValue = "60",
            description = "How often to look whether all that is still there (default: ${DEFAULT-VALUE}).")
    private String syncInterval = "60";

    @Option(names = {"-skipteardown", "--skipteardown"}, arity = "0..1", defaultValue = "false", fallbackValue = "true",
            paramLabel = "true|false", description = "Leave it there at the end.")
    private boolean skipTeardown;

    @Option(names = {"-reloadwithsignal", "--reloadwithsignal"}, arity = "0..1", defaultValue = "false", fallbackValue = "true",
            paramLabel = "true|false", description = "Reload a changed Corefile without the reload plugin.")
    private boolean reloadItself;

    @Option(names = {"-metrics-listen-address", "--metrics-listen-address"}, paramLabel = "HOST:PORT", defaultValue = "0.0.0.0:9353",
            description = "Where the metrics of the set-up are told (default: ${DEFAULT-VALUE}).")
    private String metricsAddress = "0.0.0.0:9353";

    @Option(names = {"-health-port", "--health-port"}, paramLabel = "PORT", defaultValue = "8080",
            description = "The port of the health plugin, for rules about it (default: ${DEFAULT-VALUE}).")
    private int healthPort = 8080;

    @Option(names = {"-dns.port", "--dns.port", "-p"}, paramLabel = "PORT", defaultValue = "53",
            description = "The port of zones that name none (default: ${DEFAULT-VALUE}).")
    private int port = 53;

    @Option(names = {"-pidfile", "--pidfile"}, paramLabel = "FILE", description = "Write the process id to this file.")
    private @Nullable Path pidFile;

    @Mixin
    private LogOptions log = new LogOptions();

    private HttpEndpoints.@Nullable Lease metrics;

    @Override
    public void run() {
        Log.Format logFormat = log.use();
        List<Address> addresses = addresses();
        NodeTemplate source = new NodeTemplate(
                template, kubeDns, addresses.stream().map(Address::toString).toList(), clusterDns(), port);
        Duration interval = interval();
        boolean complete = writeFirst(source);
        Server server = new Server(ConfigSource.file(conf), port, new Engines(Engines.Choice.AUTO, true));
        CounterFamily errors = setupErrors(server);
        if (!complete) {
            errors.with(CONFIG_MAP).increment();
        }
        NodeNetwork network = new NodeNetwork(addresses, port, healthPort, setupInterface ? interfaceName : "", setupRules, errors);
        network.ensureAddresses();
        ScheduledExecutorService upkeep = Executors.newSingleThreadScheduledExecutor(
                task -> Thread.ofPlatform().daemon().name("cairn-node").unstarted(task));
        try {
            new ServerRun("cairn", pidFile, false, logFormat).run(server, () -> {
                upkeep.scheduleWithFixedDelay(() -> guarded(() -> {
                    network.ensureAddresses();
                    network.ensureRules();
                    ensureMetrics(server);
                }), 0, interval.toMillis(), TimeUnit.MILLISECONDS);
                upkeep.scheduleWithFixedDelay(() -> guarded(() -> follow(source, server, errors)),
                        TEMPLATE_PERIOD.toMillis(), TEMPLATE_PERIOD.toMillis(), TimeUnit.MILLISECONDS);
            });
        } finally {
            upkeep.shutdownNow();
            leave(network);
        }
    }

    /** Writes the Corefile to start with; without the ConfigMap if that is of no use, since a node needs its DNS. Returns whether it was. */
    private boolean writeFirst(NodeTemplate source) {
        try {
            try {
                write(source.render());
                return true;
            } catch (NodeTemplate.BadConfigMap e) {
                LOG.error("serving without stub domains and upstreams of one's own: " + e.getMessage());
                write(source.withoutConfigMap().render());
                return false;
            }
        } catch (IOException e) {
            throw new CommandFailure(Cairn.USAGE, "cairn: " + e.getMessage());
        }
    }

    static CounterFamily setupErrors(Server server) {
        return server.metrics().counter(
                "coredns_nodecache_setup_errors_total", "The number of errors during periodic network setup for node-cache", "errortype");
    }

    /** Tries until it goes well: a process that this one takes over from may still have the address. */
    private void ensureMetrics(Server server) {
        if (metrics != null) {
            return;
        }
        try {
            metrics = server.http().openSlow(
                    HostPort.parse(metricsAddress), "/metrics", _ -> HttpReply.text(200, server.metrics().scrape()));
        } catch (IOException | IllegalArgumentException e) {
            LOG.error("Failed to start metrics handler: " + e.getMessage());
        }
    }

    private void leave(NodeNetwork network) {
        if (!skipTeardown) {
            network.leave();
        }
    }

    /** The thread that looks after the node lives, whatever happens to one look. */
    private static void guarded(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            LOG.error("node-cache: " + e);
        }
    }

    private void follow(NodeTemplate source, Server server, CounterFamily errors) {
        try {
            if (write(source.render()) && reloadItself) {
                server.reload();
            }
        } catch (IOException e) {
            LOG.error("the Corefile stays as it is: " + e.getMessage());
            errors.with(CONFIG_MAP).increment();
        }
    }

    /** Returns whether anything changed. */
    private boolean write(String corefile) throws IOException {
        if (Files.exists(conf) && Files.readString(conf).equals(corefile)) {
            return false;
        }
        Files.write(conf, corefile.getBytes(StandardCharsets.UTF_8));
        LOG.info("Updated Corefile " + conf);
        return true;
    }

    private List<Address> addresses() {
        List<Address> addresses = new ArrayList<>();
        for (String text : localIps.split(",", -1)) {
            Address address = Address.parse(text.strip());
            if (address == null) {
                throw new CommandFailure(Cairn.USAGE, "cairn: invalid localip specified - \"" + text + "\"; write -localip IP[,IP...]");
            }
            if (!addresses.isEmpty() && addresses.getFirst().isIpv4() != address.isIpv4()) {
                throw new CommandFailure(Cairn.USAGE, "cairn: -localip has addresses of both families; give those of one");
            }
            addresses.add(address);
        }
        return addresses;
    }

    private String clusterDns() {
        return upstreamIp != null ? upstreamIp : Objects.requireNonNullElse(System.getenv(NodeTemplate.environmentOf(upstreamService)), "");
    }

    private Duration interval() {
        try {
            boolean plain = syncInterval.chars().allMatch(c -> c >= '0' && c <= '9');
            Duration interval = GoDuration.parse(plain ? syncInterval + "s" : syncInterval);
            if (interval.isPositive()) {
                return interval;
            }
        } catch (IllegalArgumentException e) {
            // told below, as a time of nothing is
        }
        throw new CommandFailure(Cairn.USAGE, "cairn: \"" + syncInterval + "\" is not a time; write -syncinterval SECONDS");
    }
}
