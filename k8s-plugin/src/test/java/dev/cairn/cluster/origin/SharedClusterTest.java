package dev.cairn.cluster.origin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.cluster.ClusterSource;
import dev.cairn.cluster.LabelSelector;
import dev.cairn.cluster.WatchScope;
import dev.cairn.cluster.api.ApiOptions;
import dev.cairn.cluster.control.ControlOptions;
import dev.cairn.cluster.control.PortRange;
import dev.cairn.cluster.manifest.ManifestOptions;
import dev.cairn.facts.ClusterListener;
import dev.cairn.facts.Fact;
import dev.cairn.facts.NamespaceFact;
import dev.cairn.facts.Resource;
import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.SliceFact;
import dev.cairn.facts.TrafficFact;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharedClusterTest {
    private static final ClusterOrigin PROXYS = new ClusterOrigin.Api(ApiOptions.fromKubeconfig(Path.of("k"), null));
    private static final ClusterOrigin UNSAID = new ClusterOrigin.Api(ApiOptions.inCluster().withLimits(5, 10, 2));

    private final SharedCluster cluster = new SharedCluster(PROXYS, "n1");
    private final Source source = new Source();
    private final Heard names = new Heard();
    private final Heard traffic = new Heard();

    /** A source that is made to tell. */
    private static final class Source implements ClusterSource {
        private ClusterOrigin origin;
        private WatchScope scope;
        private ClusterListener to;
        private boolean closed;

        ClusterSource open(ClusterOrigin from, WatchScope wanted) {
            origin = from;
            scope = wanted;
            return this;
        }

        @Override
        public void start(ClusterListener listener) {
            to = listener;
        }

        @Override
        public String place() {
            return "a test";
        }

        @Override
        public boolean create(String collection, String json) {
            return collection.equals("/events");
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private static final class Heard implements ClusterListener {
        private final List<String> lines = new ArrayList<>();
        private RuntimeException defect;

        @Override
        public void put(Fact fact) {
            lines.add("put " + fact.name());
            if (defect != null) {
                throw defect;
            }
        }

        @Override
        public void remove(Resource resource, String namespace, String name) {
            lines.add("remove " + name);
        }

        @Override
        public void synced(Resource resource) {
            lines.add("synced " + resource);
        }
    }

    private static ServiceFact service(String name, TrafficFact traffic) {
        return new ServiceFact("shop", name, ServiceFact.Kind.CLUSTER_IP, List.of(), List.of(), "", List.of(), List.of(), List.of(), traffic);
    }

    private void startBoth() {
        ClusterSource first = cluster.names(UNSAID, WatchScope.SERVICES_AND_SLICES, source::open);
        first.start(names);
        assertThat(source.to).as("not before both listen").isNull();
        cluster.traffic().start(traffic);
        assertThat(source.to).isNotNull();
    }

    @Test
    void one_source_has_all_that_both_want() {
        startBoth();
        assertThat(source.scope).isEqualTo(WatchScope.SERVICES_AND_SLICES.withTraffic("n1"));
        assertThat(source.origin).isEqualTo(new ClusterOrigin.Api(ApiOptions.fromKubeconfig(Path.of("k"), null).withLimits(5, 10, 2)));
        source.to.put(new NamespaceFact("shop"));
        source.to.put(service("web", TrafficFact.PLAIN));
        source.to.put(service("theirs", null));
        source.to.put(new SliceFact("shop", "web-1", "web", "", List.of(), List.of(), 0));
        source.to.put(new SliceFact("shop", "far-1", "web", "other-cluster", List.of(), List.of(), 0));
        source.to.remove(Resource.SERVICES, "shop", "web");
        source.to.synced(Resource.SLICES);
        assertThat(names.lines).containsExactly("put shop", "put web", "put theirs", "put web-1", "put far-1", "remove web", "synced SLICES");
        assertThat(traffic.lines).as("imported endpoints and services of other proxies are none of it")
                .containsExactly("put shop", "put web", "remove theirs", "put web-1", "remove web", "synced SLICES");
    }

    @Test
    void a_defect_of_one_does_not_keep_the_other_from_hearing() {
        startBoth();
        names.defect = new IllegalStateException("a defect");
        assertThatThrownBy(() -> source.to.put(service("web", TrafficFact.PLAIN))).isSameAs(names.defect);
        assertThat(traffic.lines).containsExactly("put web");
    }

    @Test
    void the_source_ends_with_its_last_user() throws Exception {
        ClusterSource first = cluster.names(UNSAID, WatchScope.SERVICES_AND_SLICES, source::open);
        first.start(names);
        ClusterSource second = cluster.traffic();
        second.start(traffic);
        assertThat(second.create("/events", "{}")).isTrue();
        first.close();
        source.to.put(service("web", TrafficFact.PLAIN));
        assertThat(names.lines).isEmpty();
        assertThat(traffic.lines).containsExactly("put web");
        assertThat(source.closed).isFalse();
        second.close();
        assertThat(source.closed).isTrue();
    }

    @Test
    void what_cannot_be_shared_is_not() {
        WatchScope some = new WatchScope(LabelSelector.ALL, LabelSelector.parse("app=web"), true, false, false);
        WatchScope bare = new WatchScope(LabelSelector.ALL, LabelSelector.ALL, false, false, false);
        ClusterOrigin elsewhere = new ClusterOrigin.Api(ApiOptions.atEndpoint("https://192.0.2.1", null));
        assertThat(cluster.names(UNSAID, some, source::open)).as("a choice of objects").isNull();
        assertThat(cluster.names(UNSAID, bare, source::open)).as("without endpoints").isNull();
        assertThat(cluster.names(elsewhere, WatchScope.SERVICES_AND_SLICES, source::open)).as("another cluster").isNull();
        assertThat(cluster.meant(elsewhere)).isEqualTo(elsewhere);
        assertThat(cluster.meant(UNSAID)).isEqualTo(new ClusterOrigin.Api(ApiOptions.fromKubeconfig(Path.of("k"), null).withLimits(5, 10, 2)));
        startBoth();
        assertThat(cluster.names(UNSAID, WatchScope.SERVICES_AND_SLICES, source::open)).as("when it runs").isNull();
    }

    @Test
    void manifests_are_the_same_by_where_they_are() {
        ControlOptions any = ControlOptions.DEFAULT.withNodePorts(new PortRange(1, 0xffff));
        ClusterOrigin ours = new ClusterOrigin.Manifests(new ManifestOptions(List.of(Path.of("a/../m")), any));
        ClusterOrigin theirs = new ClusterOrigin.Manifests(ManifestOptions.of(List.of(Path.of("m").toAbsolutePath())));
        assertThat(ours.and(theirs)).isEqualTo(new ClusterOrigin.Manifests(new ManifestOptions(List.of(Path.of("m").toAbsolutePath()), any)));
        assertThat(ours.and(UNSAID)).isEqualTo(ours);
        assertThat(ours.and(new ClusterOrigin.Manifests(ManifestOptions.of(List.of(Path.of("n")))))).isNull();
        assertThat(PROXYS.and(ours)).isNull();
    }
}
