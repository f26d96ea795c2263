package dev.cairn.listen;

import dev.cairn.wire.Bytes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Addresses in the kernel's memory, as bytes. */
final class RawAddress {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final ValueLayout.OfInt WORD = ValueLayout.JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN);
    private static final int MAPPED_PREFIX = 0xffff;

    private RawAddress() {}

    /** Reads an IPv4 address; returns its length. */
    static int readV4(MemorySegment from, long at, byte[] to) {
        Bytes.put32(to, 0, from.get(WORD, at));
        return 4;
    }

    /** Reads an IPv6 address, or the IPv4 address it stands for (RFC 4291 section 2.5.5.2); returns its length. */
    static int readV6(MemorySegment from, long at, byte[] to) {
        if (from.get(LONG, at) == 0 && from.get(WORD, at + 8) == MAPPED_PREFIX) {
            return readV4(from, at + 12, to);
        }
        for (int i = 0; i < 16; i += 4) {
            Bytes.put32(to, i, from.get(WORD, at + i));
        }
        return 16;
    }

    /** Whether the IPv6 address there means something on one link only. */
    static boolean isLinkLocal(MemorySegment memory, long at) {
        return (memory.get(WORD, at) & 0xffc00000) == 0xfe800000;
    }

    /** Writes an address where the kernel wants an IPv6 address. */
    static void writeV6(byte[] address, int length, MemorySegment to, long at) {
        if (length == 4) {
            to.set(WORD, at + 8, MAPPED_PREFIX);
        }
        MemorySegment.copy(address, 0, to, ValueLayout.JAVA_BYTE, at + 16 - length, length);
    }
}
