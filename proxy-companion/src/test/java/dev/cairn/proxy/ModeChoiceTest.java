package dev.cairn.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.proxy.config.ProxyMode;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ModeChoiceTest {
    private static final Map<ProxyMode, String> NO_IPVS = Map.of(ProxyMode.IPVS, "no module ip_vs");
    private static final Map<ProxyMode, String> OLD_KERNEL = Map.of(ProxyMode.IPVS, "no module ip_vs", ProxyMode.NFTABLES, "no module nft_fib");
    private static final Map<ProxyMode, String> NOTHING = Map.of(
            ProxyMode.IPVS, "a", ProxyMode.NFTABLES, "b", ProxyMode.IPTABLES, "c", ProxyMode.USERSPACE, "d");

    @Test
    void what_can_be_had_is_taken_without_a_word() {
        assertThat(ModeChoice.choose(ProxyMode.IPTABLES, false, NO_IPVS::get)).isEqualTo(new ModeChoice(ProxyMode.IPTABLES, null));
        assertThat(ModeChoice.choose(ProxyMode.parse("auto"), false, NO_IPVS::get)).isEqualTo(new ModeChoice(ProxyMode.NFTABLES, null));
    }

    @Test
    void what_cannot_be_had_is_replaced_by_the_next_best_which_is_told() {
        assertThat(ModeChoice.choose(ProxyMode.IPVS, false, NO_IPVS::get)).isEqualTo(new ModeChoice(ProxyMode.NFTABLES,
                "mode ipvs cannot be had: no module ip_vs; using nftables instead"));
        assertThat(ModeChoice.choose(ProxyMode.IPVS, false, OLD_KERNEL::get)).isEqualTo(new ModeChoice(ProxyMode.IPTABLES,
                "mode ipvs cannot be had: no module ip_vs; nftables cannot be had: no module nft_fib; using iptables instead"));
    }

    @Test
    void a_strict_mode_is_had_or_nothing_is() {
        assertThatThrownBy(() -> ModeChoice.choose(ProxyMode.IPVS, true, NO_IPVS::get)).hasMessage("mode ipvs cannot be had: no module ip_vs");
        assertThatThrownBy(() -> ModeChoice.choose(ProxyMode.NFTABLES, false, NOTHING::get))
                .hasMessage("mode nftables cannot be had: b; iptables cannot be had: c; userspace cannot be had: d");
    }
}
