package dev.cairn.check;

import dev.cairn.corefile.Corefile;
import dev.cairn.corefile.Directive;
import dev.cairn.corefile.Problems;
import dev.cairn.corefile.ServerBlock;
import dev.cairn.corefile.Token;
import dev.cairn.corefile.ZoneKey;
import dev.cairn.corefile.ZoneKeys;
import dev.cairn.server.PluginList;
import dev.cairn.wire.WireName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Warnings for what is legal but surely not meant. Works on directives alone, so also for plugins that are not here yet. */
final class Lint {
    /** Plugins that answer queries themselves; a block without any of them can only fail. */
    private static final Set<String> ANSWERING = Set.of("acl", "any", "auto", "azure", "chaos", "clouddns", "dynupdate", "erratic", "etcd", "file",
            "forward", "grpc", "hosts", "k8s_external", "kubernetes", "local", "nomad", "rewrite", "route53", "secondary", "template", "whoami");

    /** Plugins that keep every name of their zones to themselves unless told to fall through. */
    private static final Set<String> KEEPING = Set.of("hosts", "kubernetes", "k8s_external", "file", "auto", "secondary", "etcd", "forward", "grpc",
            "whoami", "erratic");

    private static final Set<String> OWN_NAMES = Set.of("localhost", "127.0.0.1", "[::1]", "::1", "0.0.0.0", "[::]");

    private final ServerBlock block;
    private final List<ZoneKey> keys = new ArrayList<>();
    private final Problems problems;

    private Lint(ServerBlock block, int defaultPort, Problems problems) {
        this.block = block;
        this.problems = problems;
        block.keys().forEach(key -> keys.addAll(ZoneKeys.of(key, defaultPort, new Problems())));
    }

    static void lint(Corefile corefile, int defaultPort, Problems problems) {
        for (ServerBlock block : corefile.blocks()) {
            Lint lint = new Lint(block, defaultPort, problems);
            lint.nothingAnswers();
            lint.forwardToItself();
            lint.zonesOutsideTheBlock();
            lint.neverReached();
        }
    }

    private void nothingAnswers() {
        if (block.directives().stream().noneMatch(directive -> ANSWERING.contains(directive.name().text()))) {
            problems.warning(block.at(), "nothing in this block answers: every query gets SERVFAIL; add forward, hosts, kubernetes or another");
        }
    }

    private void forwardToItself() {
        Set<String> bound = new HashSet<>(OWN_NAMES);
        block.uses("bind").forEach(bind -> bind.args().forEach(arg -> bound.add(arg.text())));
        for (Directive forward : block.uses("forward")) {
            for (Token upstream : forward.args().stream().skip(1).toList()) {
                if (keys.stream().anyMatch(key -> isOwn(upstream.text(), key.port(), bound))) {
                    problems.warning(upstream.at(), "forward to " + upstream.text() + " is this server itself: queries would go in circles;"
                            + " name another upstream");
                }
            }
        }
    }

    private static boolean isOwn(String upstream, int port, Set<String> ownHosts) {
        String address = upstream.substring(upstream.indexOf("://") < 0 ? 0 : upstream.indexOf("://") + 3);
        int colon = address.lastIndexOf(':');
        boolean hasPort = colon > 0 && (address.indexOf(':') == colon || (address.startsWith("[") && address.charAt(colon - 1) == ']'));
        String host = hasPort ? address.substring(0, colon) : address;
        String upstreamPort = hasPort ? address.substring(colon + 1) : "53";
        return ownHosts.contains(host) && upstreamPort.equals(Integer.toString(port));
    }

    /** A plugin's zones must meet the block's, or no query of the block is ever its own. */
    private void zonesOutsideTheBlock() {
        for (Directive directive : block.directives()) {
            if (KEEPING.contains(directive.name().text()) && !keys.isEmpty()) {
                List<WireName> zones = zonesOf(directive);
                if (!zones.isEmpty() && zones.stream().noneMatch(this::meetsBlock)) {
                    problems.warning(directive.name().at(), directive.name().text() + " is for " + zones.getFirst() + ", which this block does not"
                            + " serve: it is never reached; move it to a block for that zone");
                }
            }
        }
    }

    private boolean meetsBlock(WireName zone) {
        return blockZones().stream().anyMatch(own -> zone.isWithin(own) || own.isWithin(zone));
    }

    private void neverReached() {
        Directive keeper = null;
        for (String name : PluginList.names()) {
            for (Directive directive : block.uses(name)) {
                if (keeper != null && KEEPING.contains(name) && !name.equals(keeper.name().text())) {
                    problems.warning(directive.name().at(), name + " is never reached: " + keeper.name().text() + " at " + keeper.name().at()
                            + " comes before it, whatever the order in the file, and keeps every name of the block;"
                            + (keeper.name().text().equals("forward") ? " remove one of them" : " give it 'fallthrough'"));
                }
                keeper = keeper == null && keepsAll(directive) ? directive : keeper;
            }
        }
    }

    private boolean keepsAll(Directive directive) {
        String name = directive.name().text();
        if (!KEEPING.contains(name) || directive.block().stream().anyMatch(line -> Set.of("fallthrough", "except", "next").contains(line.name().text()))) {
            return false;
        }
        List<WireName> zones = zonesOf(directive);
        return blockZones().stream().allMatch(own -> zones.stream().anyMatch(own::isWithin));
    }

    /** The zones a plugin answers for: those it names, else the block's. */
    private List<WireName> zonesOf(Directive directive) {
        List<Token> args = directive.args();
        List<Token> named = switch (directive.name().text()) {
            case "kubernetes", "k8s_external", "secondary", "etcd" -> args;
            case "hosts" -> args.subList(Math.min(1, args.size()), args.size());
            case "file" -> args.subList(Math.min(1, args.size()), args.size());
            case "auto" -> args;
            case "forward", "grpc" -> args.subList(0, Math.min(1, args.size()));
            default -> List.of();
        };
        List<WireName> zones = parse(named);
        return zones.isEmpty() ? blockZones() : zones;
    }

    private List<WireName> blockZones() {
        return keys.stream().map(key -> WireName.parse(key.zone())).distinct().toList();
    }

    private static List<WireName> parse(List<Token> zones) {
        List<WireName> names = new ArrayList<>();
        for (Token zone : zones) {
            ZoneKeys.zones(zone, new Problems()).forEach(name -> names.add(WireName.parse(name)));
        }
        return names;
    }
}
