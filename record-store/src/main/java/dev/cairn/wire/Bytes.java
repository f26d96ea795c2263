package dev.cairn.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Network-order reads and writes on byte arrays, and lower-casing eight bytes at a time. Writes are plain: compilers join them, and code that is not
 * compiled yet is much slower with handles.
 */
public final class Bytes {
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;

    private Bytes() {}

    public static int u8(byte[] bytes, int at) {
        return bytes[at] & 0xff;
    }

    public static int u16(byte[] bytes, int at) {
        return (short) SHORT.get(bytes, at) & 0xffff;
    }

    public static int i32(byte[] bytes, int at) {
        return (int) INT.get(bytes, at);
    }

    public static void put16(byte[] bytes, int at, int value) {
        bytes[at] = (byte) (value >> 8);
        bytes[at + 1] = (byte) value;
    }

    public static void put32(byte[] bytes, int at, int value) {
        put16(bytes, at, value >> 16);
        put16(bytes, at + 2, value);
    }

    static long word(byte[] bytes, int at) {
        return (long) LONG.get(bytes, at);
    }

    /**
     * Copies {@code length} bytes with A-Z made a-z. Safe on wire names, since a label's length (at most 63) is below 'A'. The target needs
     * seven spare bytes after the end, which are left undefined.
     */
    static void copyLower(byte[] from, int at, int length, byte[] to, int toAt) {
        int i = 0;
        for (; i < length && at + i + 8 <= from.length; i += 8) {
            LONG.set(to, toAt + i, lower(word(from, at + i)));
        }
        for (; i < length; i++) {
            to[toAt + i] = lower(from[at + i]);
        }
    }

    static byte lower(byte b) {
        return b >= 'A' && b <= 'Z' ? (byte) (b + 32) : b;
    }

    /** Lower-cases the ASCII letters among eight bytes: a byte is upper case if it is ASCII, at least 'A' and not above 'Z'. */
    static long lower(long word) {
        long low7 = word & ~HIGH_BITS;
        long atLeastA = low7 + (0x80 - 'A') * ONES;
        long aboveZ = low7 + (0x7f - 'Z') * ONES;
        long upper = (atLeastA ^ aboveZ) & ~word & HIGH_BITS;
        return word | (upper >>> 2);
    }
}
