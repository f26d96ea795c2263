package dev.cairn.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.proxy.packets.Testbed;
import dev.cairn.testing.CairnProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The command on a node with real rules: its clients ask it for names, and reach what these lead to. */
@EnabledIf(value = "dev.cairn.proxy.packets.Testbed#isPossible", disabledReason = Testbed.NEEDS)
class NodeOnKernelTest {
    private static final String VIP = "172.30.0.41";
    private static final String NODE = "100.64.1.1";

    @TempDir
    private Path directory;

    @TempDir
    private Path manifests;

    private final Testbed testbed = new Testbed();

    @AfterEach
    void tearDown() {
        testbed.close();
    }

    @BeforeEach
    void serve() throws IOException {
        testbed.address(Testbed.CLIENTS, "203.0.113.2");
        for (String endpoint : List.of("10.180.0.1", "10.180.0.2")) {
            testbed.address(Testbed.ENDPOINTS, endpoint);
            testbed.listen(endpoint, 8080, "tcp");
        }
        cluster("10.180.0.1");
        corefile("");
    }

    /** A service with an address, and a headless one, with the same endpoint. */
    private void cluster(String endpoint) throws IOException {
        StringBuilder text = new StringBuilder();
        for (String service : List.of("web", "db")) {
            text.append("""
                    apiVersion: v1
                    kind: Service
                    metadata: {name: %s, namespace: shop}
                    spec: {clusterIP: %s, ports: [{name: http, port: 80}]}
                    ---
                    apiVersion: discovery.k8s.io/v1
                    kind: EndpointSlice
                    metadata: {name: %s-1, namespace: shop, labels: {kubernetes.io/service-name: %s}}
                    addressType: IPv4
                    ports: [{name: http, port: 8080}]
                    endpoints: [{addresses: [%s]}]
                    ---
                    """.formatted(service, service.equals("web") ? VIP : "None", service, service, endpoint));
        }
        Path next = Files.writeString(directory.resolve("next"), text);
        Files.move(next, manifests.resolve("cluster.yaml"), StandardCopyOption.REPLACE_EXISTING);
    }

    private void corefile(String more) throws IOException {
        Files.writeString(directory.resolve("Corefile"), """
                .:53 {
                    kubernetes cluster.local {
                        ttl 0
                    }
                    %s
                }
                """.formatted(more));
    }

    private CairnProcess start(String... wrapper) throws IOException {
        List<String> inside = new ArrayList<>(List.of(wrapper));
        return NodeProcess.start(testbed.inside(Testbed.NODE, inside), directory, "-conf", "Corefile", "--manifests", manifests.toString());
    }

    private String ask(String name) {
        List<String> dig = testbed.inside(Testbed.CLIENTS, List.of("dig", "@" + NODE, "+short", "+tries=1", "+time=30", name));
        return Testbed.run(dig).strip();
    }

    private String connect() {
        return testbed.connect(Testbed.CLIENTS, "203.0.113.2", VIP, 80, "tcp", 1, 30);
    }

    private void awaitServiceAt(String endpoint) {
        await().ignoreExceptions().untilAsserted(() -> assertThat(ask("db.shop.svc.cluster.local")).isEqualTo(endpoint));
        await().untilAsserted(() -> assertThat(testbed.connect(Testbed.CLIENTS, "203.0.113.2", VIP, 80, "tcp", 1, 1))
                .isEqualTo("dnat " + endpoint + ":8080=203.0.113.2"));
    }

    @Test
    void one_process_answers_for_a_service_and_leads_to_it_and_both_follow_its_endpoints() throws Exception {
        try (CairnProcess node = start()) {
            node.awaitOutput("Cairn-");
            awaitServiceAt("10.180.0.1");
            assertThat(ask("web.shop.svc.cluster.local")).isEqualTo(VIP);
            cluster("10.180.0.2");
            awaitServiceAt("10.180.0.2");

            corefile("whoami nonsense");
            node.signal("USR1");
            node.awaitOutput("the old one stays in service");
            corefile("errors");
            node.signal("USR1");
            node.awaitOutput("Reloading complete");
            cluster("10.180.0.1");
            awaitServiceAt("10.180.0.1");

            node.signal("TERM");
            assertThat(node.awaitExit()).as(node.output().toString()).isZero();
        }
        assertThat(connect()).as("rules stay").isEqualTo("dnat 10.180.0.1:8080=203.0.113.2");
    }

    /** An nft that can be made to fail stands before the real one. */
    @Test
    void names_are_served_while_the_kernel_takes_no_rules() throws Exception {
        Path programs = Files.createDirectory(directory.resolve("bin"));
        Path broken = directory.resolve("broken");
        Path nft = Files.writeString(programs.resolve("nft"), """
                #!/bin/sh
                PATH=${PATH#*:}
                [ -e %s ] && { echo "Error: out of order" >&2; exit 1; }
                exec nft "$@"
                """.formatted(broken));
        assertThat(nft.toFile().setExecutable(true)).isTrue();
        try (CairnProcess node = start("env", "PATH=" + programs + ":" + System.getenv("PATH"))) {
            node.awaitOutput("Cairn-");
            awaitServiceAt("10.180.0.1");
            Files.createFile(broken);
            Testbed.run(testbed.inside(Testbed.NODE, List.of("nft", "flush", "ruleset")));
            node.awaitOutput("trying again in");
            cluster("10.180.0.2");
            await().untilAsserted(() -> assertThat(ask("db.shop.svc.cluster.local")).isEqualTo("10.180.0.2"));
            Files.delete(broken);
            awaitServiceAt("10.180.0.2");
        }
    }
}
