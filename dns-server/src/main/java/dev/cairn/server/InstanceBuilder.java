package dev.cairn.server;

import dev.cairn.chain.Chain;
import dev.cairn.chain.FinishHook;
import dev.cairn.chain.Route;
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
import dev.cairn.wire.WireName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Turns a Corefile into an {@link Instance}: runs the set-up of every plugin in every block and sorts the zones by server address. */
public final class InstanceBuilder {
    private final Host host;
    private final int defaultPort;
    private final Problems problems;
    private final Shared shared = new Shared();
    private final List<Block> blocks = new ArrayList<>();
    private final Map<ListenAddress, SiteBuilder> sites = new LinkedHashMap<>();
    private int routes;

    private InstanceBuilder(Host host, int defaultPort, Problems problems) {
        this.host = host;
        this.defaultPort = defaultPort;
        this.problems = problems;
    }

    /** Builds what can be built; use the result only if {@code problems} has no errors. Nothing is opened yet. */
    public static Instance build(Corefile corefile, Host host, int defaultPort, Problems problems) {
        InstanceBuilder builder = new InstanceBuilder(host, defaultPort, problems);
        ZoneKeys.reportDuplicates(corefile.blocks(), defaultPort, problems);
        corefile.blocks().forEach(builder::add);
        Map<ListenAddress, Instance.Site> sites = new LinkedHashMap<>();
        builder.reportOverlaps();
        builder.sites.forEach((address, site) -> sites.put(address, site.build(address, builder.routes++)));
        return new Instance(List.copyOf(builder.blocks), sites, corefile.digest());
    }

    private void add(ServerBlock source) {
        List<ZoneKey> keys = new ArrayList<>();
        for (Token key : source.keys()) {
            List<ZoneKey> parsed = ZoneKeys.of(key, defaultPort, problems);
            if (parsed.stream().anyMatch(zone -> zone.transport() != Transport.DNS)) {
                problems.error(key.at(), "'" + key.text() + "': only dns:// is served so far; write dns://ZONE[:PORT] or leave the scheme out");
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
        for (PluginSetup setup : PluginList.inOrder()) {
            List<Directive> uses = directives.get(setup.name());
            block.settingUp(place++);
            if (uses != null) {
                setup.setup(Use.of(uses, problems), block);
            }
        }
        blocks.add(block);
        if (!problems.hasErrors()) {
            route(block);
        }
    }

    private void route(Block block) {
        Chain chain = new Chain(block.plugins());
        for (ZoneKey key : block.keys()) {
            for (String listenHost : block.listenHosts()) {
                ListenAddress address = new ListenAddress(key.transport(), listenHost, key.port());
                sites.computeIfAbsent(address, _ -> new SiteBuilder(block.at())).add(block, key.zone(), address, chain, routes++);
            }
        }
    }

    /** A port can be listened on either at all addresses or at some. */
    private void reportOverlaps() {
        sites.forEach((all, site) -> {
            for (ListenAddress other : sites.keySet()) {
                boolean samePort = all.transport() == other.transport() && all.port() == other.port() && all.port() != 0;
                if (samePort && all.isWildcard() && !other.equals(all)) {
                    problems.error(site.at, "this block listens on all addresses of port " + all.port() + " and another on " + other.label()
                            + ": give every block of the port a bind with addresses of its own, or none");
                }
            }
        });
    }

    /** Gathers the blocks that share an address. */
    private static final class SiteBuilder {
        private final Position at;
        private final List<Route> routes = new ArrayList<>();
        private final Map<String, FinishHook> unroutedHooks = new LinkedHashMap<>();
        private final List<String> zones = new ArrayList<>();
        private ListenSettings settings = ListenSettings.DEFAULT;

        /** @param at where the first of them begins */
        SiteBuilder(Position at) {
            this.at = at;
        }

        void add(Block block, String zone, ListenAddress address, Chain chain, int id) {
            Route route = new Route(address.label(), WireName.parse(zone), "", id, block.stackTraces(), chain);
            routes.add(route);
            block.routed(route);
            zones.add(zone);
            block.unroutedHooks().forEach(hook -> unroutedHooks.putIfAbsent(hook.name(), hook));
            settings = block.listenSettings().over(settings);
        }

        Instance.Site build(ListenAddress address, int id) {
            Route unrouted = new Route(address.label(), WireName.ROOT, "", id, true, new Chain(List.copyOf(unroutedHooks.values())));
            return new Instance.Site(new Router(routes, unrouted), settings, List.copyOf(zones));
        }
    }
}
