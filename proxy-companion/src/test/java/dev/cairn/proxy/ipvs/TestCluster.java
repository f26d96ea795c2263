package dev.cairn.proxy.ipvs;

import dev.cairn.cluster.control.AddressRange;
import dev.cairn.facts.Address;
import dev.cairn.facts.EndpointFact;
import dev.cairn.facts.EndpointHints;
import dev.cairn.facts.PortFact;
import dev.cairn.facts.Protocol;
import dev.cairn.facts.Resource;
import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.SliceFact;
import dev.cairn.facts.TrafficFact;
import dev.cairn.proxy.plan.ClusterModel;
import dev.cairn.proxy.plan.LocalDetector;
import dev.cairn.proxy.plan.NodePortAddresses;
import dev.cairn.proxy.plan.NodeView;
import dev.cairn.proxy.plan.TrafficOptions;
import dev.cairn.proxy.sync.ApplyFailure;
import dev.cairn.proxy.sync.Backend;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** A cluster for tests. Its services have port 80 for TCP and UDP, its endpoints 8080, its pods addresses in 10.0.0.0/8 and fd00:10::/32. */
final class TestCluster {
    private static final LocalDetector PODS =
            new LocalDetector.Ranges(List.of(AddressRange.parse("10.0.0.0/8"), AddressRange.parse("fd00:10::/32")));

    private final ClusterModel model;

    TestCluster(String... nodeAddresses) {
        List<Address> own = addresses(nodeAddresses);
        model = new ClusterModel(new NodeView("node", "", own, own, List.of()), _ -> {});
    }

    static List<Address> addresses(String... texts) {
        return Stream.of(texts).map(text -> Objects.requireNonNull(Address.parse(text))).toList();
    }

    /** What a service is to be; by default one with a cluster IP. */
    static final class Wishes {
        private TrafficFact.Type type = TrafficFact.Type.CLUSTER_IP;
        private boolean internalLocal;
        private boolean externalLocal;
        private int affinity;
        private List<String> ranges = List.of();
        private List<Address> balancerIps = List.of();
        private List<Address> externalIps = List.of();
        private String scheduler = "";
        private int nodePort;

        Wishes internalLocal() {
            internalLocal = true;
            return this;
        }

        Wishes externalLocal() {
            externalLocal = true;
            return this;
        }

        Wishes affinity(int seconds) {
            affinity = seconds;
            return this;
        }

        Wishes scheduler(String name) {
            scheduler = name;
            return this;
        }

        Wishes nodePort(int port) {
            type = TrafficFact.Type.NODE_PORT;
            nodePort = port;
            return this;
        }

        Wishes externalIp(String address) {
            externalIps = addresses(address);
            return this;
        }

        Wishes balancer(String address, String... only) {
            type = TrafficFact.Type.LOAD_BALANCER;
            balancerIps = addresses(address);
            ranges = List.of(only);
            return this;
        }
    }

    void service(String name, String vip, Wishes wishes) {
        TrafficFact traffic = new TrafficFact(wishes.type, wishes.internalLocal, wishes.externalLocal, wishes.affinity, wishes.ranges, 0,
                wishes.balancerIps, wishes.scheduler);
        model.put(new ServiceFact("ns", name, ServiceFact.Kind.CLUSTER_IP, addresses(vip),
                List.of(new PortFact("tcp", Protocol.TCP, 80, wishes.nodePort), new PortFact("udp", Protocol.UDP, 80)), "", wishes.externalIps, List.of(),
                List.of(), traffic));
    }

    /** Those that begin with an exclamation mark are on another node. */
    void endpoints(String service, String... endpoints) {
        List<EndpointFact> facts = Stream.of(endpoints)
                .map(text -> new EndpointFact(addresses(text.replace("!", "")).getFirst(), true, "", "", text.startsWith("!") ? "other" : "node", "", true,
                        false, EndpointHints.NONE))
                .toList();
        model.put(new SliceFact("ns", service + "-1", service, "",
                List.of(new PortFact("tcp", Protocol.TCP, 8080), new PortFact("udp", Protocol.UDP, 8080)), facts, 0));
    }

    /** A service with a port for SCTP, and its endpoints. */
    void sctp(String name, String vip, int port, int target, List<String> endpoints) {
        model.put(new ServiceFact("ns", name, ServiceFact.Kind.CLUSTER_IP, addresses(vip), List.of(new PortFact("sctp", Protocol.SCTP, port)), "", List.of(),
                List.of(), List.of(), TrafficFact.PLAIN));
        List<EndpointFact> facts = endpoints.stream()
                .map(text -> new EndpointFact(addresses(text).getFirst(), true, "", "", "node", "", true, false, EndpointHints.NONE)).toList();
        model.put(new SliceFact("ns", name + "-1", name, "", List.of(new PortFact("sctp", Protocol.SCTP, target)), facts, 0));
    }

    /** The service of the API server. */
    void urgent(String vip) {
        model.put(new ServiceFact("default", "kubernetes", ServiceFact.Kind.CLUSTER_IP, addresses(vip), List.of(new PortFact("https", Protocol.TCP, 443)), "",
                List.of(), List.of(), List.of(), TrafficFact.PLAIN));
    }

    void remove(String service) {
        model.remove(Resource.SERVICES, "ns", service);
    }

    Backend.Desired desired() {
        return new Backend.Desired(model.plans(), model.node(),
                new TrafficOptions(false, PODS, NodePortAddresses.ALL, List.of(), false, false));
    }

    void apply(Backend backend) throws ApplyFailure {
        backend.apply(desired(), model.replan());
    }
}
