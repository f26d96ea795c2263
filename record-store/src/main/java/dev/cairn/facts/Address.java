package dev.cairn.facts;

import dev.cairn.wire.AddressText;
import dev.cairn.wire.IpAddress;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An IPv4 or IPv6 address as a value. */
public final class Address implements Comparable<Address> {
    private final byte[] bytes;

    private Address(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Takes 4 or 16 bytes, which are copied. */
    public static Address of(byte[] bytes) {
        if (bytes.length != 4 && bytes.length != 16) {
            throw new IllegalArgumentException("an address has 4 or 16 bytes, not " + bytes.length);
        }
        return new Address(bytes.clone());
    }

    /** Reads the usual spelling; null if it is not an address. */
    public static @Nullable Address parse(String text) {
        byte[] parsed = IpAddress.parse(text);
        return parsed == null ? null : new Address(parsed);
    }

    public boolean isIpv4() {
        return bytes.length == 4;
    }

    /** A copy of the bytes. */
    public byte[] bytes() {
        return bytes.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Address that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public int compareTo(Address that) {
        return Arrays.compareUnsigned(bytes, that.bytes);
    }

    /** The spelling of RFC 5952. */
    @Override
    public String toString() {
        return AddressText.of(bytes);
    }
}
