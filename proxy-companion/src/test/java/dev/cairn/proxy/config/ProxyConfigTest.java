package dev.cairn.proxy.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.proxy.plan.NodeView;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProxyConfigTest {
    private static boolean localhost(Map<String, String> settings) {
        return new ProxyConfig(settings).traffic(NodeView.UNKNOWN).hasLocalhostNodePorts();
    }

    @ParameterizedTest
    @CsvSource({"nftables, false", "ipvs, false", "iptables, true", "userspace, true"})
    void node_ports_are_found_at_localhost_where_the_mode_can_do_it(String mode, boolean found) {
        assertThat(localhost(Map.of("mode", mode))).isEqualTo(found);
    }

    @Test
    void they_are_not_if_that_is_not_wished() {
        assertThat(localhost(Map.of("mode", "userspace", "iptables.localhostNodePorts", "false"))).isFalse();
        assertThat(localhost(Map.of("mode", "userspace", "nodePortAddresses", "192.168.0.0/16"))).isFalse();
    }
}
