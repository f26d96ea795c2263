package dev.cairn.proxy.nft;

import dev.cairn.cluster.control.IpFamily;

/** The names of our tables, one for each family. */
final class Table {
    static final String NAME = "cairn-proxy";

    private Table() {}

    /** {@code ip cairn-proxy}, or the same of IPv6. */
    static String of(IpFamily family) {
        return word(family) + " " + NAME;
    }

    static String word(IpFamily family) {
        return family == IpFamily.IPV4 ? "ip" : "ip6";
    }

    /** A rule written with {@code IP} for the family's word. */
    static String in(IpFamily family, String rule) {
        return rule.replace("IP ", word(family) + " ");
    }
}
