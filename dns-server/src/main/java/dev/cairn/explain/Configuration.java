package dev.cairn.explain;

import dev.cairn.corefile.Corefile;
import dev.cairn.corefile.Directive;
import dev.cairn.corefile.Position;
import dev.cairn.corefile.Problem;
import dev.cairn.corefile.Problems;
import dev.cairn.corefile.ServerBlock;
import dev.cairn.corefile.Token;
import dev.cairn.corefile.Transport;
import dev.cairn.corefile.ZoneKeys;
import dev.cairn.server.ConfigSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The Corefile as it is explained.
 *
 * @param corefile without what listens or only looks on
 * @param written as it was read
 * @param standIn whether it is the one like kubeadm's, because none was given
 */
record Configuration(Corefile corefile, Corefile written, boolean standIn) {
    /** Kubeadm's as far as the cluster goes. */
    private static final ConfigSource STAND_IN = ConfigSource.text("kubeadm", """
            . {
                kubernetes cluster.local in-addr.arpa ip6.arpa {
                    pods insecure
                    fallthrough in-addr.arpa ip6.arpa
                    ttl 30
                }
            }
            """);

    /** What never answers, and would open ports, write logs, or send queries and messages of its own. */
    private static final Set<String> SET_ASIDE = Set.of("debug", "dnstap", "errors", "health", "https", "log", "loop", "multisocket",
            "prometheus", "proxyproto", "quic", "ready", "reload", "timeouts", "tls", "trace", "transfer");

    /** What says where the cluster is. */
    private static final Set<String> CLUSTER_LINES =
            Set.of("endpoint", "tls", "kubeconfig", "manifests", "service_cidr", "load_balancer_cidr");

    static Configuration of(Question question) throws ExplainFailure {
        Problems problems = new Problems();
        ConfigSource source = question.config() == null ? STAND_IN : question.config();
        Corefile written = source.read(problems);
        check(problems);
        List<ServerBlock> blocks = new ArrayList<>();
        for (ServerBlock block : written.blocks()) {
            List<Token> keys = block.keys().stream()
                    .filter(key -> ZoneKeys.of(key, 53, problems).stream().anyMatch(zone -> zone.transport() == Transport.DNS))
                    .toList();
            List<Directive> directives = block.directives().stream()
                    .filter(directive -> !SET_ASIDE.contains(directive.name().text()))
                    .map(directive -> directive.name().text().equals("kubernetes") ? withCluster(directive, question) : directive)
                    .toList();
            if (!keys.isEmpty()) {
                blocks.add(new ServerBlock(keys, directives));
            }
        }
        check(problems);
        return new Configuration(new Corefile(blocks, written.words()), written, question.config() == null);
    }

    static void check(Problems problems) throws ExplainFailure {
        if (problems.hasErrors()) {
            throw ExplainFailure.ofCorefile(problems.all().stream()
                    .filter(problem -> problem.severity() == Problem.Severity.ERROR)
                    .map(Problem::toString)
                    .collect(Collectors.joining("\n")));
        }
    }

    /** The directive with the cluster of the command line in place of its own. */
    private static Directive withCluster(Directive directive, Question question) {
        if (question.kubeconfig() == null && question.manifests().isEmpty()) {
            return directive;
        }
        Position at = directive.name().at();
        List<Directive> lines = new ArrayList<>(directive.block());
        lines.removeIf(line -> CLUSTER_LINES.contains(line.name().text()));
        List<Path> paths = question.kubeconfig() == null ? question.manifests() : List.of(question.kubeconfig());
        List<Token> words = paths.stream().map(path -> new Token(path.toAbsolutePath().toString(), at)).toList();
        lines.add(new Directive(new Token(question.kubeconfig() == null ? "manifests" : "kubeconfig", at), words, List.of(), false));
        return new Directive(directive.name(), directive.args(), lines, true);
    }

    /** What the block at a place has beside that. */
    Set<String> setAside(Position at) {
        Set<String> names = new TreeSet<>();
        blockAt(at).forEach(directive -> names.add(directive.name().text()));
        names.retainAll(SET_ASIDE);
        return names;
    }

    /** Where a block names a plugin first; the block itself if it does not. */
    Position at(Position block, String plugin) {
        return blockAt(block).stream()
                .filter(directive -> directive.name().text().equals(plugin))
                .map(directive -> directive.name().at())
                .findFirst()
                .orElse(block);
    }

    private List<Directive> blockAt(Position at) {
        return written.blocks().stream()
                .filter(block -> block.keys().stream().anyMatch(key -> key.at().equals(at)))
                .flatMap(block -> block.directives().stream())
                .toList();
    }
}
