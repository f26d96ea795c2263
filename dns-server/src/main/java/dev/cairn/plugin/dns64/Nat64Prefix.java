package dev.cairn.plugin.dns64;

import dev.cairn.wire.Network;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The IPv6 network that stands for all IPv4 addresses (RFC 6052 section 2.2). Immutable. */
final class Nat64Prefix {
    private static final Set<String> LENGTHS = Set.of("32", "40", "48", "56", "64", "96");

    /** Bits 64 to 71 are zero and hold nothing of the IPv4 address. */
    private static final int RESERVED_BYTE = 8;

    private final byte[] bytes;
    private final int length;

    private Nat64Prefix(byte[] bytes, int length) {
        this.bytes = bytes;
        this.length = length;
    }

    /** Reads {@code ADDRESS/LENGTH}; null if the text is none of the right lengths. */
    static @Nullable Nat64Prefix parse(String text) {
        String bits = text.substring(text.indexOf('/') + 1);
        Network network = Network.parse(text);
        if (network == null || network.first().length != 16 || !LENGTHS.contains(bits)) {
            return null;
        }
        return new Nat64Prefix(network.first(), Integer.parseInt(bits) / 8);
    }

    /** The IPv6 address that stands for an IPv4 address. */
    byte[] embed(byte[] ipv4) {
        byte[] address = bytes.clone();
        int at = length;
        for (byte octet : ipv4) {
            at += at == RESERVED_BYTE ? 1 : 0;
            address[at++] = octet;
        }
        return address;
    }
}
