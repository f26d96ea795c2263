package dev.cairn.command;

import dev.cairn.listen.Engines;
import dev.cairn.log.Log;
import dev.cairn.server.ConfigSource;
import dev.cairn.server.Server;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of serving, and serving itself; shared by the bare command and {@code serve}. */
final class ServeOptions {
    private static final String DEFAULT_COREFILE = "Corefile";
    private static final String ENGINE_VARIABLE = "CAIRN_UDP_ENGINE";

    @Option(
            names = {"-conf", "--conf"},
            paramLabel = "FILE",
            description = "The Corefile to serve, 'stdin' to read it from standard input. Default: ./Corefile if there is one, else whoami and log.")
    private @Nullable String conf;

    @Option(
            names = {"-dns.port", "--dns.port", "-p", "-port", "--port"},
            paramLabel = "PORT",
            defaultValue = "53",
            description = "The port of zones that name none (default: ${DEFAULT-VALUE}); 0 lets the kernel choose.")
    private int port = 53;

    @Option(names = {"-pidfile", "--pidfile"}, paramLabel = "FILE", description = "Write the process id to this file.")
    private @Nullable Path pidFile;

    @Option(names = {"-quiet", "--quiet"}, description = "Print nothing at start-up.")
    private boolean quiet;

    @Mixin
    private LogOptions log = new LogOptions();

    @Option(
            names = {"--udp-engine"},
            paramLabel = "auto|ffm|epoll|nio",
            defaultValue = "${env:" + ENGINE_VARIABLE + ":-auto}",
            description = "How datagrams are received (default: ${DEFAULT-VALUE}); also set by " + ENGINE_VARIABLE + ".")
    private Engines.Choice udpEngine = Engines.Choice.AUTO;

    @Option(
            names = "--manifests",
            paramLabel = "PATH",
            description = "Serve the cluster that these manifests (files, or directories of them) describe, without a Corefile.")
    private List<Path> manifests = List.of();

    @Option(
            names = "--service-cidr",
            paramLabel = "CIDR",
            description = "With --manifests: where cluster IPs come from (default: 10.96.0.0/12, and any chosen address is accepted).")
    private List<String> serviceCidrs = List.of();

    @Option(
            names = "--zone",
            paramLabel = "ZONE",
            defaultValue = "cluster.local",
            description = "With --manifests: the zone of the cluster (default: ${DEFAULT-VALUE}).")
    private String zone = "cluster.local";

    /**
     * Reads a command line of the few options that nearly all servers are started with; null if there is anything else in it. This is what picocli
     * makes of it, too, but picocli takes longer than all the rest until the first answer.
     */
    static @Nullable ServeOptions plain(String... args) {
        ServeOptions options = new ServeOptions();
        Set<String> allowed = new HashSet<>(Set.of("conf", "port", "pidfile", "quiet"));
        Iterator<String> words = List.of(args).iterator();
        while (words.hasNext()) {
            String option = switch (words.next()) {
                case "-conf", "--conf" -> "conf";
                case "-dns.port", "--dns.port", "-p", "-port", "--port" -> "port";
                case "-pidfile", "--pidfile" -> "pidfile";
                case "-quiet", "--quiet" -> "quiet";
                default -> "";
            };
            boolean once = allowed.remove(option);
            if (!once || !(option.equals("quiet") ? options.quiet() : words.hasNext() && options.set(option, words.next()))) {
                return null;
            }
        }
        return System.getenv(ENGINE_VARIABLE) == null ? options : null;
    }

    private boolean quiet() {
        quiet = true;
        return true;
    }

    /** Sets an option; false if the value is for picocli to judge. */
    private boolean set(String option, String value) {
        if (value.isEmpty() || value.startsWith("-") || value.startsWith("@")) {
            return false;
        }
        switch (option) {
            case "conf" -> conf = value;
            case "pidfile" -> pidFile = Path.of(value);
            default -> {
                if (!value.matches("\\d{1,5}")) {
                    return false;
                }
                port = Integer.parseInt(value);
            }
        }
        return true;
    }

    /** Serves until a signal ends the process. */
    void run() {
        Log.Format logFormat = log.use();
        Server server = new Server(source(), checkedPort(), engines());
        new ServerRun("cairn", pidFile, quiet, logFormat).run(server, () -> {});
    }

    private ConfigSource source() {
        if (!manifests.isEmpty()) {
            if (conf != null) {
                throw new CommandFailure(Cairn.USAGE, "cairn: -conf and --manifests exclude each other; write 'manifests PATH' into the kubernetes"
                        + " block of the Corefile instead");
            }
            return ConfigSource.text("--manifests", clusterCorefile());
        }
        if (conf == null) {
            return Files.exists(Path.of(DEFAULT_COREFILE)) ? ConfigSource.file(Path.of(DEFAULT_COREFILE)) : ConfigSource.BUILT_IN;
        }
        if (!conf.equals("stdin")) {
            return ConfigSource.file(Path.of(conf));
        }
        try {
            return ConfigSource.text("stdin", new String(System.in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new CommandFailure(Cairn.FAILURE, "cairn: cannot read the Corefile from standard input: " + e.getMessage());
        }
    }

    /** What {@code --manifests} stands for. */
    private String clusterCorefile() {
        return ". {\n errors\n loadbalance\n kubernetes " + quoted(zone) + " in-addr.arpa ip6.arpa {\n  manifests"
                + manifests.stream().map(path -> " " + quoted(path.toString())).collect(Collectors.joining())
                + (serviceCidrs.isEmpty() ? "" : "\n  service_cidr" + serviceCidrs.stream().map(cidr -> " " + quoted(cidr)).collect(Collectors.joining()))
                + "\n  pods verified\n }\n}\n";
    }

    private static String quoted(String word) {
        return "\"" + word.replace("\"", "\\\"") + "\"";
    }

    private int checkedPort() {
        if (port < 0 || port > 0xffff) {
            throw new CommandFailure(Cairn.USAGE, "cairn: " + port + " is not a port; write -dns.port with a number from 0 to 65535");
        }
        return port;
    }

    private Engines engines() {
        try {
            return new Engines(udpEngine);
        } catch (IllegalStateException e) {
            throw new CommandFailure(Cairn.FAILURE, "cairn: " + e.getMessage());
        }
    }
}
