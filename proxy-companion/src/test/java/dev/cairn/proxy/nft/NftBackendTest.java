package dev.cairn.proxy.nft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cairn.cluster.control.AddressRange;
import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.EndpointFact;
import dev.cairn.facts.EndpointHints;
import dev.cairn.facts.PortFact;
import dev.cairn.facts.Protocol;
import dev.cairn.facts.Resource;
import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.SliceFact;
import dev.cairn.facts.TrafficFact;
import dev.cairn.proxy.packets.BackendFlows;
import dev.cairn.proxy.packets.Testbed;
import dev.cairn.proxy.plan.LocalDetector;
import dev.cairn.proxy.plan.NodePortAddresses;
import dev.cairn.proxy.plan.ServiceName;
import dev.cairn.proxy.plan.TrafficOptions;
import dev.cairn.proxy.sync.ApplyFailure;
import dev.cairn.proxy.sync.Audit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What changes in the kernel when plans change, and what packets see of it. */
class NftBackendTest extends BackendFlows<NftBackend> {
    @TempDir
    private Path directory;

    private final AtomicInteger reads = new AtomicInteger();
    private volatile Consumer<IpFamily> afterRead = _ -> {};

    @Override
    protected NftBackend newBackend() {
        NftRunner recording = new NftRunner(testbed.inside(Testbed.NODE, List.of())) {
            @Override
            void run(String script) throws ApplyFailure {
                super.run(script);
                scripts.add(script);
            }
        };
        NftElements recordingElements = new NftElements(() -> Namespace.open(testbed.name(Testbed.NODE))) {
            @Override
            void change(List<ElementChange> changes) throws ApplyFailure {
                super.change(changes);
                scripts.add(ElementText.script(changes));
            }

            @Override
            @Nullable NftListing read(IpFamily family) throws ApplyFailure {
                NftListing listing = super.read(family);
                reads.incrementAndGet();
                afterRead.accept(family);
                return listing;
            }
        };
        return new NftBackend(recording, recordingElements, Set.of(IpFamily.values()), 14);
    }

    @Override
    protected TrafficOptions options(LocalDetector pods) {
        List<AddressRange> ranges = List.of(AddressRange.parse("172.30.0.0/16"), AddressRange.parse("fd00:172::/112"));
        return new TrafficOptions(false, pods, NodePortAddresses.PRIMARY, ranges, true, false);
    }

    private static void nft(String command) {
        Testbed.run(testbed.inside(Testbed.NODE, List.of(("nft " + command).split(" ", -1))));
    }

    @Test
    void an_endpoint_that_goes_changes_its_slot_and_the_verdict_only() throws ApplyFailure {
        service("svc", VIP, 0);
        service("other", "172.30.0.42", 0);
        endpoints("svc", "10.180.0.1", "10.180.0.2", "10.180.0.3");
        endpoints("other", "10.180.0.1");
        apply();
        assertThat(answering(connect(CLIENT, VIP, "tcp", 40))).hasSize(3);
        scripts.clear();
        endpoints("svc", "10.180.0.2", "10.180.0.3");
        apply();
        assertThat(String.join("", scripts)).contains(
                "delete element ip cairn-proxy endpoints-tcp { 172.30.0.41 . tcp . 80 . 0, 172.30.0.41 . tcp . 80 . 2 }",
                "add element ip cairn-proxy endpoints-tcp { 172.30.0.41 . tcp . 80 . 0 : 10.180.0.3 . 8080 }",
                "add element ip cairn-proxy service-ips { 172.30.0.41 . tcp . 80 : goto tcp-lb-2, 172.30.0.41 . udp . 80 : goto udp-lb-2 }")
                .doesNotContain("172.30.0.42", "flush chain ip cairn-proxy services");
        assertThat(scripts).as("transactions").hasSize(1);
        assertThat(answering(connect(CLIENT, VIP, "tcp", 40))).containsExactly("10.180.0.2:8080", "10.180.0.3:8080");
    }

    @Test
    void a_port_that_a_service_does_not_have_is_refused() throws ApplyFailure {
        service("svc", "fd00:172::41", 0);
        endpoints("svc", "fd00:10::1");
        apply();
        assertThat(answering(connect(CLIENT6, "fd00:172::41", "tcp", 1))).hasSize(1);
        assertThat(testbed.connect(Testbed.CLIENTS, CLIENT6, "fd00:172::41", 81, "tcp", 1, PATIENCE)).isEqualTo("reject");
    }

    @Test
    void what_a_new_process_finds_it_adopts() throws ApplyFailure {
        service("svc", VIP, 10800);
        service("six", "fd00:172::41", 60);
        endpoints("svc", "10.180.0.1", "10.180.0.2");
        endpoints("six", "fd00:10::1", "fd00:10::2");
        apply();
        scripts.clear();
        backend = newBackend();
        apply();
        assertThat(scripts).as("commands for what is there already").isEmpty();
        model.remove(Resource.SERVICES, "ns", "six");
        backend = newBackend();
        apply();
        assertThat(String.join("", scripts)).contains("delete element ip6 cairn-proxy service-ips { fd00:172::41 . ").doesNotContain(" ip cairn-proxy");
        assertThat(answering(connect(CLIENT, VIP, "tcp", 1))).hasSize(1);
    }

    /** Programs a service, and lets a new process that reads ahead do so again. */
    private void restartReadingAhead(Consumer<IpFamily> afterEachRead) throws ApplyFailure {
        service("svc", VIP, 0);
        endpoints("svc", "10.180.0.1", "10.180.0.2");
        apply();
        scripts.clear();
        reads.set(0);
        afterRead = afterEachRead;
        backend = newBackend();
        backend.readAhead();
        apply();
    }

    @Test
    void what_was_read_ahead_is_not_read_again() throws ApplyFailure {
        restartReadingAhead(_ -> {});
        assertThat(scripts).as("commands for what is there already").isEmpty();
        assertThat(reads).as("reads, one of each family").hasValue(2);
    }

    @Test
    void what_was_read_ahead_is_read_again_if_somebody_has_changed_it_since() throws ApplyFailure {
        restartReadingAhead(family -> {
            if (family == IpFamily.IPV6 && reads.get() == 2) {
                nft("delete element ip cairn-proxy service-ips { 172.30.0.41 . tcp . 80 }");
            }
        });
        assertThat(reads).as("reads, two of each family").hasValue(4);
        assertThat(String.join("", scripts)).contains("add element ip cairn-proxy service-ips { 172.30.0.41 . tcp . 80 ");
        assertThat(answering(connect(CLIENT, VIP, "tcp", 20))).hasSize(2);
    }

    @Test
    void what_was_read_ahead_is_forgotten_if_nobody_wants_it() throws ApplyFailure {
        service("svc", VIP, 0);
        endpoints("svc", "10.180.0.1");
        apply();
        NftElements elements = new NftElements(() -> Namespace.open(testbed.name(Testbed.NODE)));
        List<IpFamily> families = List.of(IpFamily.IPV4, IpFamily.IPV6);
        assertThat(EarlyListing.begin(elements, families, Duration.ofMinutes(5)).get()).containsOnlyKeys(families);
        EarlyListing unwanted = EarlyListing.begin(elements, families, Duration.ZERO);
        await().until(unwanted::isForgotten);
        assertThat(unwanted.get()).isNull();
    }

    @Test
    void after_a_foreign_flush_a_failed_change_is_applied_again() throws ApplyFailure {
        service("svc", VIP, 0);
        endpoints("svc", "10.180.0.1", "10.180.0.2");
        apply();
        Testbed.run(testbed.inside(Testbed.NODE, List.of("nft", "flush", "ruleset")));
        endpoints("svc", "10.180.0.1");
        assertThatThrownBy(this::apply).isInstanceOf(ApplyFailure.class).hasMessage("nftables refused: changing elements: no such thing");
        apply();
        assertThat(answering(connect(CLIENT, VIP, "tcp", 20))).containsExactly("10.180.0.1:8080");
    }

    @Test
    void an_audit_of_what_is_as_it_was_left_finds_nothing() throws ApplyFailure {
        service("svc", VIP, 10800);
        service("six", "fd00:172::41", 60);
        service("none", "172.30.0.43", 0);
        endpoints("svc", "10.180.0.1", "10.180.0.2", "10.180.0.3");
        endpoints("six", "fd00:10::1", "fd00:10::2");
        apply();
        endpoints("svc", "10.180.0.2", "10.180.0.3");
        apply();
        connect(CLIENT, VIP, "tcp", 3);
        assertThat(backend.audit(desired())).isEqualTo(Audit.CLEAN);
        assertThat(newBackend().audit(desired())).as("by another process").isEqualTo(Audit.CLEAN);
    }

    @Test
    void an_audit_names_what_drifted_and_apply_repairs_it() throws ApplyFailure {
        service("svc", VIP, 0);
        endpoints("svc", "10.180.0.1", "10.180.0.2");
        apply();
        nft("delete element ip cairn-proxy service-ips { " + VIP + " . udp . 80 }");
        nft("delete element ip cairn-proxy endpoints-tcp { " + VIP + " . tcp . 80 . 1 }");
        nft("add element ip cairn-proxy cluster-ips { 172.30.0.99 }");
        nft("flush chain ip cairn-proxy nat-prerouting");
        nft("delete chain ip cairn-proxy nat-prerouting");
        nft("flush chain ip cairn-proxy tcp-lb-2");
        nft("delete table ip6 cairn-proxy");
        assertThat(backend.audit(desired()).drift()).containsExactlyInAnyOrder(
                "table ip cairn-proxy: service-ips lacks " + VIP + " . udp . 80 : goto udp-lb-2",
                "table ip cairn-proxy: endpoints-tcp has for " + VIP + " . tcp . 80 [10.180.0.1 . 8080] instead of [10.180.0.1 . 8080, 10.180.0.2 . 8080]",
                "table ip cairn-proxy: cluster-ips has 172.30.0.99 without need",
                "table ip cairn-proxy: chain nat-prerouting is missing",
                "table ip cairn-proxy: chain tcp-lb-2 has 0 rules instead of 1",
                "table ip6 cairn-proxy is missing");
        apply();
        assertThat(backend.audit(desired())).isEqualTo(Audit.CLEAN);
        assertThat(answering(connect(CLIENT, VIP, "tcp", 40))).hasSize(2);
        assertThat(answering(connect(CLIENT, VIP, "udp", 1))).hasSize(1);
    }

    /** The handle by which a rule of a chain can be told from all others. */
    private static String handle(String chain, String part) {
        return Testbed.run(testbed.inside(Testbed.NODE, List.of("nft", "-a", "list", "chain", "ip", "cairn-proxy", chain))).lines()
                .filter(line -> line.contains(part)).map(line -> line.substring(line.lastIndexOf(' ') + 1)).findFirst().orElseThrow();
    }

    @Test
    void an_audit_names_a_rule_that_was_replaced_and_apply_puts_it_back() throws ApplyFailure {
        service("svc", VIP, 0);
        endpoints("svc", "10.180.0.1", "10.180.0.2");
        apply();
        nft("replace rule ip cairn-proxy services handle " + handle("services", "@service-ips") + " accept");
        nft("insert rule ip cairn-proxy nat-output accept ; delete rule ip cairn-proxy nat-output handle " + handle("nat-output", "jump services"));
        nft("replace rule ip cairn-proxy tcp-lb-2 handle " + handle("tcp-lb-2", "dnat") + " drop");
        nft("chain ip cairn-proxy filter-forward { policy drop ; }");
        List<String> drift = List.of(
                "table ip cairn-proxy: chain filter-forward has the policy drop",
                "table ip cairn-proxy: chain nat-output has another rule in the place of jump services",
                "table ip cairn-proxy: chain services has another rule in the place of ip daddr . meta l4proto . th dport vmap @service-ips",
                "table ip cairn-proxy: chain tcp-lb-2 has another rule in the place of dnat ip addr . port to ip daddr . meta l4proto . th dport"
                        + " . numgen random mod 2 map @endpoints-tcp");
        assertThat(newBackend().audit(desired()).drift()).as("by another process").isEqualTo(drift);
        assertThat(backend.audit(desired()).drift()).isEqualTo(drift);
        apply();
        assertThat(backend.audit(desired())).isEqualTo(Audit.CLEAN);
        assertThat(answering(connect(CLIENT, VIP, "tcp", 40))).hasSize(2);
    }

    @Test
    void a_changed_rule_is_known_whatever_its_comment_says() throws ApplyFailure {
        service("svc", VIP, 0);
        endpoints("svc", "10.180.0.1", "10.180.0.2");
        apply();
        nft("replace rule ip cairn-proxy nat-prerouting handle " + handle("nat-prerouting", "jump services") + " accept comment "
                + RuleComment.of("jump services"));
        assertThat(backend.audit(desired()).drift())
                .containsExactly("table ip cairn-proxy: chain nat-prerouting has another rule in the place of jump services");
        apply();
        assertThat(backend.audit(desired())).isEqualTo(Audit.CLEAN);
        assertThat(answering(connect(CLIENT, VIP, "tcp", 1))).hasSize(1);
    }

    @Test
    void a_table_that_was_put_to_sleep_is_woken() throws ApplyFailure {
        service("svc", VIP, 0);
        endpoints("svc", "10.180.0.1");
        apply();
        nft("add table ip cairn-proxy { flags dormant ; }");
        assertThat(backend.audit(desired()).drift()).containsExactly("table ip cairn-proxy is dormant");
        apply();
        assertThat(backend.audit(desired())).isEqualTo(Audit.CLEAN);
        assertThat(answering(connect(CLIENT, VIP, "tcp", 1))).hasSize(1);
    }

    @Test
    void a_rule_that_was_put_back_by_somebody_else_is_no_drift() throws ApplyFailure {
        service("svc", VIP, 0);
        endpoints("svc", "10.180.0.1");
        apply();
        nft("replace rule ip cairn-proxy nat-prerouting handle " + handle("nat-prerouting", "jump services") + " jump services comment "
                + RuleComment.of("jump services"));
        assertThat(backend.audit(desired())).isEqualTo(Audit.CLEAN);
    }

    @Test
    void what_others_put_into_our_table_is_named_and_left_alone() throws ApplyFailure {
        service("svc", VIP, 0);
        endpoints("svc", "10.180.0.1");
        apply();
        nft("add chain ip cairn-proxy theirs");
        nft("add set ip cairn-proxy their-set { type ipv4_addr ; }");
        nft("add table ip their-table");
        assertThat(backend.audit(desired())).isEqualTo(new Audit(List.of(),
                List.of("table ip cairn-proxy: chain theirs", "table ip cairn-proxy: set their-set")));
        apply();
        nft("list chain ip cairn-proxy theirs");
        nft("delete table ip their-table");
    }

    @Test
    void what_a_dry_run_prints_and_nft_loads_is_what_would_be_programmed() throws ApplyFailure, IOException {
        service("svc", VIP, 10800);
        service("six", "fd00:172::41", 60);
        service("none", "172.30.0.43", 0);
        endpoints("svc", "10.180.0.1", "10.180.0.2", "10.180.0.3");
        endpoints("six", "fd00:10::1", "fd00:10::2");
        filtered("203.0.113.80", "203.0.113.0/25", "198.51.100.7/32");
        model.replan();
        Path file = Files.writeString(directory.resolve("rules.nft"), backend.render(desired()));
        nft("-f " + file);
        assertThat(backend.audit(desired())).isEqualTo(Audit.CLEAN);
        nft("add element ip cairn-proxy service-ranges { 10.7.0.0-10.7.0.9 }");
        nft("add element ip cairn-proxy firewall-allow { 203.0.113.80 . tcp . 80 . 198.51.100.64/26 }");
        nft("delete element ip cairn-proxy service-ranges { 172.30.0.0/16 }");
        assertThat(backend.audit(desired()).drift()).containsExactlyInAnyOrder(
                "table ip cairn-proxy: service-ranges has 10.7.0.0-10.7.0.9 without need",
                "table ip cairn-proxy: service-ranges lacks 172.30.0.0/16",
                "table ip cairn-proxy: firewall-allow has 203.0.113.80 . tcp . 80 . 198.51.100.64/26 without need");
        apply();
        assertThat(backend.audit(desired())).isEqualTo(Audit.CLEAN);
    }

    @Test
    void the_api_server_and_names_come_first() throws ApplyFailure {
        // More than fit into one transaction.
        for (int i = 0; i < 900; i++) {
            service("aaa" + i, "172.30." + (1 + i / 250) + "." + (1 + i % 250), 0);
            endpoints("aaa" + i, "10.180.0.1", "10.180.0.2", "10.180.0.3");
        }
        model.put(named("default", "kubernetes", "172.30.0.1", 443));
        model.put(named("kube-system", "kube-dns", "172.30.0.10", 53));
        apply();
        List<String> loads = scripts.stream().filter(script -> script.contains("172.30.1.") || script.contains("172.30.4.")).toList();
        assertThat(loads).hasSizeGreaterThan(1);
        assertThat(loads.getFirst()).contains("172.30.0.1 . tcp . 443", "172.30.0.10 . tcp . 53");
        assertThat(loads.getLast()).contains("172.30.4.").doesNotContain("172.30.0.1 . tcp . 443");
    }

    private static ServiceFact named(String namespace, String name, String vip, int port) {
        return new ServiceFact(namespace, name, ServiceFact.Kind.CLUSTER_IP, addresses(vip), List.of(new PortFact("tcp", Protocol.TCP, port)), "",
                List.of(), List.of(), List.of(), TrafficFact.PLAIN);
    }

    /** A service with a load balancer's address, and who may use it. */
    private void filtered(String address, String... ranges) {
        TrafficFact traffic = new TrafficFact(TrafficFact.Type.LOAD_BALANCER, false, false, 0, List.of(ranges), 0, addresses(address));
        model.put(new ServiceFact("ns", "lb", ServiceFact.Kind.CLUSTER_IP, addresses("172.30.0.44"),
                List.of(new PortFact("tcp", Protocol.TCP, 80)), "", List.of(), List.of(), List.of(), traffic));
        endpoints("lb", "10.180.0.1");
    }

    @Test
    void this_kernel_can_do_it_and_asking_leaves_nothing() {
        assertThat(NftProbe.probe(new NftRunner(testbed.inside(Testbed.NODE, List.of())), Set.of(IpFamily.values()))).isNull();
        assertThatThrownBy(() -> nft("list table ip cairn-proxy")).hasMessageContaining("No such file or directory");
    }

    @Test
    void connections_to_each_service_are_counted_if_it_is_wished() throws ApplyFailure {
        backend = newBackend().counting();
        service("svc", VIP, 0);
        service("other", "172.30.0.42", 0);
        service("six", "fd00:172::41", 0);
        endpoints("svc", "10.180.0.1", "10.180.0.2");
        endpoints("six", "fd00:10::1");
        apply();
        assertThat(answering(connect(CLIENT, VIP, "tcp", 3))).isNotEmpty();
        assertThat(answering(connect("2001:db8:5::1", "fd00:172::41", "tcp", 2))).isNotEmpty();
        NftRunner runner = new NftRunner(testbed.inside(Testbed.NODE, List.of()));
        Set<IpFamily> families = Set.of(IpFamily.values());
        // A packet that is sent again, as on a busy machine, counts again.
        assertThat(ServiceCounters.read(runner, families)).containsOnlyKeys(
                new ServiceName("ns", "svc"), new ServiceName("ns", "other"), new ServiceName("ns", "six"));
        assertThat(ServiceCounters.read(runner, families).get(new ServiceName("ns", "svc"))).isGreaterThanOrEqualTo(3);
        assertThat(ServiceCounters.read(runner, families).get(new ServiceName("ns", "six"))).isGreaterThanOrEqualTo(2);
        assertThat(ServiceCounters.read(runner, families).get(new ServiceName("ns", "other"))).isZero();
        model.remove(Resource.SERVICES, "ns", "other");
        service("svc", "172.30.0.42", 0);
        apply();
        assertThat(ServiceCounters.read(runner, families)).containsOnlyKeys(new ServiceName("ns", "svc"), new ServiceName("ns", "six"));
        assertThat(answering(connect(CLIENT, "172.30.0.42", "tcp", 1))).isNotEmpty();
        assertThat(ServiceCounters.read(runner, families).get(new ServiceName("ns", "svc"))).isGreaterThanOrEqualTo(4);
        assertThat(backend.cleanUp()).contains("nftables table ip cairn-counters", "nftables table ip6 cairn-counters");
    }

    @Test
    void counters_that_others_took_away_come_back() throws ApplyFailure {
        backend = newBackend().counting();
        service("svc", VIP, 0);
        endpoints("svc", "10.180.0.1");
        apply();
        assertThat(backend.audit(desired())).isEqualTo(Audit.CLEAN);
        nft("delete table ip cairn-counters");
        nft("flush chain ip6 cairn-counters output");
        assertThat(backend.audit(desired()).drift()).containsExactly(
                "table ip cairn-counters is missing", "table ip6 cairn-counters has other chains or rules");
        nft("flush ruleset");
        assertThat(backend.audit(desired()).drift()).isNotEmpty();
        apply();
        assertThat(backend.audit(desired())).isEqualTo(Audit.CLEAN);
        assertThat(answering(connect(CLIENT, VIP, "tcp", 1))).hasSize(1);
        assertThat(ServiceCounters.read(new NftRunner(testbed.inside(Testbed.NODE, List.of())), Set.of(IpFamily.values()))
                .get(new ServiceName("ns", "svc"))).isPositive();
    }

    @Test
    void a_pod_that_goes_round_the_policy_for_outside_traffic_keeps_its_endpoint() throws ApplyFailure {
        TrafficFact traffic = new TrafficFact(TrafficFact.Type.LOAD_BALANCER, false, true, 10800, List.of(), 0, addresses("203.0.113.81"));
        model.put(new ServiceFact("ns", "lb", ServiceFact.Kind.CLUSTER_IP, addresses("172.30.0.45"),
                List.of(new PortFact("tcp", Protocol.TCP, 80)), "", List.of(), List.of(), List.of(), traffic));
        endpoints("lb", "10.180.0.1");
        model.put(elsewhere("10.180.0.2"));
        apply();
        String affinity = "add element ip cairn-proxy affinity { 203.0.113.81 . tcp . 80 . ";
        nft(affinity + "10.7.0.1 timeout 1h : 10.180.0.2 . 8080 }");
        nft(affinity + "198.51.100.7 timeout 1h : 10.180.0.2 . 8080 }");
        nft(affinity + "198.51.100.8 timeout 1h : 10.180.0.1 . 8080 }");
        endpoints("lb", "10.180.0.1", "10.180.0.3");
        apply();
        assertThat(Testbed.run(testbed.inside(Testbed.NODE, List.of("nft", "list", "map", "ip", "cairn-proxy", "affinity"))))
                .contains("10.7.0.1", "198.51.100.8").doesNotContain("198.51.100.7");
    }

    private static SliceFact elsewhere(String endpoint) {
        return new SliceFact("ns", "lb-2", "lb", "", List.of(new PortFact("tcp", Protocol.TCP, 8080)), addresses(endpoint).stream()
                .map(address -> new EndpointFact(address, true, "", "", "another", "", true, false, EndpointHints.NONE)).toList(), 0);
    }
}
