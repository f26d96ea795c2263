package dev.cairn.facts;

import dev.cairn.wire.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.AbstractList;
import java.util.ArrayList;
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
    /** Flags, two indices of two bytes, length of the host name, end of the texts. */
    private static final int FIXED = 1 + 2 + 2 + 2 + 3;
    private static final int MOST_SHARED = 0xffff;
    private static final int MOST_TEXT = 0xffffff;

    private final int size;
    private final byte width;
    private final byte[] bytes;
    private final String[] shared;
    private final EndpointHints @Nullable [] hints;

    private EndpointList(int size, int width, byte[] bytes, String[] shared, EndpointHints @Nullable [] hints) {
        this.size = size;
        this.width = (byte) width;
        this.bytes = bytes;
        this.shared = shared;
        this.hints = hints;
    }

    /** Packs endpoints. Node names and zones are kept as the objects they are, so that many lists may share them. */
    public static EndpointList of(List<EndpointFact> endpoints) {
        if (endpoints instanceof EndpointList packed) {
            return packed;
        }
        int width = 4;
        int text = 0;
        for (EndpointFact endpoint : endpoints) {
            width = endpoint.address().isIpv4() ? width : 16;
            text += utf8(endpoint.podName()).length + (hostIsPod(endpoint) ? 0 : utf8(endpoint.hostname()).length);
        }
        int stride = FIXED + width;
        byte[] bytes = new byte[endpoints.size() * stride + text];
        if (bytes.length > MOST_TEXT) {
            throw new IllegalArgumentException("a slice has at most 16 MB of endpoints");
        }
        List<String> shared = new ArrayList<>();
        int textAt = endpoints.size() * stride;
        for (int i = 0; i < endpoints.size(); i++) {
            textAt = pack(endpoints.get(i), bytes, i * stride, textAt, shared);
        }
        return new EndpointList(endpoints.size(), width, bytes, shared.toArray(String[]::new), hints(endpoints));
    }

    /** Equal hints are one object. */
    private static EndpointHints @Nullable [] hints(List<EndpointFact> endpoints) {
        if (!hasHints(endpoints)) {
            return null;
        }
        List<EndpointHints> known = new ArrayList<>();
        EndpointHints[] hints = new EndpointHints[endpoints.size()];
        for (int i = 0; i < hints.length; i++) {
            EndpointHints own = endpoints.get(i).hints();
            int at = known.indexOf(own);
            if (at < 0) {
                known.add(own);
            }
            hints[i] = at < 0 ? own : known.get(at);
        }
        return hints;
    }

    private static boolean hasHints(List<EndpointFact> endpoints) {
        for (EndpointFact endpoint : endpoints) {
            if (!endpoint.hints().equals(EndpointHints.NONE)) {
                return true;
            }
        }
        return false;
    }

    private static int pack(EndpointFact endpoint, byte[] to, int at, int textAt, List<String> shared) {
        byte[] address = endpoint.address().bytes();
        byte[] host = hostIsPod(endpoint) ? new byte[0] : utf8(endpoint.hostname());
        byte[] pod = utf8(endpoint.podName());
        int end = textAt + host.length + pod.length;
        to[at] = (byte) ((endpoint.ready() ? READY : 0) | (address.length == 4 ? IPV4 : 0) | (hostIsPod(endpoint) ? HOST_IS_POD : 0)
                | (endpoint.serving() ? 0 : NOT_SERVING) | (endpoint.terminating() ? TERMINATING : 0) | (endpoint.further() ? FURTHER : 0));
        put16(to, at + 1, index(shared, endpoint.nodeName()));
        put16(to, at + 3, index(shared, endpoint.zone()));
        put16(to, at + 5, host.length);
        to[at + 7] = (byte) (end >> 16);
        put16(to, at + 8, end);
        System.arraycopy(address, 0, to, at + FIXED, address.length);
        System.arraycopy(host, 0, to, textAt, host.length);
        System.arraycopy(pod, 0, to, textAt + host.length, pod.length);
        return end;
    }

    private static boolean hostIsPod(EndpointFact endpoint) {
        return !endpoint.podName().isEmpty() && endpoint.hostname().equals(endpoint.podName());
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static int index(List<String> shared, String text) {
        int known = shared.indexOf(text);
        if (known >= 0) {
            return known;
        }
        if (shared.size() == MOST_SHARED) {
            throw new IllegalArgumentException("a slice has at most " + MOST_SHARED + " nodes and zones");
        }
        shared.add(text);
        return shared.size() - 1;
    }

    private static void put16(byte[] to, int at, int value) {
        to[at] = (byte) (value >> 8);
        to[at + 1] = (byte) value;
    }

    private int u16(int at) {
        return (bytes[at] & 0xff) << 8 | (bytes[at + 1] & 0xff);
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
        int textAt = i == 0 ? size * (FIXED + width) : textEnd(at - FIXED - width);
        int podAt = textAt + u16(at + 5);
        String host = new String(bytes, textAt, podAt - textAt, StandardCharsets.UTF_8);
        String pod = new String(bytes, podAt, textEnd(at) - podAt, StandardCharsets.UTF_8);
        return new EndpointFact(
                address(i),
                isReady(i),
                (bytes[at] & HOST_IS_POD) != 0 ? pod : host,
                pod,
                nodeName(i),
                shared[u16(at + 3)],
                isServing(i),
                isTerminating(i),
                hints(i),
                isFurther(i));
    }

    public String nodeName(int i) {
        return shared[u16(at(i) + 1)];
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
        return (bytes[at + 7] & 0xff) << 16 | u16(at + 8);
    }
}
