package dev.cairn.proxy.iptables;

import dev.cairn.cluster.control.IpFamily;

/** The two kinds of iptables, whose rules do not know of each other. */
enum Variant {
    NFT("-nft"),
    LEGACY("-legacy"),
    /** Whichever the programs without a kind in their names are. */
    PLAIN("");

    private final String infix;

    Variant(String infix) {
        this.infix = infix;
    }

    /** The name of a program, such as {@code ip6tables-nft-restore}. */
    String program(IpFamily family, String what) {
        return (family == IpFamily.IPV4 ? "iptables" : "ip6tables") + infix + "-" + what;
    }
}
