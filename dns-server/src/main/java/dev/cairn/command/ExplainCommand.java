package dev.cairn.command;

import dev.cairn.explain.ExplainFailure;
import dev.cairn.explain.Explainer;
import dev.cairn.explain.Explanation;
import dev.cairn.explain.JsonReport;
import dev.cairn.explain.ProxyTrace;
import dev.cairn.explain.Question;
import dev.cairn.explain.TextReport;
import dev.cairn.facts.Address;
import dev.cairn.log.Log;
import dev.cairn.server.ConfigSource;
import dev.cairn.wire.DnsType;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cairn explain}: how a name is answered, step by step, and why. */
@Command(
        name = "explain",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {"Tell step by step how a name is answered, and why.", ""},
        footer = {
            "",
            "Examples:",
            "  cairn explain web --from shop/db-0 --manifests DIR    as a pod asks for it",
            "  cairn explain _http._tcp.web.shop.svc.cluster.local --kubeconfig FILE",
            "  cairn explain 10.96.0.10 --conf Corefile              the names of an address",
            "",
            "Exit code: 0 if the name is answered, 1 if it does not exist or has no such records, 2 if that could not be found out."
        })
final class ExplainCommand implements Callable<Integer> {
    private static final int NOT_ANSWERED = 1;
    private static final int DNS_PORT = 53;
    private static final String WARNING = "[WARNING] plugin/kubernetes: ";
    private static final Pattern BRACKETED = Pattern.compile("\\[([^\\]]+)\\](?::([0-9]{1,5}))?");
    private static final Pattern WITH_PORT = Pattern.compile("([^:]+)(?::([0-9]{1,5}))?");

    /** How the explanation is printed. */
    enum Format {
        TEXT,
        JSON
    }

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "NAME", description = "The name as programs ask for it; an address stands for its reverse name.")
    private String name = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "TYPE",
            description = "The record type. Default: A, then AAAA; SRV for names that begin with _; PTR for addresses.")
    private @Nullable String type;

    @Option(
            names = "--from",
            paramLabel = "POD|NAMESPACE/POD|IP",
            defaultValue = "",
            description = "Who asks (default: any pod of the namespace default).")
    private String from = "";

    @Option(names = {"--conf", "-conf"}, paramLabel = "FILE", description = "The Corefile (default: the kubernetes block of kubeadm's).")
    private @Nullable Path conf;

    @Option(names = "--manifests", paramLabel = "PATH", description = "Read the cluster from manifests.")
    private List<Path> manifests = List.of();

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Ask the API server of this kubeconfig's current context (default, in a pod: that of its cluster).")
    private @Nullable Path kubeconfig;

    @Option(
            names = "--at",
            paramLabel = "ADDRESS[:PORT]",
            description = "Where the question arrives, if blocks of the Corefile listen on several addresses (default: port 53 of all addresses, if they do).")
    private @Nullable String at;

    @Option(names = "--server", paramLabel = "ADDRESS[:PORT]", description = "Ask this running server, too, and say whether it agrees.")
    private @Nullable String server;

    @Option(names = "--no-proxy", description = "Only print the cairn-proxy commands that follow connections; do not run them.")
    private boolean withoutProxy;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "text|json",
            defaultValue = "text",
            description = "How to print it (default: ${DEFAULT-VALUE}).")
    private Format format = Format.TEXT;

    @Override
    public Integer call() {
        Question question = question();
        PrintWriter err = spec.commandLine().getErr();
        ByteArrayOutputStream logged = new ByteArrayOutputStream();
        PrintStream before = Log.redirect(new PrintStream(logged, true, StandardCharsets.UTF_8));
        try {
            Path launcher = withoutProxy ? null : ProxyTrace.launcher(System.getenv("PATH"));
            List<String> said = new ArrayList<>();
            Explanation explanation = new Explainer(question, launcher, line -> {
                said.add(line);
                err.println("cairn: " + line);
                err.flush();
            }).explain();
            Log.flush();   // what is wrong with manifests may well be why
            logged.toString(StandardCharsets.UTF_8).lines()
                    .filter(line -> line.startsWith(WARNING))
                    .map(line -> line.substring(WARNING.length()))
                    .distinct()
                    .filter(line -> said.stream().noneMatch(told -> told.endsWith(line)))
                    .forEach(line -> err.println("cairn: " + line));
            err.flush();
            print(explanation);
            return explanation.isAnswered() ? 0 : NOT_ANSWERED;
        } catch (ExplainFailure e) {
            throw new CommandFailure(Cairn.USAGE, (e.isOfCorefile() ? "" : "cairn: ") + e.getMessage());
        } finally {
            Log.redirect(before);
        }
    }

    private void print(Explanation explanation) {
        PrintWriter out = spec.commandLine().getOut();
        switch (format) {
            case TEXT -> TextReport.of(explanation).forEach(out::println);
            case JSON -> out.println(JsonReport.of(explanation));
        }
        out.flush();
    }

    private Question question() {
        int number = type == null ? 0 : DnsType.fromText(type);
        if (number < 0) {
            throw new CommandFailure(Cairn.USAGE, "cairn: " + type + " is not a record type; write A, AAAA, SRV, PTR or another");
        }
        if (kubeconfig != null && !manifests.isEmpty()) {
            throw new CommandFailure(Cairn.USAGE, "cairn: --kubeconfig and --manifests exclude each other; which cluster is it?");
        }
        manifests.forEach(ExplainCommand::mustExist);
        if (kubeconfig != null) {
            mustExist(kubeconfig);
        }
        ConfigSource config = conf == null ? null : ConfigSource.file(conf);
        boolean inPod = System.getenv("KUBERNETES_SERVICE_HOST") != null;
        return new Question(name, number, from, config, kubeconfig, manifests, inPod, address("--at", at),
                address("--server", server));
    }

    private static void mustExist(Path path) {
        if (!Files.exists(path)) {
            throw new CommandFailure(Cairn.USAGE, "cairn: there is no " + path);
        }
    }

    /** What an option says, null if it is not there. */
    private static @Nullable InetSocketAddress address(String option, @Nullable String text) {
        if (text == null) {
            return null;
        }
        Matcher bracketed = BRACKETED.matcher(text);
        Matcher plain = WITH_PORT.matcher(text);
        boolean bare = Address.parse(text) != null;
        if (!bare && !bracketed.matches() && !plain.matches()) {
            throw wrong(option, text, "is not an address");
        }
        Matcher parts = bracketed.matches() ? bracketed : plain;
        String host = bare ? text : parts.group(1);
        int port = bare || parts.group(2) == null ? DNS_PORT : Integer.parseInt(parts.group(2));
        if (port < 1 || port > 0xffff) {
            throw wrong(option, text, "has no valid port");
        }
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw wrong(option, text, "does not resolve");
        }
        return address;
    }

    private static CommandFailure wrong(String option, String text, String how) {
        return new CommandFailure(Cairn.USAGE, "cairn: " + option + " " + text + " " + how + "; write ADDRESS[:PORT]");
    }
}
