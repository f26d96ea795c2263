package dev.cairn.proxy.config;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** How Services are brought about. */
public enum ProxyMode {
    NFTABLES(true),
    IPVS(true),
    IPTABLES(true),
    USERSPACE(true);

    private final boolean here;

    ProxyMode(boolean here) {
        this.here = here;
    }

    /** Whether this version has it. */
    public boolean isHere() {
        return here;
    }

    /** Those that this version has. */
    public static List<ProxyMode> here() {
        return Stream.of(values()).filter(ProxyMode::isHere).toList();
    }

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
