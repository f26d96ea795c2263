package dev.cairn.facts;

import dev.cairn.wire.AddressText;
import dev.cairn.wire.Bytes;
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

    /** Makes an address of what {@link #high} and {@link #low} gave. */
    public static Address of(long high, long low, boolean ipv4) {
        byte[] bytes = new byte[ipv4 ? 4 : 16];
        Bytes.put32(bytes, bytes.length - 4, (int) low);
        if (!ipv4) {
            Bytes.put32(bytes, 0, (int) (high >>> 32));
            Bytes.put32(bytes, 4, (int) high);
            Bytes.put32(bytes, 8, (int) (low >>> 32));
        }
        return new Address(bytes);
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

    /** Copies the bytes into a larger array. */
    public void copyTo(byte[] to, int at) {
        System.arraycopy(bytes, 0, to, at, bytes.length);
    }

    /** Whether these bytes stand at a place of a larger array. */
    boolean matches(byte[] other, int at) {
        return Arrays.equals(bytes, 0, bytes.length, other, at, at + bytes.length);
    }

    /** The first eight bytes of an IPv6 address as a number, 0 for IPv4. */
    public long high() {
        return isIpv4() ? 0 : number(0);
    }

    /** The last eight bytes of an IPv6 address as a number, or the four of IPv4. */
    public long low() {
        return isIpv4() ? Integer.toUnsignedLong(Bytes.i32(bytes, 0)) : number(8);
    }

    private long number(int at) {
        return (long) Bytes.i32(bytes, at) << 32 | Integer.toUnsignedLong(Bytes.i32(bytes, at + 4));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Address that && Arrays.equals(bytes, that.bytes);
    }

    /** Spread, since the addresses of a cluster lie close together. */
    @Override
    public int hashCode() {
        int hash = 0;
        for (int i = 0; i < bytes.length; i += 4) {
            hash = (hash ^ Bytes.i32(bytes, i)) * 0x9E3779B9;
            hash ^= hash >>> 15;
        }
        return hash;
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
