package dev.cairn.proxy.iptables;

import dev.cairn.proxy.packets.SctpFlows;
import dev.cairn.proxy.packets.Testbed;
import dev.cairn.proxy.sync.Backend;

class NftSctpTest extends SctpFlows {
    @Override
    protected Backend backend(Testbed on) {
        return NodeBackend.of(on, Variant.NFT);
    }
}
