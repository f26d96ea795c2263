package dev.cairn.cluster.control;

import dev.cairn.facts.Address;
import java.util.Locale;

/** The two kinds of addresses, as {@code spec.ipFamilies} spells them. */
public enum IpFamily {
    IPV4("IPv4"),
    IPV6("IPv6");

    private final String text;

    IpFamily(String text) {
        this.text = text;
    }

    public static IpFamily of(Address address) {
        return address.isIpv4() ? IPV4 : IPV6;
    }

    IpFamily other() {
        return this == IPV4 ? IPV6 : IPV4;
    }

    /** The spelling in names of slices. */
    String label() {
        return text.toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return text;
    }
}
