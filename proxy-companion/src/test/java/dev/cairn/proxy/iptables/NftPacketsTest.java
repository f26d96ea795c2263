package dev.cairn.proxy.iptables;

import dev.cairn.proxy.packets.PacketFlows;
import dev.cairn.proxy.packets.Testbed;
import dev.cairn.proxy.sync.Backend;

class NftPacketsTest extends PacketFlows {
    NftPacketsTest() {
        super("iptables");
    }

    @Override
    protected Backend backend(Testbed on) {
        return NodeKernel.backend(on, Variant.NFT);
    }
}
