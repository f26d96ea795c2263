package dev.cairn.proxy;

import dev.cairn.cluster.ClusterSource;
import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Address;
import dev.cairn.log.Log;
import dev.cairn.log.PlatformLoggers;
import dev.cairn.proxy.config.ProxyConfig;
import dev.cairn.proxy.config.ProxyMode;
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
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine;

/** The {@code cairn-proxy} command: programs the Services of a cluster into the kernel of this node. */
@Command(
        name = "cairn-proxy",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        versionProvider = Version.class,
        description = "Programs the Services of a cluster into the kernel of this node, as kube-proxy does.",
        subcommands = {PlanCommand.class, TraceCommand.class, AuditCommand.class})
public final class CairnProxy implements Callable<Integer> {
    static final int FAILURE = 1;
    static final int USAGE = 2;

    /** As kube-proxy has it: twice the time after which it would try again. */
    private static final Duration HEALTH_TIMEOUT = Duration.ofSeconds(60);

    private static final String HEALTH = "healthzBindAddress";
    private static final String HEALTH_PLACE = "0.0.0.0:10256";
    private static final String METRICS = "metricsBindAddress";
    private static final String METRICS_PLACE = "127.0.0.1:10249";

    private static final Log LOG = Log.server();

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private ProxyFlags flags = new ProxyFlags();

    @Option(names = "--once", description = "Program what is there now and end.")
    private boolean once;

    @Option(names = "--dry-run", description = "Print the exact rules instead, and end.")
    private boolean dryRun;

    @Option(names = {"--cleanup", "--cleanup-and-exit"}, description = "Remove everything that was programmed, and end.")
    private boolean cleanup;

    @Option(names = "--init-only", description = "Do only what takes more rights than NET_ADMIN, which is to set the kernel's settings, and end.")
    private boolean initOnly;

    private CairnProxy() {}

    public static void main(String[] args) {
        Log.redirect(System.err);   // standard output is for what is asked for, such as by --dry-run
        PlatformLoggers.clusterAs(LOG);
        CairnProxy plain = new CairnProxy();
        System.exit(plain.flags.readPlain(args) ? plain.serve() : commandLine().execute(args));
    }

    private int serve() {
        try {
            return call();
        } catch (CommandFailure e) {
            tell(e, Log::raw);
            return e.exitCode();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return FAILURE;
        }
    }

    /** Says why the command ends, in the form that the log has. */
    private static void tell(CommandFailure failure, Consumer<String> plain) {
        if (Log.format() == Log.Format.JSON) {
            LOG.error(String.valueOf(failure.getMessage()));
        } else {
            plain.accept("cairn-proxy: " + failure.getMessage());
        }
    }

    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new CairnProxy());
        addSettings(line.getCommandSpec());
        line.getSubcommands().values().forEach(command -> addSettings(command.getCommandSpec()));
        line.setExecutionExceptionHandler((e, failed, _) -> {
            if (e instanceof CommandFailure failure) {
                tell(failure, failed.getErr()::println);
                return failure.exitCode();
            }
            throw e;
        });
        return line;
    }

    private static void addSettings(CommandSpec command) {
        command.mixins().values().forEach(mixin -> {
            if (mixin.userObject() instanceof ProxyFlags flags) {
                flags.addSettings(command);
            }
        });
    }

    @Override
    public Integer call() throws InterruptedException {
        ProxyConfig settings = flags.settings();
        try {
            if (cleanup) {
                TakeOver.removeAll(settings);
                return 0;
            }
            if (dryRun) {
                return print(settings);
            }
            checkOnce(settings.mode());
            ModeChoice choice = flags.choose(settings);
            ProxyConfig usable = choice.in(settings);
            checkOnce(usable.mode());
            try (Backend backend = Backends.make(usable.mode(), usable)) {
                if (initOnly) {
                    NodeSetup.require(usable, backend);
                    return 0;
                }
                return once ? single(usable, backend) : run(settings, choice, backend);
            }
        } catch (ApplyFailure e) {
            throw new CommandFailure(FAILURE, String.valueOf(e.getMessage()));
        }
    }

    private void checkOnce(ProxyMode mode) {
        if (once && mode == ProxyMode.USERSPACE) {
            throw new CommandFailure(USAGE, "--once has no use with mode userspace, in which the process itself carries traffic: leave it out");
        }
    }

    private int print(ProxyConfig settings) {
        PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
        try (Backend backend = Backends.make(settings.mode(), settings)) {
            out.print(backend.render(Snapshot.take(flags, settings).desired()));
            out.flush();
        }
        return 0;
    }

    private int single(ProxyConfig settings, Backend backend) throws ApplyFailure {
        Snapshot snapshot = Snapshot.take(flags, settings);
        Backend.Desired desired = snapshot.desired();
        long begun = System.nanoTime();
        backend.apply(desired, desired.plans().keySet());
        SyncObserver.Applied applied = new SyncObserver.Applied(
                true, true, true, System.nanoTime() - begun, backend.written(), desired.plans().keySet(), List.of());
        new SyncLog(settings.mode(), snapshot::origin, System::nanoTime)
                .applied(applied, desired.plans().values(), desired.options().serviceRanges());
        settle(settings, backend);
        return 0;
    }

    /** Our rules are in: what went before is removed, and the kernel, which has loaded what they need, is set to fit. */
    private static void settle(ProxyConfig settings, Backend backend) {
        new TakeOver(settings).run();
        NodeSetup.attempt(settings, backend);
    }

    /** Programs for iptables and ipset take a second to look for what went before, which changes of services should not wait for. */
    private static void settleBeside(ProxyConfig settings, Backend backend) {
        Thread.ofPlatform().daemon().name("cairn-settle").start(() -> {
            settle(settings, backend);
            // What it took to read and program a whole cluster is more than what is kept; the system gets it back once, since little comes later.
            System.gc();
        });
    }

    private int run(ProxyConfig asked, ModeChoice choice, Backend backend) throws InterruptedException, ApplyFailure {
        ProxyConfig settings = choice.in(asked);
        NodeView node = flags.node(settings);
        ClusterModel model = new ClusterModel(node, SyncLog.limited(System::nanoTime));
        NodeHealth health = new NodeHealth(InstantSource.system(), HEALTH_TIMEOUT);
        SyncMetrics metrics = new SyncMetrics(InstantSource.system(), settings.mode(), () -> Backends.connections(settings));
        try (HealthServers servers = new HealthServers(health); ClusterSource source = flags.source(settings, node.name())) {
            metrics.add(backend::metrics);
            listen(servers, settings, metrics);
            Events events = new Events(source, node.name());
            if (choice.complaint() != null) {
                events.warn("ModeNotAvailable", "UseOtherMode", choice.complaint());
            }
            StartLines.of(asked, choice, node, flags.origin(source), settings.text(HEALTH, HEALTH_PLACE), settings.text(METRICS, METRICS_PLACE))
                    .forEach(LOG::info);
            Set<IpFamily> tracked = backend.cleansFlows() ? Set.of() : OwnNode.families();
            SyncObserver observer = new Reporting(health, metrics, servers,
                    new FlowCleaner(tracked, settings.flag("conntrack.sctpCleanup", false)),
                    new SyncLog(settings.mode(), () -> flags.origin(source), System::nanoTime), events,
                    () -> settleBeside(settings, backend), settings::traffic);
            SyncLoop loop = new SyncLoop(model, backend, settings::traffic, observer, System::nanoTime);
            Thread worker = Thread.ofPlatform().name("cairn-sync").unstarted(loop);
            Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(() -> end(loop, worker, backend)));
            source.start(loop);
            worker.start();
            worker.join();
            ApplyFailure reason = loop.hopeless();
            if (reason != null) {
                throw reason;
            }
        }
        return 0;
    }

    /** The process ends when this returns, whatever others are about to do. */
    private static void end(SyncLoop loop, Thread worker, Backend backend) {
        if (worker.isAlive()) {
            LOG.info("shutting down");
        }
        loop.close();
        try {
            worker.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        backend.close();
        Log.end();
    }

    private static void listen(HealthServers servers, ProxyConfig settings, SyncMetrics metrics) {
        String at = settings.text(HEALTH, HEALTH_PLACE);
        try {
            servers.listen(address(at), metrics);
            at = settings.text(METRICS, METRICS_PLACE);
            servers.listen(address(at), metrics, settings.mode().toString());
        } catch (IOException e) {
            throw new CommandFailure(FAILURE, "cannot listen on " + at + ": " + e.getMessage()
                    + "; is kube-proxy still running? Choose other places by --healthz-bind-address and --metrics-bind-address");
        }
    }

    private static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        String port = text.substring(colon + 1);
        String host = colon < 0 ? "" : text.substring(0, colon).replaceAll("[\\[\\]]", "");
        Address address = Address.parse(host);
        if (address == null || !port.matches("[0-9]{1,5}") || Integer.parseInt(port) > 0xffff) {
            throw new CommandFailure(USAGE, "\"" + text + "\" is not a place to listen at: write ADDRESS:PORT");
        }
        return new InetSocketAddress(host, Integer.parseInt(port));
    }
}
