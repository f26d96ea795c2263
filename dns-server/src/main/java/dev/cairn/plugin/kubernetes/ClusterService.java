package dev.cairn.plugin.kubernetes;

import dev.cairn.cluster.WatchScope;
import dev.cairn.cluster.origin.ClusterOrigin;
import dev.cairn.facts.Address;
import dev.cairn.facts.Resource;
import dev.cairn.log.Log;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.SearchList;
import dev.cairn.wire.WireName;
import dev.cairn.zone.ClusterStore;
import dev.cairn.zone.ZoneOptions;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Connects the plugin with a store while its instance is in service. */
final class ClusterService {
    private static final Log LOG = Log.plugin("kubernetes");
    /** How long it takes at most, if all is well, until the cluster is known after a start. */
    private static final Duration STARTUP = Duration.ofSeconds(5);
    /** The same in a reload, in which another configuration serves meanwhile. */
    private static final Duration RELOAD = Duration.ofSeconds(10);
    /** How soon the end of the process is noticed meanwhile. */
    private static final Duration LOOK = Duration.ofMillis(100);

    private final Block block;
    private final KubernetesSettings settings;
    private final ClusterOrigin source;
    private final WatchScope scope;
    private final KubernetesPlugin plugin;
    private final Duration startupTimeout;
    private final Duration reloadTimeout;
    private final List<ClusterStore.View> views = new ArrayList<>();
    private ClusterStores.@Nullable Lease lease;

    /** @param timeout how long to wait for the cluster; null if the user does not say */
    ClusterService(Block block, KubernetesSettings settings, ClusterOrigin source, WatchScope scope, KubernetesPlugin plugin,
            @Nullable Duration timeout) {
        this.block = block;
        this.settings = settings;
        this.source = source;
        this.scope = scope;
        this.plugin = plugin;
        this.startupTimeout = timeout == null ? STARTUP : timeout;
        this.reloadTimeout = timeout == null ? RELOAD : timeout;
    }

    void start() throws IOException {
        SourceMetrics metrics = block.host().process().get(SourceMetrics.class, () -> new SourceMetrics(block.host().metrics()));
        ClusterStores stores = block.host().process().get(ClusterStores.class, ClusterStores::new);
        ClusterSharing sharing = block.host().process().get(ClusterSharing.class, () -> ClusterSharing.NONE);
        ClusterStores.User user = new ClusterStores.User(block.host(), settings.primary());
        lease = stores.acquire(List.of(source, scope), user, () -> new ClusterStore(wanted(), () -> Instant.now().getEpochSecond()),
                () -> sharing.open(source, scope, metrics::open),
                (made, from) -> new FirstSync(metrics.metered(made), wanted(), from::place, System::nanoTime));
        ClusterStore store = lease.store();
        if (lease.isBehindAnother()) {
            awaitSynced(store);
        }
        ServedZone[] zones = new ServedZone[settings.zones().size()];
        ClusterStore.View primary = null;
        for (int i = 0; i < zones.length; i++) {
            WireName zone = settings.zones().get(i);
            ClusterStore.View view = null;
            if (!KubernetesSettings.isReverse(zone)) {
                view = store.attach(options(zone), zone.equals(settings.primary()));
                views.add(view);
                primary = zone.equals(settings.primary()) ? view : primary;
            }
            zones[i] = new ServedZone(zone, settings.ttl(), store, view);
        }
        if (primary != null) {
            plugin.serve(new Served(store, zones, primary, localAddresses(), nodeSearch()));
        }
        block.host().scheduler().schedule(this::warnIfNotSynced, startupTimeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** The configuration before this one goes on serving meanwhile, and for good if this one's cluster cannot be read. */
    private void awaitSynced(ClusterStore store) throws IOException {
        long begun = System.nanoTime();
        try {
            while (!store.awaitSynced(LOOK)) {
                if (block.host().reloading().isStopping()) {
                    throw new IOException("kubernetes: the server stops");
                }
                if (System.nanoTime() - begun > reloadTimeout.toNanos()) {
                    throw new IOException("kubernetes: the cluster of " + settings.primary() + " was not known after " + reloadTimeout.toSeconds()
                            + " s as it is to be read now; if it only takes longer, set startup_timeout");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    private void warnIfNotSynced() {
        if (lease != null && !plugin.isReady()) {
            LOG.warning("not synced after " + startupTimeout.toSeconds() + " s: queries for " + settings.primary()
                    + " get SERVFAIL until the cluster is known");
        }
    }

    private ZoneOptions options(WireName zone) {
        return new ZoneOptions(zone, settings.ttl(), settings.namespaces(), settings.podNames(), settings.emptyServices(),
                settings.imported().contains(zone));
    }

    private Set<Resource> wanted() {
        Set<Resource> wanted = EnumSet.of(Resource.NAMESPACES, Resource.SERVICES);
        if (scope.slices()) {
            wanted.add(Resource.SLICES);
        }
        if (scope.pods()) {
            wanted.add(Resource.PODS);
        }
        if (scope.imports()) {
            wanted.add(Resource.IMPORTS);
        }
        return wanted;
    }

    /** The addresses this block listens on, but for loopback. */
    private Set<Address> localAddresses() throws IOException {
        Set<Address> addresses = new LinkedHashSet<>();
        for (String host : block.listenHosts()) {
            for (InetAddress address : host.isEmpty() ? ofThisMachine() : List.of(InetAddress.getByName(host))) {
                if (!address.isLoopbackAddress() && !address.isLinkLocalAddress()) {
                    addresses.add(Address.of(address.getAddress()));
                }
            }
        }
        return addresses;
    }

    /** Without streams, whose lambdas a start would have to make: the AOT cache comes from a run that listens on one address alone. */
    private static List<InetAddress> ofThisMachine() throws IOException {
        List<InetAddress> addresses = new ArrayList<>();
        for (NetworkInterface each : Collections.list(NetworkInterface.getNetworkInterfaces())) {
            addresses.addAll(Collections.list(each.getInetAddresses()));
        }
        return addresses;
    }

    /** A pod with the cluster's DNS policy has the search list of its node after its own; this server's file has it, too. */
    private static List<WireName> nodeSearch() {
        try {
            return SearchList.read(Path.of("/etc/resolv.conf"));
        } catch (IOException e) {
            return List.of(); // as CoreDNS has it: a container need not have the file
        }
    }

    void stop() {
        plugin.serve(null);
        views.forEach(ClusterStore.View::close);
        views.clear();
        if (lease != null) {
            lease.close();
            lease = null;
        }
    }
}
