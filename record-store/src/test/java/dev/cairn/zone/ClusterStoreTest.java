package dev.cairn.zone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.facts.Address;
import dev.cairn.facts.EndpointFact;
import dev.cairn.facts.ImportFact;
import dev.cairn.facts.NamespaceFact;
import dev.cairn.facts.NodeFact;
import dev.cairn.facts.PodFact;
import dev.cairn.facts.PortFact;
import dev.cairn.facts.Protocol;
import dev.cairn.facts.Resource;
import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.SliceFact;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.Type;

class ClusterStoreTest {
    private static final WireName ZONE = WireName.parse("cluster.local.");
    private static final PortFact HTTP = new PortFact("http", Protocol.TCP, 80);

    private final AtomicLong clock = new AtomicLong(1000);
    private final ClusterStore store = new ClusterStore(Set.of(Resource.NAMESPACES, Resource.SERVICES, Resource.SLICES), clock::get);
    private ClusterStore.View view;

    @BeforeEach
    void attach() {
        view = store.attach(new ZoneOptions(ZONE, 5, Set.of(), false, true, false), true);
        store.put(new NamespaceFact("shop"));
    }

    private static Address ip(String text) {
        return Objects.requireNonNull(Address.parse(text));
    }

    private static ServiceFact service(String name, ServiceFact.Kind kind, String external, PortFact port, String... ips) {
        List<Address> addresses = new ArrayList<>();
        for (String address : ips) {
            addresses.add(ip(address));
        }
        return new ServiceFact("shop", name, kind, addresses, List.of(port), external, List.of(), List.of(), List.of());
    }

    private static SliceFact slice(String name, String service, EndpointFact... endpoints) {
        return new SliceFact("shop", name, service, "", List.of(new PortFact("http", Protocol.TCP, 8080)), List.of(endpoints), 0);
    }

    private static EndpointFact endpoint(String address, boolean ready, String hostname) {
        return new EndpointFact(ip(address), ready, hostname, "", "node", "eu-1");
    }

    private static QueryView query(String name, int type) throws IOException {
        byte[] packet = Message.newQuery(Record.newRecord(Name.fromString(name), type, DClass.IN)).toWire();
        QueryView query = new QueryView();
        System.arraycopy(packet, 0, query.buffer(packet.length), 0, packet.length);
        query.read(packet.length);
        return query;
    }

    private @Nullable NameEntry find(String name, int type) throws IOException {
        return view.zone().find(query(name, type), type);
    }

    private List<String> addresses(String name) throws IOException {
        NameEntry entry = find(name, Type.A);
        RrSet set = entry == null ? null : entry.a();
        return set == null ? List.of() : data(set).stream().map(bytes -> Address.of(bytes).toString()).toList();
    }

    private static List<byte[]> data(RrSet set) {
        List<byte[]> all = new ArrayList<>();
        for (int i = 0; i < set.count(); i++) {
            all.add(set.data(i));
        }
        return all;
    }

    @Test
    void aClusterIpComesChangesAndGoes() throws IOException {
        store.put(service("web", ServiceFact.Kind.CLUSTER_IP, "", HTTP, "10.0.0.1"));
        assertThat(addresses("web.shop.svc.cluster.local.")).containsExactly("10.0.0.1");
        store.put(service("web", ServiceFact.Kind.CLUSTER_IP, "", HTTP, "10.0.0.2"));
        assertThat(addresses("WEB.shop.svc.cluster.local.")).containsExactly("10.0.0.2");
        store.remove(Resource.SERVICES, "shop", "web");
        assertThat(find("web.shop.svc.cluster.local.", Type.A)).isNull();
    }

    @Test
    void aHeadlessServiceIsItsReadyEndpointsAndNothingWithoutAny() throws IOException {
        store.put(service("db", ServiceFact.Kind.HEADLESS, "", HTTP));
        assertThat(find("db.shop.svc.cluster.local.", Type.A)).isNull();
        store.put(slice("db-1", "db", endpoint("10.1.0.1", true, "db-0"), endpoint("10.1.0.2", false, "db-1")));
        store.put(slice("db-2", "db", endpoint("10.1.0.3", true, "")));
        assertThat(addresses("db.shop.svc.cluster.local.")).containsExactly("10.1.0.1", "10.1.0.3");
        assertThat(addresses("db-0.db.shop.svc.cluster.local.")).containsExactly("10.1.0.1");
        assertThat(addresses("10-1-0-3.db.shop.svc.cluster.local.")).containsExactly("10.1.0.3");
        assertThat(find("db-1.db.shop.svc.cluster.local.", Type.A)).isNull();
        store.remove(Resource.SLICES, "shop", "db-1");
        assertThat(addresses("db.shop.svc.cluster.local.")).containsExactly("10.1.0.3");
        assertThat(find("db-0.db.shop.svc.cluster.local.", Type.A)).isNull();
    }

    @Test
    void portsHaveSrvRecordsAndTheNamesBetweenExist() throws IOException {
        store.put(service("web", ServiceFact.Kind.CLUSTER_IP, "", HTTP, "10.0.0.1", "2001:db8::1"));
        NameEntry entry = find("_http._tcp.web.shop.svc.cluster.local.", Type.SRV);
        assertThat(entry).isNotNull();
        assertThat(Objects.requireNonNull(entry.srv()).count()).isEqualTo(1);
        assertThat(entry.srv().data(0)).startsWith(0, 0, 0, 50, 0, 80);
        assertThat(entry.additional()).extracting(RrSet::type).containsExactly(DnsType.A, DnsType.AAAA);
        assertThat(find("http.tcp.web.shop.svc.cluster.local.", Type.SRV)).isEqualTo(entry);
        assertThat(find("_tcp.web.shop.svc.cluster.local.", Type.SRV)).isEqualTo(NameEntry.EMPTY);
        assertThat(find("_https._tcp.web.shop.svc.cluster.local.", Type.SRV)).isNull();
        assertThat(find("_http._udp.web.shop.svc.cluster.local.", Type.SRV)).isNull();
    }

    @Test
    void anExternalNameIsAnAliasUnlessItIsAnAddress() throws IOException {
        store.put(service("mail", ServiceFact.Kind.EXTERNAL_NAME, "mail.example.org", HTTP));
        assertThat(Objects.requireNonNull(find("mail.shop.svc.cluster.local.", Type.A)).alias()).isNotNull();
        assertThat(find("x.mail.shop.svc.cluster.local.", Type.A)).isNull();
        store.put(service("mail", ServiceFact.Kind.EXTERNAL_NAME, "192.0.2.1", HTTP));
        assertThat(find("mail.shop.svc.cluster.local.", Type.A)).isNull();
    }

    @Test
    void namespacesComeAndGoWithTheirServices() throws IOException {
        store.put(service("web", ServiceFact.Kind.CLUSTER_IP, "", HTTP, "10.0.0.1"));
        store.remove(Resource.NAMESPACES, "shop", "shop");
        assertThat(view.zone().hasNamespace(query("web.shop.svc.cluster.local.", Type.A))).isFalse();
        assertThat(find("web.shop.svc.cluster.local.", Type.A)).isNull();
        store.put(new NamespaceFact("shop"));
        assertThat(addresses("web.shop.svc.cluster.local.")).containsExactly("10.0.0.1");
    }

    @Test
    void pointersFollowAddresses() throws IOException {
        store.put(service("web", ServiceFact.Kind.CLUSTER_IP, "", HTTP, "10.0.0.1"));
        store.put(slice("web-1", "web", endpoint("10.1.0.1", true, "")));
        assertThat(pointers("1.0.0.10.in-addr.arpa.")).containsExactly("web.shop.svc.cluster.local.");
        assertThat(pointers("1.0.1.10.in-addr.arpa.")).containsExactly("10-1-0-1.web.shop.svc.cluster.local.");
        store.put(service("web", ServiceFact.Kind.CLUSTER_IP, "", HTTP, "10.0.0.9"));
        assertThat(pointers("1.0.0.10.in-addr.arpa.")).isEmpty();
        assertThat(pointers("9.0.0.10.in-addr.arpa.")).containsExactly("web.shop.svc.cluster.local.");
        store.remove(Resource.SLICES, "shop", "web-1");
        assertThat(pointers("1.0.1.10.in-addr.arpa.")).isEmpty();
    }

    @Test
    void namesAboveAnAddressExist() throws IOException {
        store.put(service("web", ServiceFact.Kind.CLUSTER_IP, "", HTTP, "10.0.0.1", "2001:db8::1"));
        for (String above : List.of("in-addr.arpa.", "10.in-addr.arpa.", "0.0.10.in-addr.arpa.", "ip6.arpa.", "2.ip6.arpa.",
                "8.b.d.0.1.0.0.2.ip6.arpa.")) {
            assertThat(view.hasPointersBelow(query(above, Type.PTR))).as(above).isTrue();
        }
        for (String not : List.of("11.in-addr.arpa.", "1.0.10.in-addr.arpa.", "x.in-addr.arpa.", "3.ip6.arpa.", "9.b.d.0.1.0.0.2.ip6.arpa.",
                "256.in-addr.arpa.", "2.0.0.10.in-addr.arpa.", "example.org.")) {
            assertThat(view.hasPointersBelow(query(not, Type.PTR))).as(not).isFalse();
        }
        store.remove(Resource.SERVICES, "shop", "web");
        assertThat(view.hasPointersBelow(query("10.in-addr.arpa.", Type.PTR))).isFalse();
    }

    private List<String> pointers(String name) throws IOException {
        RrSet set = view.pointers(query(name, Type.PTR));
        return set == null ? List.of() : data(set).stream().map(bytes -> WireName.toText(bytes, 0)).toList();
    }

    @Test
    void importedServicesAreInTheirOwnZone() throws IOException {
        ZoneOptions options = new ZoneOptions(WireName.parse("clusterset.local."), 5, Set.of(), false, true, true);
        try (ClusterStore.View imported = store.attach(options, false)) {
            store.put(new ImportFact("shop", "web", true, List.of(), List.of(HTTP)));
            store.put(new SliceFact("shop", "s", "web", "c1", List.of(HTTP), List.of(endpoint("10.9.0.1", true, "")), 0));
            QueryView own = query("web.shop.svc.clusterset.local.", Type.A);
            assertThat(imported.zone().find(own, Type.A)).isNotNull();
            QueryView one = query("10-9-0-1.c1.web.shop.svc.clusterset.local.", Type.A);
            assertThat(imported.zone().find(one, Type.A)).isNotNull();
            assertThat(find("web.shop.svc.cluster.local.", Type.A)).isNull();
        }
    }

    @Test
    void aZoneAttachedLateKnowsEverything() throws IOException {
        store.put(service("web", ServiceFact.Kind.CLUSTER_IP, "", HTTP, "10.0.0.1"));
        try (ClusterStore.View late = store.attach(new ZoneOptions(ZONE, 30, Set.of("shop"), false, true, false), true)) {
            QueryView query = query("web.shop.svc.cluster.local.", Type.A);
            assertThat(Objects.requireNonNull(late.zone().find(query, Type.A)).a()).extracting(RrSet::ttl).isEqualTo(30);
            assertThat(late.pointers(query("1.0.0.10.in-addr.arpa.", Type.PTR))).isNotNull();
        }
    }

    @Test
    void isSyncedWhenAllThatIsWantedWasTold() {
        store.synced(Resource.NAMESPACES);
        store.synced(Resource.SERVICES);
        assertThat(store.isSynced()).isFalse();
        store.synced(Resource.SLICES);
        assertThat(store.isSynced()).isTrue();
    }

    @Test
    void theSerialMovesWithEveryChange() {
        int before = store.serial();
        store.put(new PodFact("shop", "p", List.of(ip("10.2.0.1"))));
        assertThat(store.serial()).isGreaterThan(before);
        clock.set(5000);
        store.remove(Resource.PODS, "shop", "p");
        assertThat(store.serial()).isEqualTo(5000);
    }

    @Test
    void podsAreKnownByAllTheirAddresses() {
        PodFact pod = new PodFact("shop", "p", List.of(ip("10.2.0.1"), ip("2001:db8::2")));
        store.put(pod);
        assertThat(store.podsWith(ip("2001:db8::2"))).containsExactly(pod);
        PodFact next = new PodFact("shop", "q", List.of(ip("10.2.0.1")));
        store.put(next);
        store.remove(Resource.PODS, "shop", "p");
        assertThat(store.podsWith(ip("10.2.0.1"))).containsExactly(next);
        assertThat(store.podsWith(ip("2001:db8::2"))).isEmpty();
    }

    @Test
    void anAddressTellsTheNamespaceOfItsPodUnlessOthersMayHaveIt() {
        assertThat(store.namespaceAt(ip("10.2.0.1"))).isNull();
        store.put(new PodFact("shop", "old", List.of(ip("10.2.0.1"))));
        assertThat(store.namespaceAt(ip("10.2.0.1"))).isEqualTo("shop");
        store.put(new PodFact("bank", "new", List.of(ip("10.2.0.1"))));
        assertThat(store.namespaceAt(ip("10.2.0.1"))).isNull();
        store.remove(Resource.PODS, "shop", "old");
        assertThat(store.namespaceAt(ip("10.2.0.1"))).isEqualTo("bank");
        store.put(new PodFact("kube-system", "proxy", List.of(ip("192.0.2.7")), Map.of(), true));
        assertThat(store.namespaceAt(ip("192.0.2.7"))).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a..b", "web.", ".web", "", "Web", "x123456789x123456789x123456789x123456789x123456789x123456789x1234"})
    void whatBelongsToNoPossibleServiceTouchesNothing(String service) throws IOException {
        store.put(service("web", ServiceFact.Kind.CLUSTER_IP, "", HTTP, "10.0.0.1"));
        store.put(slice("odd", service, endpoint("10.1.0.1", true, "")));
        store.put(new ImportFact("shop", service, true, List.of(), List.of(HTTP)));
        assertThat(addresses("web.shop.svc.cluster.local.")).containsExactly("10.0.0.1");
        assertThat(pointers("1.0.1.10.in-addr.arpa.")).isEmpty();
        store.remove(Resource.SLICES, "shop", "odd");
        store.remove(Resource.IMPORTS, "shop", service);
        assertThat(addresses("web.shop.svc.cluster.local.")).containsExactly("10.0.0.1");
    }

    @Test
    void aNamespaceThatCannotBeALabelHasNoNames() throws IOException {
        store.put(new NamespaceFact("x".repeat(64)));
        store.put(new NamespaceFact(""));
        assertThat(view.zone().hasNamespace(query("web.shop.svc.cluster.local.", Type.A))).isTrue();
    }

    @Test
    void aLabelOfFullLengthHasNoRoomForAnUnderscore() throws IOException {
        String longest = "p".repeat(63);
        store.put(service("web", ServiceFact.Kind.CLUSTER_IP, "", new PortFact(longest, Protocol.TCP, 80), "10.0.0.1"));
        assertThat(find(longest + ".tcp.web.shop.svc.cluster.local.", Type.SRV)).isNull();
        assertThat(find("http." + longest + ".web.shop.svc.cluster.local.", Type.SRV)).isNull();
        assertThat(Objects.requireNonNull(find("web.shop.svc.cluster.local.", Type.SRV)).srv()).isNotNull();
        assertThat(view.services()).extracting(RrSet::type).containsExactly(DnsType.A, DnsType.SRV);
    }

    @Test
    void anEndpointWhoseNameWouldBeTooLongIsStillAnAddressOfItsService() throws IOException {
        String zone = ("z".repeat(60) + ".").repeat(3);
        try (ClusterStore.View deep = store.attach(new ZoneOptions(WireName.parse(zone), 5, Set.of(), false, true, false), true)) {
            store.put(service("db", ServiceFact.Kind.HEADLESS, "", HTTP));
            store.put(slice("db-1", "db", endpoint("10.1.0.1", true, "h".repeat(63))));
            QueryView query = query("db.shop.svc." + zone, Type.A);
            assertThat(Objects.requireNonNull(deep.zone().find(query, Type.A)).a()).isNotNull();
            assertThat(deep.pointers(query("1.0.1.10.in-addr.arpa.", Type.PTR))).isNull();
            assertThat(deep.services()).extracting(RrSet::type).containsExactly(DnsType.A);
        }
    }

    /** What is not reachable by the index any more must not be held by it, or by what was asked of it. */
    @Test
    void anAddressThatWasAskedForDoesNotHoldTheNamesThatItWasMadeFrom() throws IOException {
        store.put(service("db", ServiceFact.Kind.HEADLESS, "", HTTP));
        store.put(slice("db-1", "db", endpoint("10.1.0.1", true, "db-0")));
        assertThat(pointers("1.0.1.10.in-addr.arpa.")).containsExactly("db-0.db.shop.svc.cluster.local.");
        WeakReference<ServiceNames> before = new WeakReference<>(Objects.requireNonNull(view.zone().service("shop", "db")));
        store.put(slice("db-2", "db", endpoint("10.1.0.2", true, "db-1")));
        await().until(() -> {
            System.gc();
            return before.refersTo(null);
        });
        assertThat(pointers("1.0.1.10.in-addr.arpa.")).containsExactly("db-0.db.shop.svc.cluster.local.");
        store.put(slice("db-1", "db", endpoint("10.1.0.1", true, "other")));
        assertThat(pointers("1.0.1.10.in-addr.arpa.")).containsExactly("other.db.shop.svc.cluster.local.");
    }

    @Test
    void nothingStaysOfNamespacesThatWent() {
        int before = store.heldNamespaces();
        for (int i = 0; i < 1000; i++) {
            String name = "ns-" + i;
            store.put(new NamespaceFact(name));
            store.put(new ServiceFact(name, "web", ServiceFact.Kind.CLUSTER_IP, List.of(ip("10.0.0.1")), List.of(HTTP), "", List.of(), List.of(),
                    List.of()));
            store.kindOf("never-" + i, "web");
            store.remove(i % 2 == 0 ? Resource.SERVICES : Resource.NAMESPACES, name, i % 2 == 0 ? "web" : name);
            store.remove(i % 2 == 0 ? Resource.NAMESPACES : Resource.SERVICES, name, i % 2 == 0 ? name : "web");
        }
        assertThat(store.heldNamespaces()).isEqualTo(before);
        assertThat(view.zone().heldNamespaces()).as("but for places that await the next growth").isLessThan(50);
    }

    @Test
    void aNamespaceThatComesBackIsKnownAgain() throws IOException {
        store.remove(Resource.NAMESPACES, "shop", "shop");
        assertThat(view.zone().hasNamespace(query("web.shop.svc.cluster.local.", Type.A))).isFalse();
        store.put(new NamespaceFact("shop"));
        store.put(service("web", ServiceFact.Kind.CLUSTER_IP, "", HTTP, "10.0.0.1"));
        assertThat(addresses("web.shop.svc.cluster.local.")).containsExactly("10.0.0.1");
        assertThat(view.zone().hasNamespace(query("1-2-3-4.shop.pod.cluster.local.", Type.A))).isTrue();
    }

    @Test
    void addressesHaveNoNamesWhileTheirNamespaceIsNotThere() throws IOException {
        store.put(service("web", ServiceFact.Kind.CLUSTER_IP, "", HTTP, "10.0.0.1"));
        store.put(slice("web-1", "web", endpoint("10.1.0.1", true, "")));
        store.remove(Resource.NAMESPACES, "shop", "shop");
        store.put(slice("web-2", "web", endpoint("10.1.0.2", true, "")));
        for (String name : List.of("1.0.0.10.in-addr.arpa.", "1.0.1.10.in-addr.arpa.", "2.0.1.10.in-addr.arpa.")) {
            assertThat(pointers(name)).as(name).isEmpty();
        }
        assertThat(view.hasPointersBelow(query("10.in-addr.arpa.", Type.PTR))).isFalse();
        store.put(new NamespaceFact("shop"));
        assertThat(pointers("1.0.0.10.in-addr.arpa.")).containsExactly("web.shop.svc.cluster.local.");
        assertThat(pointers("1.0.1.10.in-addr.arpa.")).containsExactly("10-1-0-1.web.shop.svc.cluster.local.");
        assertThat(pointers("2.0.1.10.in-addr.arpa.")).containsExactly("10-1-0-2.web.shop.svc.cluster.local.");
    }

    @Test
    void aServerIsKnownUnderTheServicesThatLeadToIt() {
        store.put(service("dns", ServiceFact.Kind.CLUSTER_IP, "", HTTP, "10.0.0.10"));
        store.put(service("each", ServiceFact.Kind.HEADLESS, "", HTTP));
        store.put(service("other", ServiceFact.Kind.CLUSTER_IP, "", HTTP, "10.0.0.11"));
        store.put(slice("dns-1", "dns", endpoint("10.1.0.1", true, ""), endpoint("10.1.0.2", true, "")));
        store.put(slice("each-1", "each", endpoint("10.1.0.1", true, "one"), endpoint("10.1.0.2", true, "two")));
        store.put(slice("other-1", "other", endpoint("10.1.0.3", true, "")));
        try (ClusterStore.View second = store.attach(new ZoneOptions(WireName.parse("two.local."), 5, Set.of(), false, true, false), false)) {
            assertThat(view.namesOf(Set.of(ip("10.1.0.1")), view.zone())).containsExactly(
                    Map.entry(WireName.parse("dns.shop.svc.cluster.local."), Set.of(ip("10.0.0.10"))),
                    Map.entry(WireName.parse("one.each.shop.svc.cluster.local."), Set.of(ip("10.1.0.1"))));
            assertThat(view.namesOf(Set.of(ip("10.1.0.1")), second.zone())).containsOnlyKeys(
                    WireName.parse("dns.shop.svc.two.local."), WireName.parse("one.each.shop.svc.two.local."));
            assertThat(view.namesOf(Set.of(ip("10.1.0.9"), ip("10.0.0.10")), view.zone())).as("an address of a service is no server's").isEmpty();
        }
    }

    @Test
    void theSerialStaysWhenNoRecordHasChanged() {
        store.put(new PodFact("shop", "p", List.of(ip("10.2.0.1")), Map.of("a", "1"), false));
        int before = store.serial();
        clock.set(5000);
        store.put(new PodFact("shop", "p", List.of(ip("10.2.0.1")), Map.of("a", "2"), false));
        store.put(new NamespaceFact("shop"));
        store.put(new NodeFact("node", "zone", List.of(), List.of(), false));
        store.remove(Resource.NODES, "", "node");
        store.remove(Resource.PODS, "shop", "unknown");
        assertThat(store.serial()).isEqualTo(before);
        assertThat(store.podsWith(ip("10.2.0.1"))).singleElement().extracting(PodFact::labels).isEqualTo(Map.of("a", "2"));
        store.put(new PodFact("shop", "p", List.of(ip("10.2.0.2"))));
        assertThat(store.serial()).isEqualTo(5000);
        assertThat(store.podsWith(ip("10.2.0.1"))).isEmpty();
    }
}
