package dev.cairn.plugin;

import dev.cairn.chain.FinishHook;
import dev.cairn.chain.Plugin;
import dev.cairn.chain.Route;
import dev.cairn.chain.RouteFilter;
import dev.cairn.corefile.Position;
import dev.cairn.corefile.ZoneKey;
import dev.cairn.wire.WireName;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One server block while it is set up; owned by the thread that does so. Plugins add themselves and their hooks, or change how to listen. */
public final class Block {
    private final Host host;
    private final Shared shared;
    private final Position at;
    private final List<ZoneKey> keys;
    private final List<Plugin> plugins = new ArrayList<>();
    private final List<StartHook> startHooks = new ArrayList<>();
    private final List<Runnable> stopHooks = new ArrayList<>();
    private final List<ShutdownHook> shutdownHooks = new ArrayList<>();
    private final List<FinishHook> unroutedHooks = new ArrayList<>();
    private final List<Route> routes = new ArrayList<>();
    private final Map<String, Readiness> readiness = new LinkedHashMap<>();
    private List<WireName> metadataZones = List.of();
    private List<String> listenHosts = List.of("");
    private ListenSettings listenSettings = ListenSettings.DEFAULT;
    private Path root = Path.of("");
    private boolean debug;
    private boolean stackTraces;
    private int rank;
    private String view = "";
    private @Nullable RouteFilter filter;

    /** @param shared the same for all blocks of a configuration */
    public Block(Host host, Shared shared, Position at, List<ZoneKey> keys) {
        this.host = host;
        this.shared = shared;
        this.at = at;
        this.keys = List.copyOf(keys);
    }

    public Host host() {
        return host;
    }

    /** The plugin's object that all blocks of this configuration have in common; {@code first} makes it for the first that asks. */
    public <T> T shared(Class<T> type, Supplier<T> first) {
        return shared.get(type, first);
    }

    /** Says which plugin, by its place in the order, is set up next. */
    public void settingUp(int place) {
        rank = place;
    }

    /** Where the block starts in the configuration. */
    public Position at() {
        return at;
    }

    public List<ZoneKey> keys() {
        return keys;
    }

    /** The zones of the block's keys. */
    public List<WireName> zones() {
        return keys.stream().map(key -> WireName.parse(key.zone())).distinct().toList();
    }

    /** Zones named in a directive, or the block's own if it named none. */
    public List<WireName> zonesOr(List<String> named) {
        return named.isEmpty() ? zones() : named.stream().map(WireName::parse).toList();
    }

    /** Puts a plugin below those added before. */
    public void add(Plugin plugin) {
        plugins.add(plugin);
    }

    public List<Plugin> plugins() {
        return List.copyOf(plugins);
    }

    /** Runs before the instance goes into service; if one fails, those that ran are undone by their stop hooks and the instance is given up. */
    public void onStart(StartHook hook) {
        startHooks.add(hook);
    }

    public List<StartHook> startHooks() {
        return List.copyOf(startHooks);
    }

    /** Runs when the instance has left service, replaced or at the end of the process. Must do no harm if the start hook never ran. */
    public void onStop(Runnable hook) {
        stopHooks.add(hook);
    }

    public List<Runnable> stopHooks() {
        return List.copyOf(stopHooks);
    }

    /** Runs when the process is about to end, in plugin order over all blocks, while queries are answered. May take its time. */
    public void onShutdown(Runnable hook) {
        shutdownHooks.add(new ShutdownHook(rank, hook));
    }

    public List<ShutdownHook> shutdownHooks() {
        return List.copyOf(shutdownHooks);
    }

    /** Is told of queries to the block's addresses that reach no chain: malformed, of an unknown zone or class. One hook a plugin and address. */
    public void onUnrouted(FinishHook hook) {
        unroutedHooks.add(hook);
    }

    public List<FinishHook> unroutedHooks() {
        return List.copyOf(unroutedHooks);
    }

    /** Says that the block answers for a zone of a server. */
    public void routed(Route route) {
        routes.add(route);
    }

    /** The zones the block answers for, server by server; known when the instance starts, so ask in a start hook. */
    public List<Route> routes() {
        return List.copyOf(routes);
    }

    /** Lets the block take only the queries that the filter admits, under the name of a view. */
    public void view(String name, RouteFilter admitted) {
        view = name;
        filter = admitted;
    }

    /** The name of the view the block is for, empty if it is for all. */
    public String view() {
        return view;
    }

    /** Which queries the block takes; null if all. */
    public @Nullable RouteFilter filter() {
        return filter;
    }

    /** Names something that must be ready before the server is. */
    public void readiness(String plugin, Readiness state) {
        readiness.put(plugin, state);
    }

    /** All that was named by the time the instance starts, by plugin; ask in a start hook, not in set-up. */
    public Map<String, Readiness> readiness() {
        return readiness;
    }

    /** Lets plugins ask for {@link #metadata} of queries in these zones. */
    public void metadataZones(List<WireName> zones) {
        metadataZones = List.copyOf(zones);
    }

    /** Whether plugins set up later can be asked for metadata. */
    public boolean hasMetadata() {
        return !metadataZones.isEmpty();
    }

    /**
     * Where to get what a plugin of this block tells under a label; null if none does, or there is no {@code metadata} in the block.
     * Complete when all plugins are set up, so ask in a start hook, and keep the result.
     */
    public @Nullable MetadataValue metadata(String label) {
        WireName[] zones = metadataZones.toArray(WireName[]::new);
        MetadataValue found = null;
        for (Plugin plugin : zones.length == 0 ? List.<Plugin>of() : plugins) {
            MetadataValue value = plugin instanceof MetadataProvider provider ? provider.metadata(label) : null;
            found = value == null ? found : value; // as in CoreDNS the lower plugin has the last word
        }
        MetadataValue value = found;
        return value == null ? null : exchange -> exchange.query().isWithinAny(zones) ? value.of(exchange) : null;
    }

    /** The addresses to listen on; the empty string stands for all. */
    public List<String> listenHosts() {
        return listenHosts;
    }

    public void listenHosts(List<String> hosts) {
        listenHosts = List.copyOf(hosts);
    }

    public ListenSettings listenSettings() {
        return listenSettings;
    }

    public void listenSettings(ListenSettings settings) {
        listenSettings = settings;
    }

    /** Finds a file that a directive names: relative to {@code root} if that was given. */
    public Path file(String name) {
        return root.resolve(name);
    }

    public void root(Path directory) {
        root = directory;
    }

    /** Whether the operator wants to see more than usual. */
    public boolean debug() {
        return debug;
    }

    public void debug(boolean on) {
        debug = on;
    }

    /** Whether the log line of a defect carries its stack trace. */
    public boolean stackTraces() {
        return stackTraces;
    }

    public void stackTraces(boolean on) {
        stackTraces = on;
    }
}
