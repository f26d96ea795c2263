package dev.cairn.proxy.nft;

import dev.cairn.proxy.packets.KilledFlows;
import java.util.List;

class KilledProxyTest extends KilledFlows {
    KilledProxyTest() {
        super(List.of("--proxy-mode", "nftables"), List.of("nft", "list", "ruleset"), "table ip cairn-proxy", " . ");
    }
}
