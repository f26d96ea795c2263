package dev.cairn.plugin.kubernetes;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Plugin;
import dev.cairn.chain.Step;
import dev.cairn.cluster.ClusterSource;
import dev.cairn.cluster.WatchScope;
import dev.cairn.cluster.api.ApiObserver;
import dev.cairn.cluster.origin.ClusterOrigin;
import dev.cairn.plugin.ClusterFollower;
import dev.cairn.plugin.ClusterHolder;
import dev.cairn.plugin.MetadataProvider;
import dev.cairn.plugin.MetadataValue;
import dev.cairn.plugin.SearchPaths;
import dev.cairn.plugin.ZoneContent;
import dev.cairn.plugin.ZoneSource;
import dev.cairn.plugin.ZoneValues;
import dev.cairn.plugin.kubernetes.KubernetesSettings.PodMode;
import dev.cairn.wire.Answer;
import dev.cairn.wire.Answer.Part;
import dev.cairn.wire.Answer.Section;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.HeaderFlag;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.Rcode;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;
import dev.cairn.zone.ClusterZone;
import dev.cairn.zone.NameEntry;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Answers for the zones of a cluster. */
public final class KubernetesPlugin implements Plugin, MetadataProvider, ClusterHolder, ZoneSource, SearchPaths {
    private static final byte[] SVC = {3, 's', 'v', 'c'};
    private static final byte[] POD = {3, 'p', 'o', 'd'};
    private static final byte[] ZONE = {5, '_', 'z', 'o', 'n', 'e'};
    private static final byte[] PIN = {3, 'p', 'i', 'n'};
    private static final byte[] PREFER = {6, 'p', 'r', 'e', 'f', 'e', 'r'};

    /** More records than this may be more than the smallest client takes. */
    private static final int MAY_NOT_FIT = 4;

    /** How many external names may lead one to the next. */
    private static final int MAX_ALIASES = 10;

    private final KubernetesSettings settings;
    private final ClusterOrigin source;
    private final WatchScope scope;
    /** Positions in {@link Served#zones}. */
    private final ZoneValues<Integer> zones;
    private final WireName[] fallthrough;
    private final PodNames pods;
    private final ClientSearch[] searches;
    private final KubernetesMetadata metadata;
    private final List<ClusterFollower> followers = new ArrayList<>();
    private volatile @Nullable Served served;

    KubernetesPlugin(KubernetesSettings settings, ClusterOrigin source, WatchScope scope) {
        this.settings = settings;
        this.source = source;
        this.scope = scope;
        List<Integer> positions = IntStream.range(0, settings.zones().size()).boxed().toList();
        this.zones = ZoneValues.longest(positions, settings.zones()::get);
        this.fallthrough = settings.fallthrough().toArray(WireName[]::new);
        this.pods = new PodNames(settings.pods(), settings.ttl());
        this.searches = settings.zones().stream().map(ClientSearch::new).toArray(ClientSearch[]::new);
        this.metadata = new KubernetesMetadata(settings, () -> served);
    }

    @Override
    public String name() {
        return "kubernetes";
    }

    @Override
    public @Nullable MetadataValue metadata(String label) {
        return metadata.of(label);
    }

    /** Puts a cluster behind the plugin, null to take it away. */
    void serve(@Nullable Served cluster) {
        served = cluster;
        for (ClusterFollower follower : followers) {
            if (cluster == null) {
                follower.leave();
            } else {
                follower.follow(cluster.store(), settings.namespaces(), settings.podNames(), cluster.localAddresses());
            }
        }
    }

    @Override
    public void tell(ClusterFollower follower) {
        followers.add(follower);
    }

    /** What the directive asks for. */
    public KubernetesSettings settings() {
        return settings;
    }

    /** What of the cluster is watched to answer. */
    public WatchScope scope() {
        return scope;
    }

    /** Another source of the same cluster, yet to be started, for who wants to know more of it than the plugin does. */
    public ClusterSource source(WatchScope wanted) {
        return source.open(wanted, ApiObserver.NONE);
    }

    /** Whether the cluster is known. */
    public boolean isReady() {
        Served now = served;
        return now != null && now.store().isSynced();
    }

    @Override
    public boolean knowsSearchPaths() {
        return settings.pods() == PodMode.VERIFIED;
    }

    @Override
    public List<WireName> searchPath(Exchange exchange) {
        Served cluster = served;
        Integer zone = zones.of(exchange.query());
        return cluster == null || zone == null ? List.of() : searches[zone].of(exchange, cluster);
    }

    @Override
    public boolean hasZone(WireName zone) {
        return settings.zones().contains(zone) && !KubernetesSettings.isReverse(zone);
    }

    @Override
    public @Nullable ZoneContent content(WireName zone) {
        Served cluster = served;
        int index = settings.zones().indexOf(zone);
        return cluster == null || !cluster.store().isSynced() || index < 0 ? null : cluster.zones()[index].content(cluster);
    }

    @Override
    public Step query(Exchange exchange) {
        QueryView query = exchange.query();
        Integer index = zones.of(query);
        if (index == null) {
            return Step.NEXT;
        }
        Served cluster = served;
        if (cluster == null || !cluster.store().isSynced()) {
            return unsynced(exchange, cluster, index);
        }
        if (query.type() == DnsType.AXFR || query.type() == DnsType.IXFR) {
            return exchange.refuse(Rcode.REFUSED);
        }
        exchange.answer().set(HeaderFlag.AA);
        ServedZone zone = cluster.zones()[index];
        NameEntry found = zone.names() == null ? reverse(exchange, zone, cluster) : forward(query, zone, zone.names(), cluster);
        return found == null ? unknown(exchange, zone) : answer(exchange, found, zone, cluster);
    }

    /** Not even a name that would fall through is handed on: it may well exist once all is known. */
    private static Step unsynced(Exchange exchange, @Nullable Served cluster, int index) {
        Step step = exchange.fail(Rcode.SERVFAIL, "the cluster is not known yet: waiting for the first sync");
        if (cluster != null) {
            exchange.answer().set(HeaderFlag.AA);
            exchange.answer().add(Section.AUTHORITY, cluster.zones()[index].soa());
        }
        return step;
    }

    private static @Nullable NameEntry reverse(Exchange exchange, ServedZone zone, Served cluster) {
        RrSet pointers = cluster.primary().pointers(exchange.query());
        if (pointers != null && exchange.query().type() == DnsType.PTR) {
            exchange.answer().addForQuestion(pointers);
        }
        boolean exists = pointers != null || exchange.query().is(zone.zone()) || cluster.primary().hasPointersBelow(exchange.query());
        return exists ? NameEntry.EMPTY : null;
    }

    private @Nullable NameEntry forward(QueryView query, ServedZone zone, ClusterZone names, Served cluster) {
        int labels = names.relativeLabels(query);
        if (labels == 0) {
            return NameEntry.EMPTY;
        }
        boolean svc = labelIs(query, labels - 1, SVC);
        if (!svc && !labelIs(query, labels - 1, POD)) {
            return zone.special(query, cluster);
        }
        if (labels == 1) {
            return NameEntry.EMPTY;
        }
        if (!svc && settings.pods() == PodMode.DISABLED) {
            return null;
        }
        if (labels == 2) {
            return names.hasNamespace(query) ? NameEntry.EMPTY : null;
        }
        if (!svc) {
            return labels == 3 && names.hasNamespace(query) ? pods.find(query, cluster.store()) : null;
        }
        if (settings.zonal() && labels > 3 && !names.options().imported() && labelIs(query, labels - 4, ZONE)) {
            return zonal(query, names, labels);
        }
        return names.find(query, query.type());
    }

    private static @Nullable NameEntry zonal(QueryView query, ClusterZone names, int labels) {
        boolean prefer = labels > 4 && labelIs(query, labels - 5, PREFER);
        if (labels > 4 && !prefer && !labelIs(query, labels - 5, PIN)) {
            return null;
        }
        if (labels <= 5) {
            return names.hasZonal(query) ? NameEntry.EMPTY : null;   // there are names below it (RFC 8020)
        }
        StringBuilder topologyZone = new StringBuilder();
        for (int i = 0; i < labels - 5; i++) {
            int at = query.labelAt(i);
            topologyZone.append(i == 0 ? "" : ".").append(new String(query.name(), at + 1, query.name()[at], StandardCharsets.ISO_8859_1));
        }
        return names.findZonal(query, topologyZone.toString(), prefer);
    }

    private static boolean labelIs(QueryView query, int label, byte[] text) {
        int at = query.labelAt(label);
        byte[] name = query.name();
        for (int i = 0; i < text.length; i++) {
            if (name[at + i] != text[i]) {
                return false;
            }
        }
        return true;
    }

    private Step unknown(Exchange exchange, ServedZone zone) {
        if (exchange.query().isWithinAny(fallthrough)) {
            exchange.answer().clear(HeaderFlag.AA);
            return Step.NEXT;
        }
        exchange.answer().rcode(Rcode.NXDOMAIN);
        exchange.answer().add(Section.AUTHORITY, zone.soa());
        return Step.ANSWERED;
    }

    private Step answer(Exchange exchange, NameEntry found, ServedZone zone, Served cluster) {
        int type = exchange.query().type();
        RrSet alias = found.alias();
        if (alias != null && (type == DnsType.A || type == DnsType.AAAA)) {
            return chase(exchange, alias, zone);
        }
        RrSet records = found.records(type);
        if (records != null) {
            Part part = exchange.answer().addForQuestion(records);
            if (records.count() > MAY_NOT_FIT) {
                // Cut short, the answer shall not give every client the same few endpoints.
                part.rotate(ThreadLocalRandom.current().nextInt(records.count()));
            }
            if (type == DnsType.SRV) {
                List<RrSet> addresses = found.additional();
                for (int i = 0; i < addresses.size(); i++) {   // an iterator would be garbage
                    exchange.answer().add(Section.ADDITIONAL, addresses.get(i));
                }
            }
        } else if (!zone.addOwn(exchange, cluster) && !exchange.answer().has(Section.ANSWER)) {
            exchange.answer().add(Section.AUTHORITY, zone.soa());
        }
        return Step.ANSWERED;
    }

    /** Follows an external name through the whole server, so that other blocks and plugins have their say. */
    private static Step chase(Exchange exchange, RrSet alias, ServedZone zone) {
        WireName target = WireName.of(alias.data(0), 0, alias.data(0).length);
        if (exchange.query().is(target) || exchange.depth() >= MAX_ALIASES) {
            return exchange.fail(Rcode.SERVFAIL, "the external names of " + exchange.query().nameText() + " go in circles");
        }
        return exchange.ask(target, exchange.query().type(), inner -> take(exchange, alias, inner, target, zone));
    }

    private static void take(Exchange exchange, RrSet alias, Exchange inner, WireName target, ServedZone zone) {
        Answer found = inner.answer();
        if (inner.answeredBy() instanceof KubernetesPlugin && found.rcode() == Rcode.SERVFAIL) {
            String why = inner.error();
            exchange.fail(Rcode.SERVFAIL, why == null ? "the external name of " + exchange.query().nameText() + " failed" : why);
            return;
        }
        Answer answer = exchange.answer();
        boolean any = found.has(Section.ANSWER);
        // The code is that of the last name in the chain (RFC 6604 section 3). One that nobody here serves is the client's to look up.
        boolean told = found.rcode() == Rcode.NXDOMAIN || found.rcode() == Rcode.SERVFAIL || found.rcode() == Rcode.YXDOMAIN;
        if (!any && target.isWithin(zone.zone()) && found.rcode() != Rcode.SERVFAIL) {
            answer.add(Section.AUTHORITY, zone.soa());
            return;
        }
        answer.rcode(told ? found.rcode() : Rcode.NOERROR);
        answer.set(found.flags() & HeaderFlag.TC);
        answer.addForQuestion(alias);
        answer.addAll(Section.ANSWER, found, target);
        if (found.rcode() == Rcode.NXDOMAIN || (found.rcode() == Rcode.NOERROR && !any)) {
            answer.addAll(Section.AUTHORITY, found, target);
        }
    }
}
