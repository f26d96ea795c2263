package dev.cairn.plugin.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.facts.Address;
import dev.cairn.facts.EndpointFact;
import dev.cairn.facts.Resource;
import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.SliceFact;
import dev.cairn.metrics.HistogramFamily;
import dev.cairn.metrics.HistogramUnit;
import dev.cairn.metrics.MetricRegistry;
import dev.cairn.zone.ClusterStore;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How long it took from a change of endpoints to new answers, by a clock that stands still. */
class MeteredStoreTest {
    private static final long NOW = 1_000_000;

    private final MetricRegistry metrics = new MetricRegistry();
    private final HistogramFamily latency = metrics.histogram("took_seconds", "How long.", new double[] {1, 10}, HistogramUnit.NANOS, "service_kind");
    private final MeteredStore store = new MeteredStore(new ClusterStore(Set.of(Resource.SLICES), () -> 1), latency, () -> NOW);

    private void service(String name, ServiceFact.Kind kind) {
        store.put(new ServiceFact("shop", name, kind, List.of(), List.of(), "", List.of(), List.of(), List.of()));
    }

    private void slice(String service, long triggerMillis) {
        Address address = Objects.requireNonNull(Address.parse("10.1.0.1"));
        store.put(new SliceFact("shop", service + "-1", service, "", List.of(), List.of(new EndpointFact(address, true, "", "", "", "")), triggerMillis));
    }

    @Test
    void theTimeIsToldByTheKindOfService() {
        service("web", ServiceFact.Kind.CLUSTER_IP);
        service("db", ServiceFact.Kind.HEADLESS);
        service("mail", ServiceFact.Kind.EXTERNAL_NAME);
        slice("web", NOW - 60_000);   // what was there before the first sync
        store.synced(Resource.SLICES);
        slice("web", NOW - 2_500);
        slice("db", NOW - 500);
        slice("db", 0);               // nobody says when
        slice("mail", NOW - 500);
        slice("unknown", NOW - 500);
        assertThat(metrics.scrape()).contains(
                "took_seconds_sum{service_kind=\"cluster_ip\"} 2.5\n", "took_seconds_count{service_kind=\"cluster_ip\"} 1\n",
                "took_seconds_sum{service_kind=\"headless_with_selector\"} 0.5\n", "took_seconds_count{service_kind=\"headless_with_selector\"} 1\n");
    }
}
