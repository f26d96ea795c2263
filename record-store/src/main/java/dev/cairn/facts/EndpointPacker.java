package dev.cairn.facts;

import dev.cairn.wire.Bytes;
import dev.cairn.wire.IpAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Packs the endpoints of a slice while they are read, without an object for each. What is told of an endpoint, in any order, counts for the one that
 * {@link #end} adds. Owned by one thread, and used for one slice after the other.
 */
public final class EndpointPacker {
    private static final int MOST_SHARED = 0xffff;
    private static final int MOST_TEXT = 0xffffff;
    /** Addresses have room for 16 bytes here, since only at the end it is known whether all are shorter. */
    private static final int STRIDE = EndpointList.FIXED + 16;

    /** A text as UTF-8. */
    private static final class Text {
        private byte[] bytes = new byte[64];
        private int length;

        void set(byte[] from, int at, int end) {
            length = 0;
            add(from, at, end);
        }

        void add(byte[] from, int at, int end) {
            if (length + end - at > bytes.length) {
                bytes = Arrays.copyOf(bytes, (length + end - at) * 2);
            }
            System.arraycopy(from, at, bytes, length, end - at);
            length += end - at;
        }

        boolean is(Text that) {
            return Arrays.equals(bytes, 0, length, that.bytes, 0, that.length);
        }
    }

    private byte[] fixed = new byte[16 * STRIDE];
    private final Text texts = new Text();
    private final List<String> shared = new ArrayList<>();
    private final List<EndpointHints> hints = new ArrayList<>();
    private int size;
    private int width;

    private final List<byte[]> addresses = new ArrayList<>();
    private final Text hostname = new Text();
    private final Text podName = new Text();
    private String nodeName = "";
    private String zone = "";
    private EndpointHints ownHints = EndpointHints.NONE;
    private boolean ready;
    private boolean serving;
    private boolean terminating;
    private boolean further;

    public EndpointPacker() {
        clear();
    }

    /** Forgets everything, for the next slice. */
    public void clear() {
        size = 0;
        width = 4;
        texts.length = 0;
        shared.clear();
        hints.clear();
        begin();
    }

    /** An endpoint of which nothing is told: discovery.k8s.io/v1 takes an absent condition for ready, and for serving. */
    private void begin() {
        addresses.clear();
        hostname.length = 0;
        podName.length = 0;
        nodeName = "";
        zone = "";
        ownHints = EndpointHints.NONE;
        ready = true;
        serving = true;
        terminating = false;
        further = false;
    }

    /** Adds an address in its usual spelling; false if it is none. */
    public boolean address(byte[] text, int from, int to) {
        byte[] address = IpAddress.parse(text, from, to);
        if (address == null) {
            return false;
        }
        addresses.add(address);
        return true;
    }

    public boolean hasAddress() {
        return !addresses.isEmpty();
    }

    public void hostname(byte[] text, int from, int to) {
        hostname.set(text, from, to);
    }

    public void podName(byte[] text, int from, int to) {
        podName.set(text, from, to);
    }

    public void nodeName(String name) {
        nodeName = name;
    }

    public void zone(String name) {
        zone = name;
    }

    public void hints(EndpointHints given) {
        ownHints = given;
    }

    public void ready(boolean is) {
        ready = is;
    }

    public void serving(boolean is) {
        serving = is;
    }

    public void terminating(boolean is) {
        terminating = is;
    }

    /** Adds the endpoint that was told, once for each of its addresses: they are ways to the same place. */
    public void end() {
        boolean hostIsPod = podName.length > 0 && hostname.is(podName);
        for (byte[] address : addresses) {
            if (!hostIsPod) {
                texts.add(hostname.bytes, 0, hostname.length);
            }
            texts.add(podName.bytes, 0, podName.length);
            if ((size + 1) * STRIDE > fixed.length) {
                fixed = Arrays.copyOf(fixed, fixed.length * 2);
            }
            int at = size++ * STRIDE;
            width = Math.max(width, address.length);
            fixed[at] = EndpointList.flags(ready, address.length == 4, hostIsPod, serving, terminating, further);
            further = true;
            Bytes.put16(fixed, at + EndpointList.NODE, index(nodeName));
            Bytes.put16(fixed, at + EndpointList.ZONE, index(zone));
            Bytes.put16(fixed, at + EndpointList.HOST_LENGTH, hostIsPod ? 0 : atMost(hostname.length, MOST_SHARED, "bytes in a host name"));
            fixed[at + EndpointList.TEXT_END] = (byte) (atMost(texts.length, MOST_TEXT, "bytes of names") >> 16);
            Bytes.put16(fixed, at + EndpointList.TEXT_END + 1, texts.length);
            System.arraycopy(address, 0, fixed, at + EndpointList.FIXED, address.length);
            hints.add(ownHints);
        }
        begin();
    }

    void add(EndpointFact endpoint) {
        byte[] host = endpoint.hostname().getBytes(StandardCharsets.UTF_8);
        byte[] pod = endpoint.podName().getBytes(StandardCharsets.UTF_8);
        addresses.add(endpoint.address().bytes());
        hostname(host, 0, host.length);
        podName(pod, 0, pod.length);
        nodeName(endpoint.nodeName());
        zone(endpoint.zone());
        hints(endpoint.hints());
        ready(endpoint.ready());
        serving(endpoint.serving());
        terminating(endpoint.terminating());
        further = endpoint.further();
        end();
    }

    /** Node names and zones are kept as the objects they are, so that many lists may share them. */
    private int index(String text) {
        int known = shared.indexOf(text);
        if (known >= 0) {
            return known;
        }
        shared.add(text);
        return atMost(shared.size() - 1, MOST_SHARED, "nodes and zones");
    }

    private static int atMost(int value, int most, String what) {
        if (value > most) {
            throw new IllegalArgumentException("a slice has at most " + most + " " + what);
        }
        return value;
    }

    /** The endpoints that were added. */
    public EndpointList list() {
        int stride = EndpointList.FIXED + width;
        byte[] bytes = new byte[size * stride + texts.length];
        for (int i = 0; i < size; i++) {
            System.arraycopy(fixed, i * STRIDE, bytes, i * stride, stride);
        }
        System.arraycopy(texts.bytes, 0, bytes, size * stride, texts.length);
        return new EndpointList(size, width, bytes, shared.toArray(String[]::new), packedHints());
    }

    /** Equal hints are one object. */
    private EndpointHints @Nullable [] packedHints() {
        List<EndpointHints> known = new ArrayList<>();
        EndpointHints[] packed = null;
        for (int i = 0; i < size; i++) {
            EndpointHints own = hints.get(i);
            if (packed == null && !own.isNone()) {
                packed = new EndpointHints[size];
                Arrays.fill(packed, EndpointHints.NONE);
            }
            if (packed != null) {
                int at = known.indexOf(own);
                if (at < 0) {
                    known.add(own);
                }
                packed[i] = at < 0 ? own : known.get(at);
            }
        }
        return packed;
    }
}
