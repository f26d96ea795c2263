package dev.cairn.wire;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The addresses from a first to a last that share a prefix, IPv4 or IPv6. Immutable. */
public final class Network {
    private final byte[] first;
    private final byte[] last;

    private Network(byte[] address, int prefix) {
        first = address.clone();
        last = address.clone();
        for (int bit = prefix; bit < 8 * address.length; bit++) {
            int mask = 0x80 >> bit % 8;
            first[bit / 8] &= (byte) ~mask;
            last[bit / 8] |= (byte) mask;
        }
    }

    /** Reads {@code ADDRESS/PREFIX}, or an address for the network of it alone; null if the text is neither. Host bits may be set. */
    public static @Nullable Network parse(String text) {
        int slash = text.indexOf('/');
        byte[] address = IpAddress.parse(slash < 0 ? text : text.substring(0, slash));
        if (address == null) {
            return null;
        }
        if (slash < 0) {
            return new Network(address, 8 * address.length);
        }
        String length = text.substring(slash + 1);
        if (!length.matches("[0-9]{1,3}")) {
            return null;
        }
        // The prefix of a mapped address counts from its 128 bits.
        int prefix = Integer.parseInt(length) - (address.length == 4 && text.indexOf(':') >= 0 ? 96 : 0);
        return prefix >= 0 && prefix <= 8 * address.length ? new Network(address, prefix) : null;
    }

    /** Its lowest address. */
    public byte[] first() {
        return first.clone();
    }

    /** Its highest address. */
    public byte[] last() {
        return last.clone();
    }

    /** Whether the first {@code length} bytes of {@code address}, 4 or 16, are an address of the network. */
    public boolean contains(byte[] address, int length) {
        return length == first.length
                && Arrays.compareUnsigned(first, 0, length, address, 0, length) <= 0
                && Arrays.compareUnsigned(last, 0, length, address, 0, length) >= 0;
    }
}
