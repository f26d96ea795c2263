package dev.cairn.proxy.iptables;

import dev.cairn.proxy.packets.KilledFlows;
import java.util.List;

class LegacyKilledTest extends KilledFlows {
    LegacyKilledTest() {
        super(List.of("--proxy-mode", "iptables", "--iptables-variant", "legacy"), List.of("iptables-legacy-save"), "KUBE-SERVICES", ":");
    }
}
