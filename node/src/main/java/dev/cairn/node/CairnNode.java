package dev.cairn.node;

import dev.cairn.cluster.origin.SharedCluster;
import dev.cairn.command.ServerRun;
import dev.cairn.listen.Engines;
import dev.cairn.log.Log;
import dev.cairn.plugin.kubernetes.ClusterSharing;
import dev.cairn.proxy.CommandFailure;
import dev.cairn.proxy.ProxyFlags;
import dev.cairn.proxy.ProxyService;
import dev.cairn.proxy.sync.ApplyFailure;
import dev.cairn.server.ConfigSource;
import dev.cairn.server.Server;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code cairn-node} command: serves the names of a cluster and programs its Services into the kernel of this node. */
@Command(
        name = "cairn-node",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        versionProvider = NodeVersion.class,
        description = {"All that a node needs of Cairn in one process: names, as cairn serves them, and Services, as cairn-proxy programs them, from one"
                + " watch of the cluster.", ""},
        footer = {
            "",
            "Examples:",
            "  cairn-node -conf Corefile --config config.conf           as a pod of the cluster, with a KubeProxyConfiguration",
            "  cairn-node -conf Corefile --kubeconfig FILE --cluster-cidr 10.244.0.0/16",
            "  cairn-node --manifests DIR -p 1053 --dry-run             a cluster from files; rules are printed, not programmed",
            "",
            "Signals: TERM and INT stop gracefully and leave the rules, USR1 reloads the Corefile, QUIT leaves at once."
        })
public final class CairnNode implements Callable<Integer> {
    private static final int FAILURE = 1;
    private static final int USAGE = 2;
    private static final Path COREFILE = Path.of("Corefile");

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = {"-conf", "--conf"}, paramLabel = "FILE",
            description = "The Corefile. A kubernetes in it that names no cluster has the proxy's. Default: ./Corefile if there is one, else the cluster's"
                    + " names and nothing else.")
    private @Nullable Path conf;

    @Option(names = {"-dns.port", "--dns.port", "-p", "-port", "--port"}, paramLabel = "PORT", defaultValue = "53",
            description = "The port of zones that name none (default: ${DEFAULT-VALUE}); 0 lets the kernel choose.")
    private int port = 53;

    @Option(names = "--zone", paramLabel = "ZONE", defaultValue = "cluster.local",
            description = "Without a Corefile: the zone of the cluster (default: ${DEFAULT-VALUE}).")
    private String zone = "cluster.local";

    @Option(names = {"-pidfile", "--pidfile"}, paramLabel = "FILE", description = "Write the process id to this file.")
    private @Nullable Path pidFile;

    @Option(names = {"-quiet", "--quiet"}, description = "Print nothing at start-up.")
    private boolean quiet;

    @Option(names = "--udp-engine", paramLabel = "auto|ffm|epoll|nio", defaultValue = "${env:CAIRN_UDP_ENGINE:-auto}",
            description = "How datagrams are received (default: ${DEFAULT-VALUE}); also set by CAIRN_UDP_ENGINE.")
    private Engines.Choice udpEngine = Engines.Choice.AUTO;

    @Option(names = "--dry-run", description = "Serve names, and print the exact rules instead of programming them, whenever they change.")
    private boolean dryRun;

    @Mixin
    private ProxyFlags proxyFlags = new ProxyFlags();

    private CairnNode() {}

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        CairnNode node = new CairnNode();
        CommandLine line = new CommandLine(node);
        node.proxyFlags.addSettings(line.getCommandSpec());
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setParameterExceptionHandler((e, _) -> {
            e.getCommandLine().getErr().println("cairn-node: " + e.getMessage() + "\nTry 'cairn-node --help'.");
            return USAGE;
        });
        line.setExecutionExceptionHandler((e, failed, _) -> switch (e) {
            case CommandFailure failure -> {
                failed.getErr().println("cairn-node: " + failure.getMessage());
                yield failure.exitCode();
            }
            case dev.cairn.command.CommandFailure failure -> failure.tell(failed.getErr());
            default -> throw e;
        });
        return line;
    }

    @Override
    public Integer call() {
        if (port < 0 || port > 0xffff) {
            throw new CommandFailure(USAGE, port + " is not a port; write -dns.port with a number from 0 to 65535");
        }
        try (ProxyService proxy = ProxyService.of(proxyFlags, dryRun ? spec.commandLine().getOut() : null)) {
            SharedCluster cluster = new SharedCluster(ProxyService.origin(proxyFlags), proxy.nodeName());
            Server server = new Server(corefile(), port, engines());
            server.process().get(ClusterSharing.class, () -> new ClusterSharing(cluster));
            new ServerRun("cairn-node", pidFile, quiet, Log.format()).run(server, () -> start(proxy, cluster));
        }
        return 0;
    }

    /** What hinders the proxy is told by the log and by its /healthz; names go on being served. */
    private static void start(ProxyService proxy, SharedCluster cluster) {
        proxy.start(cluster.traffic());
        Thread.ofVirtual().name("proxy-end").start(() -> {
            try {
                ApplyFailure reason = proxy.await();
                if (reason != null) {
                    Log.server().error(reason.getMessage() + "; no Service is programmed until a restart, names are served all the same");
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private ConfigSource corefile() {
        if (conf != null) {
            return ConfigSource.file(conf);
        }
        if (Files.exists(COREFILE)) {
            return ConfigSource.file(COREFILE);
        }
        return ConfigSource.text("--zone", ". {\n errors\n loadbalance\n kubernetes \"" + zone.replace("\"", "\\\"") + "\" in-addr.arpa ip6.arpa\n}\n");
    }

    private Engines engines() {
        try {
            return new Engines(udpEngine);
        } catch (IllegalStateException e) {
            throw new CommandFailure(FAILURE, String.valueOf(e.getMessage()));
        }
    }
}
