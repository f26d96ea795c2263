package dev.cairn.proxy.userspace;

class IptablesRelayPacketsTest extends RelayPackets {
    IptablesRelayPacketsTest() {
        super("iptables");
    }
}
