package dev.cairn.proxy.nft;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.proxy.packets.PacketFlows;
import dev.cairn.proxy.packets.Testbed;
import dev.cairn.proxy.sync.Backend;
import java.util.List;
import java.util.Set;

class PacketsTest extends PacketFlows {
    PacketsTest() {
        super("nftables");
    }

    @Override
    protected Backend backend(Testbed on) {
        return new NftBackend(new NftRunner(on.inside(Testbed.NODE, List.of())), Namespace.elements(on), Set.of(IpFamily.values()), 14);
    }
}
