package dev.cairn.plugin.kubernetes;

import static org.awaitility.Awaitility.await;

import dev.cairn.chain.Dispatcher;
import dev.cairn.chain.Exchange;
import dev.cairn.chain.Protocol;
import dev.cairn.testing.Garbage;
import dev.cairn.testing.TestChain;
import dev.cairn.testing.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Type;

/** Services, endpoints, ports, addresses and names that are not there: once made, an answer costs no garbage. */
class KubernetesAllocationTest {
    private static final int QUERIES = 5_000;
    private static final String CLUSTER = """
            apiVersion: v1
            kind: Service
            metadata: {name: web, namespace: shop}
            spec: {clusterIP: 10.0.0.1, ports: [{name: http, port: 80}]}
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: db, namespace: shop}
            spec: {clusterIP: None, ports: [{name: sql, port: 5432}]}
            ---
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: db-1, namespace: shop, labels: {kubernetes.io/service-name: db}}
            addressType: IPv4
            ports: [{name: sql, port: 5432}]
            endpoints: [{addresses: [10.1.0.1], hostname: db-0}, {addresses: [10.1.0.2], hostname: db-1}]
            """;

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({
        "web.shop.svc.cluster.local, A", "web.shop.svc.cluster.local, AAAA", "web.shop.svc.cluster.local, SRV", "db.shop.svc.cluster.local, A",
        "db-0.db.shop.svc.cluster.local, A", "_sql._tcp.db.shop.svc.cluster.local, SRV", "1.0.0.10.in-addr.arpa, PTR", "1.0.1.10.in-addr.arpa, PTR",
        "none.shop.svc.cluster.local, A", "db.shop.svc.cluster.local.shop.svc.cluster.local, A", "web.none.svc.cluster.local, A",
        "none.db.shop.svc.cluster.local, A", "9.0.0.10.in-addr.arpa, PTR", "cluster.local, SOA", "cluster.local, NS"
    })
    void answersWithoutGarbage(String name, String type) throws Exception {
        Files.writeString(directory.resolve("cluster.yaml"), CLUSTER);
        byte[] packet = TestServer.query(name, Type.value(type)).toWire();
        try (TestChain chain = new TestChain("kubernetes cluster.local in-addr.arpa {\n manifests " + directory + "\n}", List.of(new KubernetesSetup()))) {
            Exchange exchange = new Exchange();
            await().until(() -> rcode(chain, exchange, packet) != Rcode.SERVFAIL);
            Garbage.assertNone(() -> {
                for (int i = 0; i < QUERIES; i++) {
                    rcode(chain, exchange, packet);
                }
            });
        }
    }

    private static int rcode(TestChain chain, Exchange exchange, byte[] packet) {
        exchange.from(Protocol.UDP, new byte[4], 1, new byte[4], 53, 4);
        System.arraycopy(packet, 0, exchange.query().buffer(packet.length), 0, packet.length);
        int length = chain.dispatcher().handle(exchange, packet.length, chain.router(), Dispatcher.worker(), (_, _, _) -> {});
        if (length < packet.length) {
            throw new AssertionError("no reply");
        }
        return exchange.answer().rcode();
    }
}
