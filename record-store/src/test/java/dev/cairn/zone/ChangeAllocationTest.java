package dev.cairn.zone;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.cairn.facts.Address;
import dev.cairn.facts.EndpointFact;
import dev.cairn.facts.NamespaceFact;
import dev.cairn.facts.PortFact;
import dev.cairn.facts.Protocol;
import dev.cairn.facts.Resource;
import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.SliceFact;
import dev.cairn.wire.WireName;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a change allocates in a cluster of 10,000 services in 100 namespaces with 100,000 endpoints, PTR records included. */
class ChangeAllocationTest {
    private static final int SERVICES = 10_000;
    private static final int NAMESPACES = 100;
    private static final int ENDPOINTS = 10;
    private static final List<PortFact> PORTS = List.of(new PortFact("http", Protocol.TCP, 80));

    /** The index of a namespace of 100 services: 256 places, and for each service its slot with its name. */
    private static final long SHARD = 256 * 4 + 16 + 100 * (16 + 16 + 56);

    private static ClusterStore cluster(int services, int namespaces) {
        ClusterStore store = new ClusterStore(Set.of(Resource.SERVICES), () -> 1);
        store.attach(new ZoneOptions(WireName.parse("cluster.local."), 5, Set.of(), false, true, false), true);
        for (int i = 0; i < namespaces; i++) {
            store.put(new NamespaceFact("ns-" + i));
        }
        for (int i = 0; i < services; i++) {
            store.put(service(i, i % namespaces));
            store.put(slice(i, i % namespaces, 0));
        }
        return store;
    }

    private static ServiceFact service(int i, int namespace) {
        boolean headless = i % 10 == 9;
        List<Address> ips = headless ? List.of() : List.of(Address.of(0, 0x0a600000L + i + 1, true));
        return new ServiceFact("ns-" + namespace, "service-" + i, headless ? ServiceFact.Kind.HEADLESS : ServiceFact.Kind.CLUSTER_IP, ips, PORTS,
                "", List.of(), List.of(), List.of());
    }

    /** @param moved 0, or what the last endpoint's address is instead */
    private static SliceFact slice(int i, int namespace, int moved) {
        List<EndpointFact> endpoints = new ArrayList<>();
        for (int e = 0; e < ENDPOINTS; e++) {
            long address = 0x0a800000L + (long) i * ENDPOINTS + e;
            Address at = Address.of(0, moved > 0 && e == ENDPOINTS - 1 ? 0x0afa0000L + moved : address, true);
            endpoints.add(new EndpointFact(at, true, "", "service-" + i + "-" + e, "node-" + e, "zone"));
        }
        return new SliceFact("ns-" + namespace, "service-" + i + "-abcde", "service-" + i, "", PORTS, endpoints, 0);
    }

    /** The most that one of many changes allocates, and what they allocate on average. */
    private static long[] allocatedByChanges(ClusterStore store, int services, int namespaces) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        List<SliceFact> changes = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            int service = i * 7 % services;
            changes.add(slice(service, service % namespaces, i + 1));
        }
        changes.subList(0, 1000).forEach(store::put);
        long most = 0;
        long all = 0;
        for (SliceFact change : changes.subList(1000, changes.size())) {
            long before = threads.getCurrentThreadAllocatedBytes();
            store.put(Objects.requireNonNull(change));
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            most = Math.max(most, allocated);
            all += allocated;
        }
        return new long[] {most, all / (changes.size() - 1000)};
    }

    @Test
    void aChangeOfOneSliceAllocatesNoMoreThanTheIndexOfItsNamespace() {
        long[] large = allocatedByChanges(cluster(SERVICES, NAMESPACES), SERVICES, NAMESPACES);
        long[] small = allocatedByChanges(cluster(SERVICES / NAMESPACES, 1), SERVICES / NAMESPACES, 1);
        assertThat(large[1]).as("on average, of a headless or virtual service with ten endpoints").isLessThan(SHARD / 2);
        assertThat(large[0]).as("at most, when a shard of the addresses grows").isLessThan(SHARD);
        assertThat(large[1]).as("in 100 namespaces as in one").isLessThan(small[1] + SHARD / 10);
    }

    /** Of many namespaces the last costs what the first did, but for the table of their labels, which doubles now and then. */
    @Test
    void aNamespaceAllocatesTheSameHoweverManyThereAre() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        ClusterStore store = cluster(0, 1);
        List<NamespaceFact> all = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            all.add(new NamespaceFact("namespace-" + i));
        }
        all.subList(0, 1000).forEach(store::put);
        long before = threads.getCurrentThreadAllocatedBytes();
        all.subList(1000, all.size()).forEach(store::put);
        long each = (threads.getCurrentThreadAllocatedBytes() - before) / (all.size() - 1000);
        assertThat(each).as("bytes a namespace").isLessThan(1000);
    }
}
