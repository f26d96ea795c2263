package dev.cairn.proxy.ipvs;

import static dev.cairn.proxy.ipvs.VmNetwork.CLIENTS;
import static dev.cairn.proxy.ipvs.VmNetwork.tcp;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.facts.Protocol;
import dev.cairn.proxy.plan.Endpoint;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Takes away what a running process has programmed. The network is that of {@code IpvsChecks}. */
final class RepairChecks {
    private static final String CLIENT = "203.0.113.2";

    private RepairChecks() {}

    static Map<String, CheckRun.Check> all() {
        Map<String, CheckRun.Check> all = new LinkedHashMap<>();
        all.put("what others take away is put back long before the next audit", RepairChecks::repair);
        return all;
    }

    private static void repair() throws Exception {
        Process proxy = VmProxy.start("--proxy-mode", "ipvs");
        try (Balancer others = NetlinkBalancer.open()) {
            awaitService(proxy);
            others.make(others.servers().keySet().stream().map(Change.DeleteServer::new).toList());
            awaitService(proxy);
            assertThat(others.removeLink()).isTrue();
            awaitService(proxy);
            VmNetwork.run("", "ipset", "flush", "cairn-cluster-places");
            awaitService(proxy);
            VmNetwork.run("", "iptables", "-t", "nat", "-F");
            awaitService(proxy);
            others.make(List.of(new Change.DeleteReal(key(), new Endpoint(TestCluster.addresses("10.180.0.1").getFirst(), 8080))));
            await().atMost(VmProxy.PATIENCE).until(() -> others.reals(key()).size() == 2);
        } finally {
            VmProxy.end(proxy);
        }
        VmProxy.clear();
    }

    private static ServerKey key() {
        return new ServerKey(Protocol.TCP, new Endpoint(TestCluster.addresses(KubeProxyLeft.WEB).getFirst(), 80));
    }

    /** Without its rules the endpoint would see the client itself, which the answers would not come back from. */
    private static void awaitService(Process proxy) {
        await().atMost(VmProxy.PATIENCE).until(() -> !proxy.isAlive()
                || VmNetwork.silent(CLIENTS, CLIENT, KubeProxyLeft.WEB, 80).contains(":8080=100.64.2.1"));
        assertThat(proxy.isAlive()).isTrue();
        assertThat(tcp(CLIENTS, CLIENT, KubeProxyLeft.WEB, 80)).contains(":8080=100.64.2.1");
    }
}
