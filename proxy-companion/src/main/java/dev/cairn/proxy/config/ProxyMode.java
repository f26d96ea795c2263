package dev.cairn.proxy.config;

import java.util.Locale;

/** How Services are brought about. */
public enum ProxyMode {
    NFTABLES,
    IPVS,
    IPTABLES,
    USERSPACE;

    /**
     * Reads a mode; empty and {@code auto} are the default.
     *
     * @throws IllegalArgumentException with a sentence for the user
     */
    public static ProxyMode parse(String text) {
        return switch (text) {
            case "", "auto", "nftables" -> NFTABLES;
            case "ipvs" -> IPVS;
            case "iptables" -> IPTABLES;
            case "userspace" -> USERSPACE;
            default -> throw new IllegalArgumentException("mode \"" + text + "\" is unknown: write nftables, ipvs, iptables, userspace or auto");
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
