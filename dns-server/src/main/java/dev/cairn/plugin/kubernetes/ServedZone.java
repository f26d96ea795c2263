package dev.cairn.plugin.kubernetes;

import dev.cairn.chain.Exchange;
import dev.cairn.facts.Address;
import dev.cairn.plugin.ZoneContent;
import dev.cairn.wire.Answer.Section;
import dev.cairn.wire.DnsClass;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.Rdata;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;
import dev.cairn.zone.ClusterStore;
import dev.cairn.zone.ClusterZone;
import dev.cairn.zone.NameEntry;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** One zone of the plugin: its names, if it is not a reverse zone, and what it says of itself. */
final class ServedZone {
    private static final int MAX_SOA_TTL = 300;
    private static final int VERSION_TTL = 28_800;

    private final WireName zone;
    private final int ttl;
    private final ClusterStore store;
    private final ClusterStore.@Nullable View view;
    private final WireName versionName;
    private final WireName nameServerParent;
    private final WireName nameServer;
    private final RrSet version;
    private volatile @Nullable Dated<RrSet> soa;
    private volatile @Nullable Dated<NameServers> nameServers;

    /** A value and the serial it was made at. */
    private record Dated<T>(int serial, T value) {}

    /** The zone's name servers and their addresses. */
    private record NameServers(RrSet names, List<RrSet> addresses, Set<Address> all) {}

    ServedZone(WireName zone, int ttl, ClusterStore store, ClusterStore.@Nullable View view) {
        this.zone = zone;
        this.ttl = ttl;
        this.store = store;
        this.view = view;
        this.versionName = zone.child("dns-version");
        this.nameServerParent = zone.child("dns");
        this.nameServer = zone.child("ns.dns");
        this.version = Rdata.single(versionName, DnsType.TXT, VERSION_TTL, Rdata.txt("1.1.0"));
    }

    WireName zone() {
        return zone;
    }

    /** The names of services; null for a reverse zone. */
    @Nullable ClusterZone names() {
        return view == null ? null : view.zone();
    }

    /** The zone's SOA record as it is now. */
    RrSet soa() {
        int serial = store.serial();
        Dated<RrSet> known = soa;
        if (known == null || known.serial() != serial) {
            byte[] data = Rdata.soa(nameServer, zone.child("hostmaster"), serial, 7200, 1800, 86400, ttl);
            known = new Dated<>(serial, RrSet.of(zone, DnsType.SOA, DnsClass.IN, Math.min(ttl, MAX_SOA_TTL), List.of(data)));
            soa = known;
        }
        return known.value();
    }

    /** Names that are neither services nor pods: the version of the specification, and the default name server. */
    @Nullable NameEntry special(QueryView query, Served cluster) {
        if (query.is(versionName) || query.is(nameServerParent)) {
            return NameEntry.EMPTY;
        }
        if (!query.is(nameServer)) {
            return null;
        }
        return new NameEntry(serverSet(cluster, true), serverSet(cluster, false), null, List.of(), null);
    }

    private @Nullable RrSet serverSet(Served cluster, boolean ipv4) {
        List<byte[]> data = nameServers(cluster).all().stream().filter(address -> address.isIpv4() == ipv4).map(Address::bytes).toList();
        return data.isEmpty() ? null : RrSet.of(nameServer, ipv4 ? DnsType.A : DnsType.AAAA, DnsClass.IN, ttl, data);
    }

    /** Adds what the zone says of itself at its own name or at the version's, if it was asked for; returns whether it was. */
    boolean addOwn(Exchange exchange, Served cluster) {
        QueryView query = exchange.query();
        if (query.type() == DnsType.TXT && query.is(versionName)) {
            exchange.answer().addForQuestion(version);
            return true;
        }
        if (!query.is(zone)) {
            return false;
        }
        if (query.type() == DnsType.SOA) {
            exchange.answer().addForQuestion(soa());
            return true;
        }
        if (query.type() == DnsType.NS) {
            NameServers servers = nameServers(cluster);
            exchange.answer().addForQuestion(servers.names());
            List<RrSet> addresses = servers.addresses();
            for (int i = 0; i < addresses.size(); i++) {
                exchange.answer().add(Section.ADDITIONAL, addresses.get(i));
            }
            return true;
        }
        return false;
    }

    /** The zone for another server; null if it is a reverse zone, which is never whole. */
    @Nullable ZoneContent content(Served cluster) {
        if (view == null) {
            return null;
        }
        NameServers servers = nameServers(cluster);
        List<RrSet> own = new ArrayList<>(List.of(servers.names()));
        // CoreDNS sends these with a TTL of 0 in transfers.
        servers.addresses().forEach(set ->
                own.add(RrSet.of(set.owner(), set.type(), DnsClass.IN, 0, IntStream.range(0, set.count()).mapToObj(set::data).toList())));
        Iterable<RrSet> services = view.services();
        return new ZoneContent(soa(), () ->
                Stream.concat(own.stream(), StreamSupport.stream(services.spliterator(), false)).iterator());
    }

    private NameServers nameServers(Served cluster) {
        int serial = store.serial();
        Dated<NameServers> known = nameServers;
        if (known == null || known.serial() != serial) {
            known = new Dated<>(serial, findNameServers(cluster));
            nameServers = known;
        }
        return known.value();
    }

    /** The services this server stands behind, else the default name with the server's own addresses. */
    private NameServers findNameServers(Served cluster) {
        ClusterStore.View primary = cluster.primary();
        Map<WireName, Set<Address>> known = primary.namesOf(cluster.localAddresses(), (view == null ? primary : view).zone());
        Map<WireName, Set<Address>> servers = known.isEmpty() ? Map.of(nameServer, cluster.localAddresses()) : known;
        Set<Address> all = new LinkedHashSet<>();
        List<RrSet> sets = new ArrayList<>();
        servers.forEach((name, addresses) -> {
            all.addAll(addresses);
            addAddresses(sets, name, addresses, true);
            addAddresses(sets, name, addresses, false);
        });
        RrSet names = RrSet.of(zone, DnsType.NS, DnsClass.IN, ttl, servers.keySet().stream().map(Rdata::name).toList());
        return new NameServers(names, sets, all);
    }

    private void addAddresses(List<RrSet> to, WireName name, Set<Address> all, boolean ipv4) {
        List<byte[]> data = all.stream().filter(address -> address.isIpv4() == ipv4).map(Address::bytes).toList();
        if (!data.isEmpty()) {
            to.add(RrSet.of(name, ipv4 ? DnsType.A : DnsType.AAAA, DnsClass.IN, ttl, data));
        }
    }
}
