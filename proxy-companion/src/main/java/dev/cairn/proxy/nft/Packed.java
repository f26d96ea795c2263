package dev.cairn.proxy.nft;

import dev.cairn.cluster.control.AddressRange;
import dev.cairn.facts.Address;
import dev.cairn.facts.Protocol;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The key or the value of an element as the kernel has it: its fields one after the other, each filled up to four bytes. A verdict is the name
 * of the chain to go to, or nothing, which is to drop; a key with a range is two keys, the first and the last. Immutable.
 */
final class Packed {
    static final Packed EMPTY = new Packed(new byte[0]);

    private final byte[] bytes;

    private Packed(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Takes bytes that nobody changes any more. */
    static Packed of(byte[] bytes) {
        return new Packed(bytes);
    }

    static Packed of(Address address) {
        return new Packed(address.bytes());
    }

    static Packed of(Protocol protocol) {
        return EMPTY.and(protocol);
    }

    /** The verdict to go to a chain. */
    static Packed chain(String name) {
        return new Packed(name.getBytes(StandardCharsets.US_ASCII));
    }

    Packed and(Protocol protocol) {
        return with(number(protocol), 0, 0, 0);
    }

    /** The number that IP has for a protocol. */
    static int number(Protocol protocol) {
        return switch (protocol) {
            case TCP -> 6;
            case UDP -> 17;
            case SCTP -> 132;
        };
    }

    Packed andPort(int port) {
        return with(port >> 8, port, 0, 0);
    }

    /** A number as the machine has it. */
    Packed andNumber(int number) {
        int first = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? number : Integer.reverseBytes(number);
        return with(first >> 24, first >> 16, first >> 8, first);
    }

    private Packed with(int a, int b, int c, int d) {
        byte[] all = Arrays.copyOf(bytes, bytes.length + 4);
        all[bytes.length] = (byte) a;
        all[bytes.length + 1] = (byte) b;
        all[bytes.length + 2] = (byte) c;
        all[bytes.length + 3] = (byte) d;
        return new Packed(all);
    }

    Packed and(Packed more) {
        byte[] all = Arrays.copyOf(bytes, bytes.length + more.bytes.length);
        System.arraycopy(more.bytes, 0, all, bytes.length, more.bytes.length);
        return new Packed(all);
    }

    /** This and the first address of a range, then this and the last. */
    Packed andRange(AddressRange range) {
        byte[] last = range.first().bytes();
        for (int bit = range.prefix(); bit < 8 * last.length; bit++) {
            last[bit / 8] |= (byte) (0x80 >> bit % 8);
        }
        return and(of(range.first())).and(this).and(new Packed(last));
    }

    /** Without the last so many bytes. */
    Packed without(int count) {
        return new Packed(Arrays.copyOf(bytes, bytes.length - count));
    }

    int length() {
        return bytes.length;
    }

    /** A copy of some of the bytes. */
    byte[] bytes(int from, int to) {
        return Arrays.copyOfRange(bytes, from, to);
    }

    byte[] bytes() {
        return bytes.clone();
    }

    int byteAt(int place) {
        return bytes[place] & 0xff;
    }

    int portAt(int place) {
        return byteAt(place) << 8 | byteAt(place + 1);
    }

    int numberAt(int place) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).getInt(place);
    }

    /** The name of a chain. */
    String text() {
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Packed that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return Arrays.toString(bytes);
    }
}
