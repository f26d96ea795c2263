package dev.cairn.proxy.iptables;

import dev.cairn.proxy.packets.KilledFlows;
import java.util.List;

class NftKilledTest extends KilledFlows {
    NftKilledTest() {
        super(List.of("--proxy-mode", "iptables", "--iptables-variant", "nft"), List.of("iptables-nft-save"), "KUBE-SERVICES", ":");
    }
}
