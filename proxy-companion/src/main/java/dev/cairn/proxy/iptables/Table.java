package dev.cairn.proxy.iptables;

import java.util.Locale;

/** The tables that we have chains in, in the order in which they are restored. */
enum Table {
    MANGLE,
    FILTER,
    NAT;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
