package dev.cairn.proxy;

import dev.cairn.build.BuildInfo;
import dev.cairn.cluster.ClusterSource;
import dev.cairn.log.Log;
import dev.cairn.log.PlatformLoggers;
import dev.cairn.proxy.config.ConfigFile;
import dev.cairn.proxy.config.ProxyConfig;
import dev.cairn.proxy.config.ProxyMode;
import dev.cairn.proxy.sync.ApplyFailure;
import dev.cairn.proxy.sync.Backend;
import dev.cairn.proxy.sync.SyncObserver;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
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

    @Option(names = "--write-config-to", paramLabel = "FILE", description = "Write the settings as a KubeProxyConfiguration, and end.")
    private @Nullable Path writeTo;

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
            if (writeTo != null) {
                return write(settings, writeTo);
            }
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

    private static int write(ProxyConfig settings, Path to) {
        try {
            Files.writeString(to, ConfigFile.text(settings));
            return 0;
        } catch (IOException e) {
            throw new CommandFailure(FAILURE, to + " cannot be written: " + e.getMessage());
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
        NodeSetup.prepare(settings, backend);
        long begun = System.nanoTime();
        backend.apply(desired, desired.plans().keySet());
        SyncObserver.Applied applied = new SyncObserver.Applied(
                true, true, true, System.nanoTime() - begun, backend.written(), desired.plans().keySet(), List.of());
        new SyncLog(settings.mode(), snapshot::origin, System::nanoTime)
                .applied(applied, desired.plans().values(), desired.options().serviceRanges());
        ProxyService.settle(settings, backend);
        return 0;
    }

    private int run(ProxyConfig asked, ModeChoice choice, Backend backend) throws InterruptedException, ApplyFailure {
        ProxyConfig settings = choice.in(asked);
        try (ProxyService service = new ProxyService(asked, choice, backend, flags.node(settings));
                ClusterSource source = flags.source(settings, service.nodeName())) {
            LOG.info(String.join(", ", BuildInfo.lines("cairn-proxy")));
            service.start(source);
            ApplyFailure reason = service.await();
            if (reason != null) {
                throw reason;
            }
        }
        return 0;
    }
}
