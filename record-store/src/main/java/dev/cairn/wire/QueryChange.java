package dev.cairn.wire;

import java.util.Arrays;

/**
 * Another query in place of the one a client sent: collects the changes, then shows the result to whoever reads the {@link QueryView} next.
 * Records beside the question and OPT are left out, since a signature over the packet would no longer hold. Used by one thread.
 */
public final class QueryChange {
    /** Where an OPT record's options start, after the root name and the fixed fields (RFC 6891 section 6.1.2). */
    private static final int OPT_HEAD = 11;

    private static final int OPTION_HEAD = 4;
    private static final int DNSSEC_OK = 0x8000;

    private final QueryView query;
    private byte[] name;
    private int type;
    private int dnsClass;
    private boolean edns;
    private int udpSize;
    private byte[] options;

    public QueryChange(QueryView query) {
        this.query = query;
        name = Arrays.copyOfRange(query.message(), QueryView.HEADER, QueryView.HEADER + query.nameLength());
        type = query.type();
        dnsClass = query.dnsClass();
        edns = query.hasEdns();
        udpSize = query.udpSize();
        options = query.options();
    }

    public QueryChange name(WireName other) {
        name = other.array();
        return this;
    }

    public QueryChange type(int other) {
        type = other;
        return this;
    }

    public QueryChange dnsClass(int other) {
        dnsClass = other;
        return this;
    }

    /** Puts an option in the place of those with its code, or after all others. A query without OPT gets one. */
    public QueryChange setOption(int code, byte[] data) {
        removeOption(code);
        int at = options.length;
        options = Arrays.copyOf(options, at + OPTION_HEAD + data.length);
        Bytes.put16(options, at, code);
        Bytes.put16(options, at + 2, data.length);
        System.arraycopy(data, 0, options, at + OPTION_HEAD, data.length);
        if (!edns) {
            edns = true;
            udpSize = AnswerEncoder.OWN_UDP_SIZE;
        }
        return this;
    }

    /** Takes out all options with this code. */
    public QueryChange removeOption(int code) {
        byte[] kept = new byte[options.length];
        int end = 0;
        for (int at = 0; at < options.length; ) {
            int size = OPTION_HEAD + Bytes.u16(options, at + 2);
            if (Bytes.u16(options, at) != code) {
                System.arraycopy(options, at, kept, end, size);
                end += size;
            }
            at += size;
        }
        options = Arrays.copyOf(kept, end);
        return this;
    }

    /** Shows the changed query in place of the other. */
    public void apply() {
        int size = QueryView.HEADER + name.length + 4 + (edns ? OPT_HEAD + options.length : 0);
        byte[] packet = new byte[size];
        System.arraycopy(query.message(), 0, packet, 0, 2);
        Bytes.put16(packet, 2, query.flags());
        Bytes.put16(packet, 4, 1);
        System.arraycopy(name, 0, packet, QueryView.HEADER, name.length);
        int at = QueryView.HEADER + name.length;
        Bytes.put16(packet, at, type);
        Bytes.put16(packet, at + 2, dnsClass);
        if (edns) {
            Bytes.put16(packet, 10, 1);
            Bytes.put16(packet, at + 5, DnsType.OPT);
            Bytes.put16(packet, at + 7, udpSize);
            Bytes.put16(packet, at + 11, query.dnssecOk() ? DNSSEC_OK : 0);
            Bytes.put16(packet, at + 13, options.length);
            System.arraycopy(options, 0, packet, at + 4 + OPT_HEAD, options.length);
        }
        query.replace(packet, size);
    }
}
