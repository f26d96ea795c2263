package dev.cairn.proxy.iptables;

import dev.cairn.proxy.packets.PacketFlows;
import dev.cairn.proxy.packets.Testbed;
import dev.cairn.proxy.sync.Backend;

class LegacyPacketsTest extends PacketFlows {
    LegacyPacketsTest() {
        super("iptables");
    }

    @Override
    protected Backend backend(Testbed on) {
        return NodeKernel.backend(on, Variant.LEGACY);
    }
}
