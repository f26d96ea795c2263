package dev.cairn.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.cluster.ClusterSource;
import dev.cairn.facts.ClusterListener;
import dev.cairn.facts.Resource;
import dev.cairn.proxy.config.ProxyConfig;
import dev.cairn.proxy.config.ProxyMode;
import dev.cairn.proxy.plan.NodeView;
import dev.cairn.proxy.plan.ServiceName;
import dev.cairn.proxy.sync.ApplyFailure;
import dev.cairn.proxy.sync.Audit;
import dev.cairn.proxy.sync.Backend;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class ProxyServiceTest {
    private final List<String> calls = new CopyOnWriteArrayList<>();

    /** One that has nothing set and refuses all, so that nothing is changed on this machine. */
    private final class Refusing implements Backend {
        @Override
        public void apply(Desired desired, Set<ServiceName> changed) throws ApplyFailure {
            calls.add("apply");
            throw new ApplyFailure("as the test wants", true);
        }

        @Override
        public Map<String, String> sysctls() {
            calls.add("sysctls");
            return Map.of();
        }

        @Override
        public String render(Desired desired) {
            return "";
        }

        @Override
        public Audit audit(Desired desired) {
            return Audit.CLEAN;
        }

        @Override
        public List<String> cleanUp() {
            return List.of();
        }
    }

    private static final class Empty implements ClusterSource {
        @Override
        public void start(ClusterListener listener) {
            List.of(Resource.SERVICES, Resource.SLICES, Resource.NODES).forEach(listener::synced);
        }

        @Override
        public String place() {
            return "nowhere";
        }

        @Override
        public void close() {}
    }

    @Test
    void connections_are_tracked_before_there_is_a_virtual_server() throws InterruptedException {
        ProxyConfig settings = new ProxyConfig(Map.of(
                "mode", "ipvs", "healthzBindAddress", "127.0.0.1:0", "metricsBindAddress", "127.0.0.1:0"));
        try (ProxyService service = new ProxyService(settings, new ModeChoice(ProxyMode.IPVS, null), new Refusing(),
                new NodeView("n", "", List.of(), List.of(), List.of()))) {
            service.start(new Empty());
            assertThat(service.await()).hasMessage("as the test wants");
        }
        assertThat(calls).containsExactly("sysctls", "apply");
    }
}
