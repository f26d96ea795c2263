package dev.cairn.server;

import dev.cairn.chain.Chain;
import dev.cairn.chain.FinishHook;
import dev.cairn.chain.Route;
import dev.cairn.chain.RouteFilter;
import dev.cairn.chain.Router;
import dev.cairn.corefile.Corefile;
import dev.cairn.corefile.Directive;
import dev.cairn.corefile.Position;
import dev.cairn.corefile.Problems;
import dev.cairn.corefile.ServerBlock;
import dev.cairn.corefile.Token;
import dev.cairn.corefile.Transport;
import dev.cairn.corefile.Use;
import dev.cairn.corefile.ZoneKey;
import dev.cairn.corefile.ZoneKeys;
import dev.cairn.listen.ListenAddress;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.Host;
import dev.cairn.plugin.ListenSettings;
import dev.cairn.plugin.PluginSetup;
import dev.cairn.plugin.Shared;
import dev.cairn.tls.TlsFiles;
import dev.cairn.wire.WireName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Turns a Corefile into an {@link Instance}: runs the set-up of every plugin in every block and sorts the zones by server address. */
public final class InstanceBuilder {
    private final Host host;
    private final int defaultPort;
    private final Problems problems;
    private final List<PluginSetup> plugins;
    private final Shared shared = new Shared();
    private final List<Block> blocks = new ArrayList<>();
    private final Map<ListenAddress, SiteBuilder> sites = new LinkedHashMap<>();
    private int routes;

    private InstanceBuilder(Host host, int defaultPort, Problems problems, List<PluginSetup> plugins) {
        this.host = host;
        this.defaultPort = defaultPort;
        this.problems = problems;
        this.plugins = plugins;
    }

    /** Builds what can be built; use the result only if {@code problems} has no errors. Nothing is opened yet. */
    public static Instance build(Corefile corefile, Host host, int defaultPort, Problems problems) {
        return build(corefile, host, defaultPort, problems, PluginList.inOrder());
    }

    static Instance build(Corefile corefile, Host host, int defaultPort, Problems problems, List<PluginSetup> plugins) {
        InstanceBuilder builder = new InstanceBuilder(host, defaultPort, problems, plugins);
        ZoneKeys.reportDuplicates(corefile.blocks(), defaultPort, problems);
        corefile.blocks().forEach(builder::add);
        Map<ListenAddress, Instance.Site> sites = new LinkedHashMap<>();
        builder.reportOverlaps();
        builder.sites.forEach((address, site) -> sites.put(address, site.build(address, builder.routes++)));
        return new Instance(List.copyOf(builder.blocks), sites);
    }

    private void add(ServerBlock source) {
        List<ZoneKey> keys = new ArrayList<>();
        for (Token key : source.keys()) {
            List<ZoneKey> parsed = ZoneKeys.of(key, defaultPort, problems);
            if (parsed.stream().anyMatch(zone -> zone.transport() == Transport.GRPC || zone.transport() == Transport.HTTPS3)) {
                problems.error(key.at(), "'" + key.text()
                        + "': DNS over gRPC and over HTTP/3 are not served; write dns://, tls://, https:// or"
                        + " quic://ZONE[:PORT]");
            }
            keys.addAll(parsed);
        }
        Block block = new Block(host, shared, source.at(), keys);
        Map<String, List<Directive>> directives = new TreeMap<>();
        for (Directive directive : source.directives()) {
            if (PluginList.check(directive.name(), problems)) {
                directives.computeIfAbsent(directive.name().text(), _ -> new ArrayList<>()).add(directive);
            }
        }
        int place = 0;
        for (PluginSetup setup : plugins) {
            List<Directive> uses = directives.get(setup.name());
            block.settingUp(place++);
            if (uses != null) {
                setUp(setup, uses, block);
            }
        }
        blocks.add(block);
        if (!problems.hasErrors()) {
            route(block);
        }
    }

    /** A defect in a plugin's set-up is told with the line that meets it, so that the user can go around it. */
    private void setUp(PluginSetup setup, List<Directive> uses, Block block) {
        try {
            setup.setup(Use.of(uses, problems), block);
        } catch (RuntimeException e) {
            problems.error(uses.getFirst().name().at(), "'" + setup.name() + "' meets " + Defect.sentence(e));
        }
    }

    private void route(Block block) {
        Chain chain = new Chain(block.plugins());
        for (ZoneKey key : block.keys()) {
            for (String listenHost : block.listenHosts()) {
                ListenAddress address = new ListenAddress(key.transport(), listenHost, key.port());
                SiteBuilder site = sites.computeIfAbsent(address, _ -> new SiteBuilder(block.at()));
                reportIdentity(site, block, address);
                site.add(block, key.zone(), address, chain, routes++);
            }
        }
    }

    /** A connection is encrypted before its first query tells the zone, so all blocks of an address must agree on how. */
    private void reportIdentity(SiteBuilder site, Block block, ListenAddress address) {
        TlsFiles tls = block.listenSettings().tls();
        if (address.transport() == Transport.QUIC && tls == null) {
            problems.error(block.at(), "quic:// needs a certificate; add 'tls CERT KEY' to the block");
        } else if (address.transport() == Transport.TLS && tls == null) {
            problems.warning(block.at(), "tls:// without the tls plugin is served in the clear; add 'tls CERT KEY' to the block");
        }
        TlsFiles first = site.settings.tls();
        boolean same = (first == null || tls == null) ? first == tls : first.names().equals(tls.names());
        if (address.transport() != Transport.DNS && !site.routes.isEmpty() && !same) {
            problems.error(block.at(), "this block and that at " + site.at + " share " + address.label()
                    + " but not their tls line; write the"
                    + " same in both, or give one another port");
        }
    }

    /** A port can be listened on either at all addresses or at some, and by one transport. */
    private void reportOverlaps() {
        sites.forEach((all, site) -> {
            for (ListenAddress other : sites.keySet()) {
                boolean samePort = all.port() == other.port() && all.port() != 0 && !other.equals(all);
                if (samePort && all.transport() == other.transport() && all.isWildcard()) {
                    problems.error(site.at, "this block listens on all addresses of port " + all.port() + " and another on " + other.label()
                            + ": give every block of the port a bind with addresses of its own, or none");
                } else if (samePort && all.collidesWith(other) && all.transport().compareTo(other.transport()) < 0) {
                    problems.error(site.at, all.label() + " and " + other.label() + " are the same port: choose another for one of them");
                }
            }
        });
    }

    /** Gathers the blocks that share an address. */
    private static final class SiteBuilder {
        private final Position at;
        private final List<Route> routes = new ArrayList<>();
        private final Map<Integer, RouteFilter> filters = new HashMap<>();
        private final Map<String, FinishHook> unroutedHooks = new LinkedHashMap<>();
        private final List<String> zones = new ArrayList<>();
        private ListenSettings settings = ListenSettings.DEFAULT;

        /** @param at where the first of them begins */
        SiteBuilder(Position at) {
            this.at = at;
        }

        void add(Block block, String zone, ListenAddress address, Chain chain, int id) {
            Route route = new Route(address.label(), WireName.parse(zone), block.view(), id, block.stackTraces(), chain);
            routes.add(route);
            if (block.filter() != null) {
                filters.put(id, block.filter());
            }
            block.routed(route);
            zones.add(zone);
            block.unroutedHooks().forEach(hook -> unroutedHooks.putIfAbsent(hook.name(), hook));
            settings = block.listenSettings().over(settings);
        }

        Instance.Site build(ListenAddress address, int id) {
            Route unrouted = new Route(address.label(), WireName.ROOT, "", id, true, new Chain(List.copyOf(unroutedHooks.values())));
            return new Instance.Site(new Router(routes, filters, unrouted), settings, List.copyOf(zones));
        }
    }
}
