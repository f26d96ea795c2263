package dev.cairn.proxy.ipvs;

import static dev.cairn.proxy.ipvs.VmNetwork.CLIENTS;
import static dev.cairn.proxy.ipvs.VmNetwork.ENDPOINTS;
import static dev.cairn.proxy.ipvs.VmNetwork.NODE;
import static dev.cairn.proxy.ipvs.VmNetwork.tcp;
import static dev.cairn.proxy.ipvs.VmNetwork.udp;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.cluster.control.AddressRange;
import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Protocol;
import dev.cairn.proxy.ipvs.TestCluster.Wishes;
import dev.cairn.proxy.ipvs.VmNetwork.Connection;
import dev.cairn.proxy.kernel.KernelSettings;
import dev.cairn.proxy.netlink.NetlinkException;
import dev.cairn.proxy.plan.Endpoint;
import dev.cairn.proxy.sync.ApplyFailure;
import dev.cairn.proxy.sync.Audit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Tries the backend on a real IPVS with real packets. The checks share one backend, as services of a node do. */
final class IpvsChecks {
    private static final String CLIENT = "203.0.113.2";
    private static final String CLIENT6 = "2001:db8:5::2";
    /** On the side of the clients, so that answers to it come by the node. */
    private static final String POD = "10.200.0.9";
    private static final String NODE_IP = "192.168.0.2";
    private static final List<String> FOUR = List.of("10.180.0.1", "10.180.0.2", "10.180.0.3");
    private static final List<String> SIX = List.of("fd00:10::1", "fd00:10::2", "fd00:10::3");
    private static final Duration LONGEST_DRAIN = Duration.ofMinutes(15);

    private final TestCluster cluster = new TestCluster(NODE_IP, "2001:db8::1");
    private final AtomicLong clock = new AtomicLong();
    private IpvsBackend backend = backend();

    private IpvsChecks() {}

    static Map<String, CheckRun.Check> all() {
        return new IpvsChecks().checks();
    }

    private Map<String, CheckRun.Check> checks() {
        Map<String, CheckRun.Check> checks = new LinkedHashMap<>();
        checks.put("the kernel can do it, and asking leaves nothing", this::probe);
        checks.put("the virtual machine has its network", this::network);
        checks.put("virtual servers and real servers are as planned", this::planned);
        checks.put("connections are spread evenly in both families", this::balance);
        checks.put("sources are masqueraded as they should be", this::sources);
        checks.put("without an endpoint and on other ports it is refused", this::refused);
        checks.put("node ports, external IPs and load balancers are served", this::outside);
        checks.put("source ranges are kept", this::sourceRanges);
        checks.put("traffic that must stay on the node does", this::local);
        checks.put("a client with affinity stays", this::affinity);
        checks.put("an endpoint that goes keeps its connections and gets no more", this::drain);
        checks.put("a drain ends when its time is over", this::drainCap);
        checks.put("each scheduler can be chosen by a service", this::schedulers);
        checks.put("the settings of the kernel are as kube-proxy has them", this::settings);
        checks.put("an audit names what drifted and apply repairs it", this::audit);
        checks.put("what a killed process has left is adopted untouched", this::adopt);
        checks.put("cleaning up removes ours only", this::cleanUp);
        return checks;
    }

    private static IpvsOptions options() {
        return new IpvsOptions("rr", List.of(AddressRange.parse("172.31.0.0/16")), true, Duration.ofSeconds(1000), Duration.ZERO, Duration.ZERO,
                LONGEST_DRAIN, 14);
    }

    private IpvsBackend backend() {
        return new IpvsBackend(new Kernel(Set.of(IpFamily.values())), Set.of(IpFamily.values()), options(), clock::get);
    }

    private static ServerKey key(String address, int port) {
        return new ServerKey(Protocol.TCP, new Endpoint(TestCluster.addresses(address).getFirst(), port));
    }

    private void apply() throws ApplyFailure {
        cluster.apply(backend);
    }

    private void probe() throws Exception {
        assertThat(IpvsBackend.probe(Set.of(IpFamily.values()))).isNull();
        assertThat(Path.of("/sys/class/net/cairn-probe0")).doesNotExist();
    }

    private void network() {
        List<String> endpoints = Stream.concat(FOUR.stream(), SIX.stream()).toList();
        VmNetwork.build(List.of(NODE_IP, "2001:db8::1"), List.of(CLIENT, "203.0.113.130", CLIENT6, POD), endpoints);
        endpoints.forEach(address -> VmNetwork.listen(address, 8080));
        assertThat(tcp(NODE, "", FOUR.getFirst(), 8080)).isEqualTo("10.180.0.1:8080=100.64.2.1");
        assertThat(tcp(NODE, "", SIX.getFirst(), 8080)).isEqualTo("[fd00:10::1]:8080=fd64:2::1");
    }

    private static String[] array(List<String> texts) {
        return texts.toArray(String[]::new);
    }

    private void planned() throws Exception {
        cluster.service("four", "10.96.0.1", new Wishes());
        cluster.service("six", "fd00:96::1", new Wishes().affinity(600));
        cluster.endpoints("four", array(FOUR));
        cluster.endpoints("six", "fd00:10::1");
        KernelSettings settings = new KernelSettings(Path.of("/"));
        settings.set(backend.sysctls());
        assertThat(settings.complaints()).isEmpty();
        apply();
        List<String> reals = FOUR.stream().map(address -> address + ":8080 1").toList();
        assertThat(VirtualServerList.read()).containsExactlyInAnyOrderEntriesOf(Map.of(
                "TCP 10.96.0.1:80 rr", reals, "UDP 10.96.0.1:80 rr", reals,
                "TCP [fd00:96::1]:80 rr persistent", List.of("[fd00:10::1]:8080 1"), "UDP [fd00:96::1]:80 rr persistent", List.of("[fd00:10::1]:8080 1")));
        try (Balancer kernel = NetlinkBalancer.open()) {
            assertThat(kernel.servers()).containsEntry(
                    new ServerKey(Protocol.UDP, new Endpoint(TestCluster.addresses("fd00:96::1").getFirst(), 80)), Server.of("rr", 600));
        }
        cluster.endpoints("four", "10.180.0.2");
        apply();
        assertThat(VirtualServerList.read()).containsEntry("TCP 10.96.0.1:80 rr", List.of("10.180.0.2:8080 1"));
        cluster.endpoints("four", array(FOUR));
        cluster.service("six", "fd00:96::1", new Wishes());
        cluster.endpoints("six", array(SIX));
        apply();
        assertThat(VirtualServerList.read()).containsEntry("UDP 10.96.0.1:80 rr", reals).containsKey("TCP [fd00:96::1]:80 rr");
    }

    private static Map<String, Integer> count(int times, Supplier<String> ask) {
        Map<String, Integer> counts = new TreeMap<>();
        for (int i = 0; i < times; i++) {
            counts.merge(ask.get().replaceAll("=.*", ""), 1, Integer::sum);
        }
        return counts;
    }

    private void balance() {
        Map<String, Integer> four = new TreeMap<>();
        FOUR.forEach(address -> four.put(address + ":8080", 4));
        Map<String, Integer> six = new TreeMap<>();
        SIX.forEach(address -> six.put("[" + address + "]:8080", 4));
        assertThat(count(12, () -> tcp(CLIENTS, CLIENT, "10.96.0.1", 80))).isEqualTo(four);
        assertThat(count(12, () -> udp(CLIENTS, CLIENT, "10.96.0.1", 80))).isEqualTo(four);
        assertThat(count(12, () -> tcp(CLIENTS, CLIENT6, "fd00:96::1", 80))).isEqualTo(six);
        assertThat(count(12, () -> udp(CLIENTS, CLIENT6, "fd00:96::1", 80))).isEqualTo(six);
    }

    private void sources() throws ApplyFailure {
        cluster.service("one", "10.96.0.2", new Wishes());
        cluster.service("one6", "fd00:96::2", new Wishes());
        cluster.endpoints("one", "10.180.0.1");
        cluster.endpoints("one6", "fd00:10::1");
        apply();
        assertThat(tcp(CLIENTS, CLIENT, "10.96.0.2", 80)).as("outside").isEqualTo("10.180.0.1:8080=100.64.2.1");
        assertThat(tcp(CLIENTS, CLIENT6, "fd00:96::2", 80)).as("outside").isEqualTo("[fd00:10::1]:8080=fd64:2::1");
        assertThat(tcp(CLIENTS, POD, "10.96.0.2", 80)).as("a pod").isEqualTo("10.180.0.1:8080=" + POD);
        assertThat(tcp(ENDPOINTS, "10.180.0.1", "10.96.0.2", 80)).as("itself").isEqualTo("10.180.0.1:8080=100.64.2.1");
        assertThat(tcp(ENDPOINTS, "fd00:10::1", "fd00:96::2", 80)).as("itself").isEqualTo("[fd00:10::1]:8080=fd64:2::1");
        assertThat(tcp(NODE, "", "10.96.0.2", 80)).as("the node").isEqualTo("10.180.0.1:8080=100.64.2.1");
        assertThat(tcp(NODE, "", "fd00:96::2", 80)).as("the node").isEqualTo("[fd00:10::1]:8080=fd64:2::1");
    }

    private void refused() throws ApplyFailure {
        cluster.service("none", "10.96.0.3", new Wishes());
        cluster.service("none6", "fd00:96::3", new Wishes());
        apply();
        assertThat(tcp(CLIENTS, CLIENT, "10.96.0.3", 80)).isEqualTo("reject");
        assertThat(udp(CLIENTS, CLIENT, "10.96.0.3", 80)).isEqualTo("reject");
        assertThat(tcp(CLIENTS, CLIENT6, "fd00:96::3", 80)).isEqualTo("reject");
        assertThat(tcp(CLIENTS, CLIENT, "10.96.0.1", 81)).as("another port").isEqualTo("reject");
        assertThat(tcp(NODE, "", "10.96.0.1", 81)).as("another port").isEqualTo("reject");
    }

    private void outside() throws ApplyFailure {
        cluster.service("ext", "10.96.0.4", new Wishes().nodePort(30080).externalIp("198.51.100.4"));
        cluster.service("ext6", "fd00:96::4", new Wishes().nodePort(30080));
        cluster.service("lb", "10.96.0.5", new Wishes().balancer("198.51.100.5"));
        cluster.endpoints("ext", "10.180.0.1");
        cluster.endpoints("ext6", "fd00:10::1");
        cluster.endpoints("lb", "10.180.0.2");
        apply();
        assertThat(tcp(CLIENTS, CLIENT, NODE_IP, 30080)).as("node port").isEqualTo("10.180.0.1:8080=100.64.2.1");
        assertThat(tcp(CLIENTS, CLIENT6, "2001:db8::1", 30080)).as("node port").isEqualTo("[fd00:10::1]:8080=fd64:2::1");
        assertThat(tcp(CLIENTS, POD, NODE_IP, 30080)).as("node port from a pod").isEqualTo("10.180.0.1:8080=100.64.2.1");
        assertThat(tcp(CLIENTS, CLIENT, "198.51.100.4", 80)).as("external IP").isEqualTo("10.180.0.1:8080=100.64.2.1");
        assertThat(tcp(CLIENTS, CLIENT, "198.51.100.5", 80)).as("load balancer").isEqualTo("10.180.0.2:8080=100.64.2.1");
    }

    private void sourceRanges() throws ApplyFailure {
        cluster.service("ranges", "10.96.0.6", new Wishes().balancer("198.51.100.6", "203.0.113.0/25"));
        cluster.endpoints("ranges", "10.180.0.1");
        apply();
        assertThat(tcp(CLIENTS, CLIENT, "198.51.100.6", 80)).isEqualTo("10.180.0.1:8080=100.64.2.1");
        assertThat(VmNetwork.silent(CLIENTS, "203.0.113.130", "198.51.100.6", 80)).isEqualTo("drop");
        assertThat(tcp(CLIENTS, "203.0.113.130", "10.96.0.6", 80)).as("the cluster IP").isEqualTo("10.180.0.1:8080=100.64.2.1");
    }

    private void local() throws ApplyFailure {
        cluster.service("local", "10.96.0.7", new Wishes().externalLocal().nodePort(30081).balancer("198.51.100.7"));
        cluster.service("inner", "10.96.0.8", new Wishes().internalLocal());
        cluster.endpoints("local", "10.180.0.1", "!10.180.0.2");
        cluster.endpoints("inner", "!10.180.0.2", "10.180.0.3");
        apply();
        for (int i = 0; i < 4; i++) {
            assertThat(tcp(CLIENTS, CLIENT, "198.51.100.7", 80)).isEqualTo("10.180.0.1:8080=203.0.113.2");
            assertThat(tcp(CLIENTS, CLIENT, NODE_IP, 30081)).isEqualTo("10.180.0.1:8080=203.0.113.2");
            assertThat(tcp(CLIENTS, CLIENT, "10.96.0.8", 80)).isEqualTo("10.180.0.3:8080=100.64.2.1");
        }
        cluster.endpoints("local", "!10.180.0.2");
        cluster.endpoints("inner", "!10.180.0.2");
        apply();
        assertThat(VmNetwork.silent(CLIENTS, CLIENT, "198.51.100.7", 80)).as("no endpoint here").isEqualTo("drop");
        assertThat(VmNetwork.silent(CLIENTS, CLIENT, NODE_IP, 30081)).as("no endpoint here").isEqualTo("drop");
        assertThat(VmNetwork.silent(CLIENTS, CLIENT, "10.96.0.8", 80)).as("no endpoint here").isEqualTo("drop");
        assertThat(tcp(NODE, "", "198.51.100.7", 80)).as("the node goes round the policy").isEqualTo("10.180.0.2:8080=100.64.2.1");
        assertThat(tcp(CLIENTS, POD, "198.51.100.7", 80)).as("pods do").isEqualTo("10.180.0.2:8080=" + POD);
    }

    private void affinity() throws ApplyFailure {
        cluster.service("sticky", "10.96.0.9", new Wishes().affinity(10800));
        cluster.service("sticky6", "fd00:96::9", new Wishes().affinity(10800));
        cluster.endpoints("sticky", array(FOUR));
        cluster.endpoints("sticky6", array(SIX));
        apply();
        Map<String, Integer> first = count(9, () -> tcp(CLIENTS, CLIENT, "10.96.0.9", 80));
        assertThat(first).hasSize(1).containsValue(9);
        assertThat(count(9, () -> tcp(CLIENTS, CLIENT6, "fd00:96::9", 80))).hasSize(1);
        String gone = first.keySet().iterator().next();
        cluster.endpoints("sticky", array(FOUR.stream().filter(address -> !gone.startsWith(address + ":")).toList()));
        apply();
        assertThat(count(6, () -> tcp(CLIENTS, CLIENT, "10.96.0.9", 80))).hasSize(1).doesNotContainKey(gone);
    }

    private static Connection open(String vip) throws Exception {
        return VmNetwork.open(CLIENTS, vip.contains(":") ? CLIENT6 : CLIENT, vip, 80, VmNetwork.PATIENCE);
    }

    private void drain() throws Exception {
        cluster.service("drain", "10.96.0.10", new Wishes());
        cluster.endpoints("drain", "10.180.0.1");
        apply();
        Connection connection = open("10.96.0.10");
        assertThat(connection.greeting()).startsWith("10.180.0.1:8080=");
        cluster.endpoints("drain", "10.180.0.2");
        apply();
        assertThat(VirtualServerList.read()).containsEntry("TCP 10.96.0.10:80 rr", List.of("10.180.0.1:8080 0", "10.180.0.2:8080 1"))
                .containsEntry("UDP 10.96.0.10:80 rr", List.of("10.180.0.2:8080 1"));
        assertThat(connection.echo("still there?")).isEqualTo("still there?");
        assertThat(count(4, () -> tcp(CLIENTS, CLIENT, "10.96.0.10", 80))).containsExactly(Map.entry("10.180.0.2:8080", 4));
        clock.addAndGet(Duration.ofSeconds(10).toNanos());
        backend.isDisturbed();
        assertThat(VirtualServerList.read().get("TCP 10.96.0.10:80 rr")).contains("10.180.0.1:8080 0");
        assertThat(backend.audit(cluster.desired())).as("a drain is no drift").isEqualTo(Audit.CLEAN);
        cluster.endpoints("drain", "10.180.0.1", "10.180.0.2");
        apply();
        assertThat(VirtualServerList.read()).containsEntry("TCP 10.96.0.10:80 rr", List.of("10.180.0.1:8080 1", "10.180.0.2:8080 1"));
        assertThat(connection.echo("and now?")).isEqualTo("and now?");
        connection.close();
    }

    private void drainCap() throws Exception {
        cluster.service("cap", "fd00:96::b", new Wishes());
        cluster.endpoints("cap", "fd00:10::1");
        apply();
        try (Connection connection = open("fd00:96::b")) {
            cluster.endpoints("cap", "fd00:10::2");
            apply();
            assertThat(connection.echo("still there?")).isEqualTo("still there?");
            clock.addAndGet(LONGEST_DRAIN.toNanos());
            backend.isDisturbed();
            assertThat(VirtualServerList.read()).containsEntry("TCP [fd00:96::b]:80 rr", List.of("[fd00:10::2]:8080 1"));
        }
    }

    private void schedulers() throws ApplyFailure {
        List<String> names = List.of("rr", "wrr", "lc", "wlc", "sh", "dh", "sed", "nq", "mh");
        for (int i = 0; i < names.size(); i++) {
            cluster.service("by-" + names.get(i), "10.96.1." + i, new Wishes().scheduler(names.get(i)));
            cluster.endpoints("by-" + names.get(i), "10.180.0.1", "10.180.0.2");
        }
        cluster.service("by-magic", "10.96.1.20", new Wishes().scheduler("magic"));
        apply();
        Map<String, List<String>> servers = VirtualServerList.read();
        for (int i = 0; i < names.size(); i++) {
            assertThat(servers).containsEntry("TCP 10.96.1." + i + ":80 " + names.get(i), List.of("10.180.0.1:8080 1", "10.180.0.2:8080 1"));
            assertThat(tcp(CLIENTS, CLIENT, "10.96.1." + i, 80)).as(names.get(i)).matches("10\\.180\\.0\\.[12]:8080=.*");
        }
        assertThat(servers).containsKey("TCP 10.96.1.20:80 rr");
        cluster.service("by-sh", "10.96.1.4", new Wishes().scheduler("lc"));
        apply();
        assertThat(VirtualServerList.read()).containsKey("TCP 10.96.1.4:80 lc").doesNotContainKey("TCP 10.96.1.4:80 sh");
    }

    private void settings() throws Exception {
        for (String setting : List.of("ipv4/vs/conntrack=1", "ipv4/vs/expire_nodest_conn=1", "ipv4/vs/expire_quiescent_template=1", "ipv4/ip_forward=1",
                "ipv4/conf/all/arp_ignore=1", "ipv4/conf/all/arp_announce=2")) {
            String[] parts = setting.split("=", -1);
            assertThat(Files.readString(Path.of("/proc/sys/net/" + parts[0])).strip()).as(parts[0]).isEqualTo(parts[1]);
        }
    }

    private void audit() throws Exception {
        assertThat(backend.audit(cluster.desired())).isEqualTo(Audit.CLEAN);
        assertThat(backend().audit(cluster.desired())).as("by another process").isEqualTo(Audit.CLEAN);
        assertThat(backend.isDisturbed()).isFalse();
        try (Balancer others = NetlinkBalancer.open()) {
            ServerKey web = key("10.96.0.1", 80);
            ServerKey one = key("10.96.0.2", 80);
            others.make(List.of(new Change.DeleteServer(web), new Change.DeleteReal(one, key("10.180.0.1", 8080).at()), new Change.DeleteAddress(TestCluster.addresses("10.96.0.3").getFirst())));
        }
        assertThat(backend.isDisturbed()).isTrue();
        VmNetwork.run("", "iptables", "-t", "nat", "-D", "POSTROUTING", "1");
        VmNetwork.run("", "ipset", "del", "cairn-cluster-places", "10.96.0.1,tcp:80");
        assertThat(backend.audit(cluster.desired()).drift()).containsExactlyInAnyOrder(
                "virtual server -t 10.96.0.1:80 is missing",
                "virtual server -t 10.96.0.2:80 lacks real server 10.180.0.1:8080",
                "kube-ipvs0 lacks 10.96.0.3",
                "iptables: the jump from POSTROUTING to CAIRN-IPVS-MASQUERADE is missing",
                "set cluster-places lacks 10.96.0.1,tcp:80");
        apply();
        assertThat(backend.isDisturbed()).isFalse();
        assertThat(backend.audit(cluster.desired())).isEqualTo(Audit.CLEAN);
        assertThat(tcp(CLIENTS, CLIENT, "10.96.0.1", 80)).contains("=100.64.2.1");
    }

    /** A process of its own programs the same cluster from files, and is killed. */
    private void adopt() throws Exception {
        backend.cleanUp();
        assertThat(VirtualServerList.read()).isEmpty();
        Path manifests = Files.createDirectories(Path.of("/run/tmp/cluster"));
        Files.writeString(manifests.resolve("cluster.yaml"), """
                apiVersion: v1
                kind: Service
                metadata: {name: web, namespace: ns, annotations: {cairn.dev/ipvs-scheduler: lc}}
                spec: {clusterIP: 10.96.0.20, ports: [{name: tcp, port: 80}, {name: udp, port: 80, protocol: UDP}]}
                ---
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {name: web-1, namespace: ns, labels: {kubernetes.io/service-name: web}}
                addressType: IPv4
                ports: [{name: tcp, port: 8080}, {name: udp, port: 8080, protocol: UDP}]
                endpoints: [{addresses: [10.180.0.1], nodeName: node}, {addresses: [10.180.0.2], nodeName: node}]
                """);
        Process proxy = VmProxy.startOn(manifests, "--proxy-mode", "ipvs", "--ipvs-strict-arp", "--nodeport-addresses", NODE_IP + "/32");
        await().atMost(Duration.ofMinutes(3)).until(() -> {
            assertThat(proxy.isAlive()).as("the proxy runs").isTrue();
            return tcp(CLIENTS, CLIENT, "10.96.0.20", 80).contains(":8080=");
        });
        proxy.destroyForcibly();
        proxy.waitFor();
        Map<String, List<String>> left = VirtualServerList.read();
        assertThat(left).containsEntry("TCP 10.96.0.20:80 lc", List.of("10.180.0.1:8080 1", "10.180.0.2:8080 1"));
        try (Connection connection = open("10.96.0.20")) {
            TestCluster same = new TestCluster(NODE_IP, "2001:db8::1");
            same.service("web", "10.96.0.20", new Wishes().scheduler("lc"));
            same.endpoints("web", "10.180.0.1", "10.180.0.2");
            List<Change> made = new ArrayList<>();
            IpvsBackend next = new IpvsBackend(new Kernel(Set.of(IpFamily.values())) {
                @Override
                Balancer balancer() throws NetlinkException {
                    return new Listening(super.balancer(), made);
                }
            }, Set.of(IpFamily.values()), options(), clock::get);
            same.apply(next);
            assertThat(made).as("changes to what is there already").isEmpty();
            assertThat(VirtualServerList.read()).isEqualTo(left);
            assertThat(connection.echo("still there?")).isEqualTo("still there?");
            next.close();
        }
    }

    private void cleanUp() throws Exception {
        try (Balancer others = NetlinkBalancer.open()) {
            List<Change> theirs = new ArrayList<>();
            for (String address : List.of("172.31.0.1", "192.0.2.77")) {
                theirs.add(new Change.PutServer(key(address, 443), new Server("rr", 0, 0), true));
            }
            theirs.add(new Change.AddAddress(TestCluster.addresses("172.31.0.1").getFirst()));
            others.make(theirs);
            backend = backend();
            apply();
            assertThat(VirtualServerList.read()).as("after an apply").containsKeys("TCP 172.31.0.1:443 rr", "TCP 192.0.2.77:443 rr", "TCP 10.96.0.1:80 rr");
            assertThat(backend.cleanUp()).contains("virtual server -t 10.96.0.1:80", "20 sets cairn-* and cairn6-* of ipset", "chains CAIRN-IPVS-* of iptables");
            assertThat(VirtualServerList.read()).containsOnlyKeys("TCP 172.31.0.1:443 rr", "TCP 192.0.2.77:443 rr");
            assertThat(others.addresses()).isEqualTo(Set.copyOf(TestCluster.addresses("172.31.0.1")));
            assertThat(backend.cleanUp()).as("the second time").isEmpty();
            others.make(List.of(new Change.DeleteServer(key("172.31.0.1", 443)), new Change.DeleteServer(key("192.0.2.77", 443))));
            assertThat(others.removeLink()).isTrue();
        }
    }
}
