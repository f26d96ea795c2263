package dev.cairn.proxy;

import dev.cairn.cluster.ClusterSource;
import dev.cairn.cluster.WatchScope;
import dev.cairn.cluster.api.ApiObserver;
import dev.cairn.cluster.api.ApiOptions;
import dev.cairn.cluster.control.ControlOptions;
import dev.cairn.cluster.control.PortRange;
import dev.cairn.cluster.manifest.ManifestOptions;
import dev.cairn.cluster.origin.ClusterOrigin;
import dev.cairn.log.Log;
import dev.cairn.proxy.config.ConfigFile;
import dev.cairn.proxy.config.ProxyConfig;
import dev.cairn.proxy.kernel.ConntrackSettings;
import dev.cairn.proxy.plan.NodeView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The flags that say which cluster, which node and how; those of kube-proxy have its names. Shared by all commands. */
public final class ProxyFlags {
    private static final Log LOG = Log.server();

    /** Given flags by the names that the settings have in a file. */
    private final Map<String, String> given = new TreeMap<>();
    /** Given flags that have no effect here. */
    private final Set<String> ignored = new TreeSet<>();
    private @Nullable ProxyConfig settings;

    @Option(names = "--config", paramLabel = "FILE", description = "A KubeProxyConfiguration; flags win over what it says.")
    private @Nullable Path config;

    @Option(names = "--manifests", paramLabel = "PATH", split = ",", description = "Read the cluster from manifests instead of an API server.")
    private List<Path> manifests = List.of();

    @Option(names = "--strict-mode", description = "End if this machine cannot do the mode, instead of using another.")
    private boolean strictMode;

    /** Lets a command that has these flags take all those, too, that stand for settings. */
    public void addSettings(CommandSpec command) {
        SettingFlag.addTo(command, given, ignored);
    }

    /**
     * Reads a command line that has nothing but settings and a file of them, as those of nearly all nodes; false if there is anything else. This is what
     * picocli makes of it, too, but picocli takes a good part of the time until a node is ready.
     */
    boolean readPlain(String... args) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < args.length; i++) {
            int equal = args[i].indexOf('=');
            String name = equal < 0 ? args[i] : args[i].substring(0, equal);
            SettingFlag flag = SettingFlag.named(name);
            boolean alone = equal < 0 && (flag != null ? flag.parameter().isEmpty() : SettingFlag.IGNORED_SWITCHES.contains(name));
            if (!alone && equal < 0 && ++i == args.length) {
                return false;
            }
            String value = alone ? "true" : args[i].substring(equal + 1);
            boolean odd = value.isEmpty() || value.startsWith("@") || (value.startsWith("-") && equal < 0);
            if (odd || !seen.add(flag == null ? name : flag.names().getFirst())) {
                return false;
            }
            if (flag != null) {
                flag.settings().forEach(setting -> given.put(setting, value));
            } else if (name.equals("--config")) {
                config = Path.of(value);
            } else if (SettingFlag.IGNORED.contains(name) || SettingFlag.IGNORED_SWITCHES.contains(name)) {
                ignored.add(name);
            } else {
                return false;
            }
        }
        return true;
    }

    /** All settings. Whatever is wrong with them is told before anything is done, and what means nothing here is told once. */
    ProxyConfig settings() {
        ProxyConfig known = settings;
        if (known == null) {
            try {
                known = read();
            } catch (IllegalArgumentException e) {
                throw new CommandFailure(CairnProxy.USAGE, String.valueOf(e.getMessage()));
            }
            settings = known;
        }
        return known;
    }

    private ProxyConfig read() {
        List<String> complaints = new ArrayList<>();
        ProxyConfig read = (config == null ? new ProxyConfig(Map.of()) : ConfigFile.read(config, complaints)).with(given);
        Log.format(read.logsJson() ? Log.Format.JSON : Log.Format.TEXT);
        Log.debugging(read.debugs());
        read.bindAddress();
        read.oomScore();
        read.traffic(node(read));
        read.masqueradeBit();
        Backends.ipvs(read);
        ConntrackSettings.of(read, 1);
        read.iptablesVariant();
        read.udpIdle();
        complaints.forEach(LOG::warning);
        if (!ignored.isEmpty()) {
            LOG.info("without effect here: " + String.join(", ", ignored));
        }
        return read;
    }

    /** A mode that this machine can do; that it is another than was asked for is told in the log. */
    ModeChoice choose(ProxyConfig settings) {
        ModeChoice choice = ModeChoice.choose(settings.mode(), strictMode, mode -> Backends.probe(mode, settings));
        if (choice.complaint() != null) {
            LOG.warning(choice.complaint());
        }
        return choice;
    }

    /** What is known of the node before its Node object is. */
    NodeView node(ProxyConfig settings) {
        String name = settings.text("hostnameOverride", "");
        return OwnNode.view(name.isEmpty() ? hostname() : name.strip().toLowerCase(Locale.ROOT));
    }

    private static String hostname() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip().toLowerCase(Locale.ROOT);
        } catch (IOException e) {
            throw new CommandFailure(CairnProxy.USAGE, "this node's name cannot be found out: give it by --hostname-override");
        }
    }

    ClusterSource source(ProxyConfig settings, String nodeName) {
        return origin(settings).open(WatchScope.traffic(nodeName), ApiObserver.NONE);
    }

    /** Which cluster it is. */
    ClusterOrigin origin(ProxyConfig settings) {
        if (!manifests.isEmpty()) {
            for (Path path : manifests) {
                if (!Files.exists(path)) {
                    throw new CommandFailure(CairnProxy.USAGE, path + ": there is no such file or directory");
                }
            }
            // Node ports that manifests choose are taken as they are: that a cluster would refuse one is not the proxy's concern.
            ControlOptions any = new ControlOptions(List.of(), null, new PortRange(1, 0xffff), false);
            return new ClusterOrigin.Manifests(new ManifestOptions(manifests, any));
        }
        String kubeconfig = settings.text("clientConnection.kubeconfig", "");
        String master = settings.text("master", "");
        ApiOptions options = !kubeconfig.isEmpty() ? ApiOptions.fromKubeconfig(Path.of(kubeconfig), null)
                : !master.isEmpty() ? ApiOptions.atEndpoint(master, null) : ApiOptions.inCluster();
        boolean inPod = System.getenv("KUBERNETES_SERVICE_HOST") != null;
        if (kubeconfig.isEmpty() && master.isEmpty() && !inPod) {
            throw new CommandFailure(CairnProxy.USAGE, "which cluster? Give --kubeconfig FILE, --master URL or --manifests PATH");
        }
        return new ClusterOrigin.Api(options);
    }
}
