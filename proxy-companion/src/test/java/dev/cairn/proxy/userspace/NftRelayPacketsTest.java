package dev.cairn.proxy.userspace;

class NftRelayPacketsTest extends RelayPackets {
    NftRelayPacketsTest() {
        super("nftables");
    }
}
