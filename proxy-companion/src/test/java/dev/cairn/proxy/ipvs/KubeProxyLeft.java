package dev.cairn.proxy.ipvs;

import dev.cairn.facts.Protocol;
import dev.cairn.proxy.kernel.KernelSettings;
import dev.cairn.proxy.netlink.NetlinkException;
import dev.cairn.proxy.plan.Endpoint;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a kube-proxy in mode ipvs leaves on a node, for two services with node ports, {@code web} and {@code gone}: virtual servers, addresses,
 * sets and rules are those that one of 1.36 makes.
 */
final class KubeProxyLeft {
    static final String WEB = "10.96.0.20";
    static final String GONE = "10.96.0.21";
    static final String EXTERNAL = "198.51.100.4";
    static final int NODE_PORT = 30080;
    static final int GONE_NODE_PORT = 30081;
    private static final List<String> ENDPOINTS = List.of("10.180.0.1", "10.180.0.2");

    private static final String SETS = """
            create KUBE-CLUSTER-IP hash:ip,port
            add KUBE-CLUSTER-IP 10.96.0.20,tcp:80
            add KUBE-CLUSTER-IP 10.96.0.20,udp:80
            add KUBE-CLUSTER-IP 10.96.0.21,tcp:80
            create KUBE-EXTERNAL-IP hash:ip,port
            add KUBE-EXTERNAL-IP 198.51.100.4,tcp:80
            add KUBE-EXTERNAL-IP 198.51.100.4,udp:80
            create KUBE-EXTERNAL-IP-LOCAL hash:ip,port
            create KUBE-LOAD-BALANCER hash:ip,port
            create KUBE-LOAD-BALANCER-FW hash:ip,port
            create KUBE-LOAD-BALANCER-LOCAL hash:ip,port
            create KUBE-LOAD-BALANCER-SOURCE-CIDR hash:ip,port,net
            create KUBE-LOAD-BALANCER-SOURCE-IP hash:ip,port,ip
            create KUBE-LOOP-BACK hash:ip,port,ip
            add KUBE-LOOP-BACK 10.180.0.1,tcp:8080,10.180.0.1
            add KUBE-LOOP-BACK 10.180.0.1,udp:8080,10.180.0.1
            add KUBE-LOOP-BACK 10.180.0.2,tcp:8080,10.180.0.2
            add KUBE-LOOP-BACK 10.180.0.2,udp:8080,10.180.0.2
            create KUBE-IPVS-IPS hash:ip
            add KUBE-IPVS-IPS 10.96.0.20
            add KUBE-IPVS-IPS 10.96.0.21
            add KUBE-IPVS-IPS 198.51.100.4
            create KUBE-HEALTH-CHECK-NODE-PORT bitmap:port range 0-65535
            create KUBE-NODE-PORT-TCP bitmap:port range 0-65535
            add KUBE-NODE-PORT-TCP 30080
            add KUBE-NODE-PORT-TCP 30081
            create KUBE-NODE-PORT-UDP bitmap:port range 0-65535
            create KUBE-NODE-PORT-LOCAL-TCP bitmap:port range 0-65535
            create KUBE-NODE-PORT-LOCAL-UDP bitmap:port range 0-65535
            create KUBE-NODE-PORT-SCTP-HASH hash:ip,port
            create KUBE-NODE-PORT-LOCAL-SCTP-HASH hash:ip,port
            create KUBE-6-NODE-PORT-LOCAL-SCTP-HAS hash:ip,port family inet6
            create KUBE-6-LOAD-BALANCER-SOURCE-CID hash:ip,port,net family inet6
            """;
    private static final String JUMPS = """
            *filter
            :KUBE-FORWARD - [0:0]
            :KUBE-IPVS-FILTER - [0:0]
            :KUBE-IPVS-OUT-FILTER - [0:0]
            :KUBE-NODE-PORT - [0:0]
            :KUBE-PROXY-FIREWALL - [0:0]
            :KUBE-SOURCE-RANGES-FIREWALL - [0:0]
            -A INPUT -m comment --comment "kubernetes ipvs access filter" -j KUBE-IPVS-FILTER
            -A INPUT -m comment --comment "kube-proxy firewall rules" -j KUBE-PROXY-FIREWALL
            -A INPUT -m comment --comment "kubernetes health check rules" -j KUBE-NODE-PORT
            -A FORWARD -m comment --comment "kube-proxy firewall rules" -j KUBE-PROXY-FIREWALL
            -A FORWARD -m comment --comment "kubernetes forwarding rules" -j KUBE-FORWARD
            -A OUTPUT -m comment --comment "kubernetes ipvs access filter" -j KUBE-IPVS-OUT-FILTER
            COMMIT
            *nat
            :KUBE-LOAD-BALANCER - [0:0]
            :KUBE-MARK-MASQ - [0:0]
            :KUBE-NODE-PORT - [0:0]
            :KUBE-POSTROUTING - [0:0]
            :KUBE-SERVICES - [0:0]
            -A PREROUTING -m comment --comment "kubernetes service portals" -j KUBE-SERVICES
            -A OUTPUT -m comment --comment "kubernetes service portals" -j KUBE-SERVICES
            -A POSTROUTING -m comment --comment "kubernetes postrouting rules" -j KUBE-POSTROUTING
            COMMIT
            """;
    private static final String RULES = """
            *filter
            -A KUBE-FORWARD -m mark --mark 0x4000/0x4000 -j ACCEPT
            -A KUBE-FORWARD -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT
            -A KUBE-IPVS-FILTER -m set --match-set KUBE-LOAD-BALANCER dst,dst -j RETURN
            -A KUBE-IPVS-FILTER -m set --match-set KUBE-CLUSTER-IP dst,dst -j RETURN
            -A KUBE-IPVS-FILTER -m set --match-set KUBE-EXTERNAL-IP dst,dst -j RETURN
            -A KUBE-IPVS-FILTER -m set --match-set KUBE-EXTERNAL-IP-LOCAL dst,dst -j RETURN
            -A KUBE-IPVS-FILTER -m set --match-set KUBE-HEALTH-CHECK-NODE-PORT dst -j RETURN
            -A KUBE-IPVS-FILTER -m conntrack --ctstate NEW -m set --match-set KUBE-IPVS-IPS dst -j REJECT
            -A KUBE-NODE-PORT -m set --match-set KUBE-HEALTH-CHECK-NODE-PORT dst -j ACCEPT
            -A KUBE-SOURCE-RANGES-FIREWALL -j DROP
            COMMIT
            *nat
            -A KUBE-LOAD-BALANCER -j KUBE-MARK-MASQ
            -A KUBE-MARK-MASQ -j MARK --set-xmark 0x4000/0x4000
            -A KUBE-NODE-PORT -p tcp -m set --match-set KUBE-NODE-PORT-TCP dst -j KUBE-MARK-MASQ
            -A KUBE-POSTROUTING -m set --match-set KUBE-LOOP-BACK dst,dst,src -j MASQUERADE
            -A KUBE-POSTROUTING -m mark ! --mark 0x4000/0x4000 -j RETURN
            -A KUBE-POSTROUTING -j MARK --set-xmark 0x4000/0x0
            -A KUBE-POSTROUTING -j MASQUERADE --random-fully
            -A KUBE-SERVICES -s 127.0.0.0/8 -j RETURN
            -A KUBE-SERVICES ! -s 10.0.0.0/8 -m set --match-set KUBE-CLUSTER-IP dst,dst -j KUBE-MARK-MASQ
            -A KUBE-SERVICES -m set --match-set KUBE-EXTERNAL-IP dst,dst -j KUBE-MARK-MASQ
            -A KUBE-SERVICES -m addrtype --dst-type LOCAL -j KUBE-NODE-PORT
            -A KUBE-SERVICES -m set --match-set KUBE-CLUSTER-IP dst,dst -j ACCEPT
            COMMIT
            """;

    private KubeProxyLeft() {}

    /** Makes it so, for a node with some addresses. */
    static void make(List<String> node) throws NetlinkException, Balancer.Refusal {
        new KernelSettings(Path.of("/")).set(Sysctls.wanted(true, Sysctls.kernel()));
        List<Change> changes = new ArrayList<>();
        for (String address : List.of(WEB, EXTERNAL)) {
            server(changes, Protocol.TCP, address, 80, new Server("rr", 0, 0));
            server(changes, Protocol.UDP, address, 80, new Server("rr", 0, 0));
        }
        server(changes, Protocol.TCP, GONE, 80, new Server("rr", Server.PERSISTENT, 600));
        for (String address : node) {
            server(changes, Protocol.TCP, address, NODE_PORT, new Server("rr", 0, 0));
            server(changes, Protocol.TCP, address, GONE_NODE_PORT, new Server("rr", Server.PERSISTENT, 600));
        }
        TestCluster.addresses(WEB, EXTERNAL, GONE).forEach(address -> changes.add(new Change.AddAddress(address)));
        try (Balancer balancer = NetlinkBalancer.open()) {
            balancer.makeLink();
            balancer.make(changes);
        }
        makeRules("", List.of());
    }

    /** Makes sets and rules alone, of a kind of iptables, by commands that begin with some words. */
    static void makeRules(String kind, List<String> prefix) {
        run(SETS, prefix, "ipset", "restore");
        for (String family : List.of("iptables", "ip6tables")) {
            run(JUMPS, prefix, family + kind + "-restore", "--noflush");
        }
        run(RULES, prefix, "iptables" + kind + "-restore", "--noflush");
    }

    private static void run(String input, List<String> prefix, String... command) {
        VmNetwork.run(input, Stream.concat(prefix.stream(), Stream.of(command)).toArray(String[]::new));
    }

    private static void server(List<Change> changes, Protocol protocol, String address, int port, Server server) {
        ServerKey key = new ServerKey(protocol, new Endpoint(TestCluster.addresses(address).getFirst(), port));
        changes.add(new Change.PutServer(key, server, true));
        ENDPOINTS.forEach(endpoint -> changes.add(new Change.PutReal(key, new Endpoint(TestCluster.addresses(endpoint).getFirst(), 8080), 1, true)));
    }
}
