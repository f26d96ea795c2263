package dev.cairn.proxy.ipvs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.proxy.packets.ProxyProcess;
import dev.cairn.proxy.packets.Testbed;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Mode nftables in the place of a kube-proxy in mode ipvs: its sets and rules go. The virtual servers are tried where there are such,
 * by {@code TakeOverChecks}.
 */
@EnabledIf(value = "dev.cairn.proxy.packets.Testbed#isPossible", disabledReason = Testbed.NEEDS)
class NftTakeOverTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    private Path directory;

    private final Testbed testbed = new Testbed();

    @AfterEach
    void tearDown() {
        testbed.close();
    }

    private List<String> inside(String... command) {
        return testbed.inside(Testbed.NODE, List.of(command));
    }

    private List<String> left(String kind) {
        List<String> left = new ArrayList<>(Testbed.run(inside("ipset", "list", "-n")).lines().toList());
        for (String family : List.of("iptables", "ip6tables")) {
            left.addAll(Testbed.run(inside(family + kind + "-save")).lines().toList());
        }
        left.removeIf(line -> !line.contains("KUBE-"));
        return left;
    }

    @ParameterizedTest
    @ValueSource(strings = {"-nft", "-legacy"})
    void sets_and_rules_of_kube_proxy_go(String kind) throws IOException, InterruptedException {
        testbed.address(Testbed.CLIENTS, "203.0.113.2");
        testbed.address(Testbed.ENDPOINTS, "10.180.0.1");
        testbed.listen("10.180.0.1", 5353, "udp");
        KubeProxyLeft.makeRules(kind, testbed.inside(Testbed.NODE, List.of()));
        Testbed.run(inside("ipset", "create", "theirs", "hash:ip"));
        assertThat(left(kind)).isNotEmpty();
        ProxyProcess command = new ProxyProcess(testbed, directory);
        command.cluster("10.180.0.1");
        Process proxy = command.start();
        try {
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(left(kind)).isEmpty());
            assertThat(testbed.connect(Testbed.CLIENTS, "203.0.113.2", ProxyProcess.VIP, 53, "udp", 1, 60)).startsWith("dnat 10.180.0.1:5353=");
            assertThat(Testbed.run(inside("ipset", "list", "-n"))).contains("theirs");
        } finally {
            proxy.destroyForcibly();
            proxy.waitFor();
        }
    }
}
