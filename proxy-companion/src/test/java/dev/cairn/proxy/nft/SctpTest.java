package dev.cairn.proxy.nft;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.proxy.packets.SctpFlows;
import dev.cairn.proxy.packets.Testbed;
import dev.cairn.proxy.sync.Backend;
import java.util.List;
import java.util.Set;

class SctpTest extends SctpFlows {
    @Override
    protected Backend backend(Testbed on) {
        return new NftBackend(new NftRunner(on.inside(Testbed.NODE, List.of())), Namespace.elements(on), Set.of(IpFamily.values()), 14);
    }
}
