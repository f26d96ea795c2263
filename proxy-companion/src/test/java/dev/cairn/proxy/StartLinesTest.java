package dev.cairn.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.facts.Address;
import dev.cairn.proxy.config.ProxyConfig;
import dev.cairn.proxy.config.ProxyMode;
import dev.cairn.proxy.plan.NodeView;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class StartLinesTest {
    private static final NodeView NODE =
            new NodeView("n1", "", List.of(Objects.requireNonNull(Address.parse("192.168.0.2"))), List.of(), List.of());
    private static final String PLACES = "health at 0.0.0.0:10256, metrics at 127.0.0.1:10249; all is compared with the kernel every 5 minutes";

    private static List<String> lines(ModeChoice choice, Map<String, String> settings) {
        return StartLines.of(new ProxyConfig(settings), choice, NODE, "API server https://10.0.0.1:6443", "0.0.0.0:10256", "127.0.0.1:10249");
    }

    @Test
    void without_settings_the_defaults_are_named_and_what_is_missing() {
        assertThat(lines(new ModeChoice(ProxyMode.NFTABLES, null), Map.of())).containsExactly(
                "node n1 (192.168.0.2), mode nftables (the default), cluster from API server https://10.0.0.1:6443",
                "addresses of pods unknown (--cluster-cidr), so that only what has to be is masqueraded; node ports at the primary addresses; " + PLACES);
    }

    @Test
    void what_is_set_is_named() {
        assertThat(lines(new ModeChoice(ProxyMode.IPVS, null),
                Map.of("mode", "ipvs", "clusterCIDR", "10.244.0.0/16,fd00::/48", "nodePortAddresses", "192.168.0.0/16,localhost"))).containsExactly(
                "node n1 (192.168.0.2), mode ipvs (as set), cluster from API server https://10.0.0.1:6443",
                "pods have addresses of 10.244.0.0/16, fd00::/48; node ports at 192.168.0.0/16, 127.0.0.1; " + PLACES);
    }

    @Test
    void another_mode_than_was_asked_for_is_named_with_that() {
        ModeChoice choice = new ModeChoice(ProxyMode.IPTABLES, "mode nftables cannot be had: no nft; using iptables instead");
        assertThat(lines(choice, Map.of("detectLocalMode", "InterfaceNamePrefix", "detectLocal.interfaceNamePrefix", "cali"))).containsExactly(
                "node n1 (192.168.0.2), mode iptables (instead of nftables, which cannot be had), cluster from API server https://10.0.0.1:6443",
                "pods come in by interface cali*; node ports at all addresses; " + PLACES);
        assertThat(lines(choice, Map.of("detectLocalMode", "NodeCIDR")).getLast()).startsWith("pods have the addresses that the Node object tells; ");
    }
}
