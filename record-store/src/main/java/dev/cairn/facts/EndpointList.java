package dev.cairn.facts;

import dev.cairn.wire.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints of a slice in one array of bytes, about 50 each instead of some 200 as objects; an {@link EndpointFact} is made when asked
 * for. Immutable.
 *
 * <p>Each endpoint has a fixed part (flags, address, indices of node and zone among the shared strings, where its texts end), and after all
 * of these come the texts: host name and pod name. Hints, which few slices have, are beside them.
 */
public final class EndpointList extends AbstractList<EndpointFact> implements RandomAccess {
    public static final EndpointList EMPTY = of(List.of());

    private static final int READY = 1;
    private static final int IPV4 = 2;
    /** The host name is the pod's name, as in a StatefulSet; it is kept once. */
    private static final int HOST_IS_POD = 4;
    private static final int NOT_SERVING = 8;
    private static final int TERMINATING = 16;
    private static final int FURTHER = 32;
    /** Where in the fixed part of an endpoint the parts are that follow its flags. Texts end after so many bytes of texts. */
    static final int NODE = 1;
    static final int ZONE = 3;
    static final int HOST_LENGTH = 5;
    static final int TEXT_END = 7;
    /** The length of the fixed part without the address, which ends it. */
    static final int FIXED = 10;

    private final int size;
    private final byte width;
    private final byte[] bytes;
    private final String[] shared;
    private final EndpointHints @Nullable [] hints;

    EndpointList(int size, int width, byte[] bytes, String[] shared, EndpointHints @Nullable [] hints) {
        this.size = size;
        this.width = (byte) width;
        this.bytes = bytes;
        this.shared = shared;
        this.hints = hints;
    }

    /** Packs endpoints. */
    public static EndpointList of(List<EndpointFact> endpoints) {
        if (endpoints instanceof EndpointList packed) {
            return packed;
        }
        EndpointPacker packer = new EndpointPacker();
        endpoints.forEach(packer::add);
        return packer.list();
    }

    static byte flags(boolean ready, boolean ipv4, boolean hostIsPod, boolean serving, boolean terminating, boolean further) {
        return (byte) ((ready ? READY : 0) | (ipv4 ? IPV4 : 0) | (hostIsPod ? HOST_IS_POD : 0) | (serving ? 0 : NOT_SERVING)
                | (terminating ? TERMINATING : 0) | (further ? FURTHER : 0));
    }

    private int at(int i) {
        if (i < 0 || i >= size) {
            throw new IndexOutOfBoundsException(i);
        }
        return i * (FIXED + width);
    }

    @Override
    public int size() {
        return size;
    }

    /** Whether endpoint {@code i} may be answered with. */
    public boolean isReady(int i) {
        return (bytes[at(i)] & READY) != 0;
    }

    public boolean hasReady() {
        for (int i = 0; i < size; i++) {
            if (isReady(i)) {
                return true;
            }
        }
        return false;
    }

    public boolean isIpv4(int i) {
        return (bytes[at(i)] & IPV4) != 0;
    }

    public Address address(int i) {
        int at = at(i);
        int length = isIpv4(i) ? 4 : 16;
        return Address.of(Arrays.copyOfRange(bytes, at + FIXED, at + FIXED + length));
    }

    /** Copies the address of endpoint {@code i}, of 4 or 16 bytes, into a larger array. */
    public void copyAddress(int i, byte[] to, int position) {
        System.arraycopy(bytes, at(i) + FIXED, to, position, isIpv4(i) ? 4 : 16);
    }

    /** As {@link Address#high} of endpoint {@code i}. */
    public long high(int i) {
        return isIpv4(i) ? 0 : number(at(i) + FIXED);
    }

    /** As {@link Address#low} of endpoint {@code i}. */
    public long low(int i) {
        int at = at(i) + FIXED;
        return isIpv4(i) ? Integer.toUnsignedLong(Bytes.i32(bytes, at)) : number(at + 8);
    }

    private long number(int at) {
        return (long) Bytes.i32(bytes, at) << 32 | Integer.toUnsignedLong(Bytes.i32(bytes, at + 4));
    }

    /** Whether endpoint {@code i} has this address. */
    public boolean isAt(int i, Address address) {
        int at = at(i);
        return address.isIpv4() == isIpv4(i) && address.matches(bytes, at + FIXED);
    }

    @Override
    public EndpointFact get(int i) {
        int at = at(i);
        int texts = size * (FIXED + width);
        int textAt = i == 0 ? texts : texts + textEnd(at - FIXED - width);
        int podAt = textAt + Bytes.u16(bytes, at + HOST_LENGTH);
        String host = new String(bytes, textAt, podAt - textAt, StandardCharsets.UTF_8);
        String pod = new String(bytes, podAt, texts + textEnd(at) - podAt, StandardCharsets.UTF_8);
        return new EndpointFact(
                address(i),
                isReady(i),
                (bytes[at] & HOST_IS_POD) != 0 ? pod : host,
                pod,
                nodeName(i),
                shared[Bytes.u16(bytes, at + ZONE)],
                isServing(i),
                isTerminating(i),
                hints(i),
                isFurther(i));
    }

    public String nodeName(int i) {
        return shared[Bytes.u16(bytes, at(i) + NODE)];
    }

    public boolean isServing(int i) {
        return (bytes[at(i)] & NOT_SERVING) == 0;
    }

    public boolean isTerminating(int i) {
        return (bytes[at(i)] & TERMINATING) != 0;
    }

    public boolean isFurther(int i) {
        return (bytes[at(i)] & FURTHER) != 0;
    }

    public EndpointHints hints(int i) {
        return hints == null ? EndpointHints.NONE : hints[i];
    }

    private int textEnd(int at) {
        return Bytes.u8(bytes, at + TEXT_END) << 16 | Bytes.u16(bytes, at + TEXT_END + 1);
    }
}
