package dev.cairn.proxy.ipvs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Protocol;
import dev.cairn.proxy.ipvs.TestCluster.Wishes;
import dev.cairn.proxy.plan.Endpoint;
import dev.cairn.proxy.sync.ApplyFailure;
import dev.cairn.proxy.sync.Audit;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which changes are made when plans change. What packets see of it is tried on a real kernel ({@code IpvsKernelTest}). */
class IpvsBackendTest {
    private final FakeKernel kernel = new FakeKernel();
    private final TestCluster cluster = new TestCluster("192.168.0.2", "2001:db8::1");
    private IpvsBackend backend = backend("rr");

    private IpvsBackend backend(String scheduler) {
        return new IpvsBackend(kernel, Set.of(IpFamily.values()), new IpvsOptions(scheduler, List.of(), false, Duration.ZERO, Duration.ZERO, Duration.ZERO,
                Duration.ofMinutes(15), 14), System::nanoTime);
    }

    private List<String> apply() throws ApplyFailure {
        kernel.made.clear();
        cluster.apply(backend);
        return kernel.made.stream().map(Change::toString).toList();
    }

    private static ServerKey key(String address) {
        return new ServerKey(Protocol.TCP, new Endpoint(TestCluster.addresses(address).getFirst(), 80));
    }

    @Test
    void a_change_touches_what_changed_and_nothing_else() throws ApplyFailure {
        cluster.service("a", "10.96.0.1", new Wishes());
        cluster.service("b", "10.96.0.2", new Wishes());
        cluster.endpoints("a", "10.1.0.1", "10.1.0.2");
        cluster.endpoints("b", "10.1.0.1");
        apply();
        cluster.endpoints("a", "10.1.0.2", "10.1.0.3");
        assertThat(apply()).containsExactlyInAnyOrder(
                "-a -t 10.96.0.1:80 -r 10.1.0.3:8080 -m -w 1", "-a -u 10.96.0.1:80 -r 10.1.0.3:8080 -m -w 1",
                "-d -t 10.96.0.1:80 -r 10.1.0.1:8080", "-d -u 10.96.0.1:80 -r 10.1.0.1:8080");
        cluster.service("b", "10.96.0.2", new Wishes().affinity(60));
        assertThat(apply()).containsExactlyInAnyOrder("-E -t 10.96.0.2:80 -s rr -p 60", "-E -u 10.96.0.2:80 -s rr -p 60");
        cluster.remove("b");
        assertThat(apply()).containsExactly("-D -t 10.96.0.2:80", "-D -u 10.96.0.2:80", "ip addr del 10.96.0.2/32 dev kube-ipvs0");
        assertThat(apply()).isEmpty();
        assertThat(kernel.elements).noneMatch(element -> element.fields().contains("10.96.0.2"));
    }

    @Test
    void a_place_that_goes_to_another_service_is_never_gone() throws ApplyFailure {
        cluster.service("a", "10.96.0.1", new Wishes().externalIp("198.51.100.1"));
        cluster.endpoints("a", "10.1.0.1");
        cluster.service("b", "10.96.0.2", new Wishes().externalIp("198.51.100.1"));
        cluster.endpoints("b", "10.1.0.1", "10.1.0.2");
        apply();
        cluster.remove("a");
        assertThat(apply()).contains("-a -t 198.51.100.1:80 -r 10.1.0.2:8080 -m -w 1").doesNotContain(
                "-D -t 198.51.100.1:80", "-d -t 198.51.100.1:80 -r 10.1.0.1:8080", "ip addr del 198.51.100.1/32 dev kube-ipvs0");
    }

    @Test
    void what_a_new_process_finds_it_adopts_and_what_nobody_wants_goes() throws ApplyFailure {
        cluster.service("a", "10.96.0.1", new Wishes().nodePort(30080));
        cluster.endpoints("a", "10.1.0.1");
        apply();
        kernel.servers.put(key("10.96.0.9"), new Server("rr", 0, 0));
        kernel.addresses.addAll(TestCluster.addresses("10.96.0.9"));
        kernel.servers.put(key("192.0.2.1"), new Server("rr", 0, 0));
        kernel.elements.add(Element.place(HelperSet.CLUSTER, key("10.96.0.9")));
        kernel.servers.put(new ServerKey(Protocol.TCP, new Endpoint(TestCluster.addresses("192.168.0.2").getFirst(), 30081)), new Server("rr", 0, 0));
        kernel.nodePorts.add(new KubeProxySets.NodePort(Protocol.TCP, 30081));
        backend = backend("rr");
        assertThat(apply()).as("kube-proxy's by its address or node port goes, one of others stays")
                .containsExactlyInAnyOrder("-D -t 10.96.0.9:80", "-D -t 192.168.0.2:30081", "ip addr del 10.96.0.9/32 dev kube-ipvs0");
        assertThat(kernel.elements).noneMatch(element -> element.fields().contains("10.96.0.9"));
        assertThat(backend.audit(cluster.desired())).isEqualTo(new Audit(List.of(), List.of("virtual server -t 192.0.2.1:80")));
    }

    @Test
    void a_look_finds_at_once_that_all_is_gone_and_in_its_turn_that_one_is() throws ApplyFailure {
        for (int i = 1; i <= 250; i++) {
            cluster.service("s" + i, "10.96.1." + i, new Wishes());
            cluster.endpoints("s" + i, "10.1.0.1", "10.1.0.2");
        }
        apply();
        int round = 5;   // of 500 virtual servers, 100 at a time
        for (int i = 0; i < 2 * round; i++) {
            assertThat(backend.isDisturbed()).as("nothing was changed").isFalse();
        }
        kernel.reals.get(key("10.96.1.77")).remove(new Endpoint(TestCluster.addresses("10.1.0.1").getFirst(), 8080));
        assertThat(disturbances(round)).isEqualTo(1);
        assertThat(backend.audit(cluster.desired()).drift()).containsExactly("virtual server -t 10.96.1.77:80 lacks real server 10.1.0.1:8080");
        apply();
        kernel.servers.put(key("10.96.1.78"), new Server("sh", 0, 0));
        assertThat(disturbances(round)).isEqualTo(1);
        backend.audit(cluster.desired());
        apply();
        kernel.addresses.clear();
        assertThat(backend.isDisturbed()).isTrue();
        backend.audit(cluster.desired());
        apply();
        kernel.servers.clear();
        assertThat(backend.isDisturbed()).isTrue();
    }

    private int disturbances(int looks) throws ApplyFailure {
        int disturbances = 0;
        for (int i = 0; i < looks; i++) {
            disturbances += backend.isDisturbed() ? 1 : 0;
        }
        return disturbances;
    }

    @Test
    void after_a_failure_it_begins_with_what_the_kernel_has() throws ApplyFailure {
        cluster.service("a", "10.96.0.1", new Wishes());
        cluster.endpoints("a", "10.1.0.1");
        apply();
        // Somebody puts there what is about to come.
        kernel.reals.get(key("10.96.0.1")).put(new Endpoint(TestCluster.addresses("10.1.0.2").getFirst(), 8080), new RealServer(5, 0));
        cluster.endpoints("a", "10.1.0.1", "10.1.0.2");
        assertThatThrownBy(this::apply).isInstanceOf(ApplyFailure.class)
                .hasMessage("IPVS refused -a -t 10.96.0.1:80 -r 10.1.0.2:8080 -m -w 1: there already");
        assertThat(apply()).contains("-e -t 10.96.0.1:80 -r 10.1.0.2:8080 -m -w 1");
        assertThat(backend.audit(cluster.desired())).isEqualTo(Audit.CLEAN);
    }

    @Test
    void a_scheduler_that_the_kernel_lacks_is_given_up_for_the_usual_one() throws ApplyFailure {
        kernel.missingSchedulers.add("mh");
        cluster.service("a", "10.96.0.1", new Wishes().scheduler("mh"));
        apply();
        assertThat(kernel.servers).containsEntry(key("10.96.0.1"), Server.of("rr", 0));
        backend = backend("mh");
        assertThatThrownBy(this::apply).hasMessage(
                "the kernel has no IPVS scheduler mh: load the module ip_vs_mh, or choose another by --ipvs-scheduler");
    }

    @Test
    void an_address_of_the_node_itself_is_not_given_to_the_link() throws ApplyFailure {
        cluster.service("a", "10.96.0.1", new Wishes().externalIp("192.168.0.2"));
        apply();
        assertThat(kernel.servers).containsKey(key("192.168.0.2"));
        assertThat(kernel.addresses).isEqualTo(Set.copyOf(TestCluster.addresses("10.96.0.1")));
    }

    @Test
    void what_is_needed_to_start_comes_first() throws ApplyFailure {
        cluster.service("a", "10.96.0.5", new Wishes());
        cluster.urgent("10.96.0.1");
        assertThat(apply().getFirst()).isEqualTo("-A -t 10.96.0.1:443 -s rr");
    }
}
