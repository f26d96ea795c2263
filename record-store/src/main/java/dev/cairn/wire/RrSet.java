package dev.cairn.wire;

import java.util.Arrays;
import java.util.List;

/**
 * The records of one owner, type and class as bytes that only need to be copied into an answer: each record stands as it would after a
 * question for its owner, that is with a pointer to the question's name for an owner. Immutable.
 */
public final class RrSet {
    /** The bytes of a record before its data: pointer, type, class, TTL, data length. */
    public static final int RECORD_HEAD = 12;

    /** A pointer to the question's name, which always starts right after the header (RFC 1035 section 4.1.4). */
    static final int QUESTION_POINTER = 0xc000 | QueryView.HEADER;

    private final WireName owner;
    private final int type;
    private final int ttl;
    private final int count;
    private final int recordSize;
    private final byte[] records;

    private RrSet(WireName owner, int type, int ttl, int count, int recordSize, byte[] records) {
        this.owner = owner;
        this.type = type;
        this.ttl = ttl;
        this.count = count;
        this.recordSize = recordSize;
        this.records = records;
    }

    public static RrSet of(WireName owner, int type, int dnsClass, int ttl, List<byte[]> data) {
        if (data.isEmpty()) {
            throw new IllegalArgumentException("a set has at least one record");
        }
        if (ttl < 0) {
            throw new IllegalArgumentException("a TTL has 31 bits (RFC 2181 section 8)");
        }
        int size = 0;
        boolean even = true;
        for (byte[] one : data) {
            if (one.length > 0xffff) {
                throw new IllegalArgumentException("record data has at most 65535 bytes, not " + one.length);
            }
            if (!hasWholeNames(type, one)) {
                throw new IllegalArgumentException("data of " + DnsType.toText(type) + " must have its names whole and uncompressed");
            }
            even &= one.length == data.get(0).length;
            size += RECORD_HEAD + one.length;
        }
        byte[] records = new byte[size];
        int at = 0;
        for (byte[] one : data) {
            at = put(records, at, type, dnsClass, ttl, one, 0, one.length);
        }
        return new RrSet(owner, type, ttl, data.size(), even ? size / data.size() : 0, records);
    }

    /**
     * Makes a set in class IN of data that has no names and is all of one width.
     *
     * @param data at least {@code count} times {@code width} bytes
     */
    public static RrSet of(WireName owner, int type, int ttl, int count, int width, byte[] data) {
        byte[] records = new byte[count * (RECORD_HEAD + width)];
        int at = 0;
        for (int i = 0; i < count; i++) {
            at = put(records, at, type, DnsClass.IN, ttl, data, i * width, width);
        }
        return new RrSet(owner, type, ttl, count, RECORD_HEAD + width, records);
    }

    private static int put(byte[] records, int at, int type, int dnsClass, int ttl, byte[] data, int from, int length) {
        Bytes.put16(records, at, QUESTION_POINTER);
        Bytes.put16(records, at + 2, type);
        Bytes.put16(records, at + 4, dnsClass);
        Bytes.put32(records, at + 6, ttl);
        Bytes.put16(records, at + 10, length);
        System.arraycopy(data, from, records, at + RECORD_HEAD, length);
        return at + RECORD_HEAD + length;
    }

    /** Takes over records as they stand in {@link #records}, of which the caller knows that they are in order. */
    static RrSet ofRecords(WireName owner, int type, int ttl, int count, int recordSize, byte[] records) {
        return new RrSet(owner, type, ttl, count, recordSize, records);
    }

    /** Names that the encoder will walk to compress or to point to; data from elsewhere may have pointers, or be cut. */
    private static boolean hasWholeNames(int type, byte[] data) {
        return switch (type) {
            case DnsType.NS, DnsType.CNAME, DnsType.PTR -> nameEnd(data, 0) == data.length;
            case DnsType.MX -> nameEnd(data, 2) == data.length;
            case DnsType.SRV -> nameEnd(data, 6) == data.length;
            case DnsType.SOA -> nameEnd(data, nameEnd(data, 0)) + 20 == data.length;
            default -> true;
        };
    }

    /** The position after the name at {@code from}, beyond the end of the data if there is no whole name. */
    private static int nameEnd(byte[] data, int from) {
        int at = from;
        while (at < data.length && data[at] > 0 && data[at] <= WireName.MAX_LABEL) {
            at += data[at] + 1;
        }
        return at < data.length && data[at] == 0 && at - from < WireName.MAX_LENGTH ? at + 1 : data.length + 1;
    }

    /** The same records under another name. */
    public RrSet withOwner(WireName other) {
        return new RrSet(other, type, ttl, count, recordSize, records);
    }

    /** The records from index {@code from} to before {@code to}, for messages that do not hold them all. */
    public RrSet slice(int from, int to) {
        if (from == 0 && to == count) {
            return this;
        }
        int start = offset(from);
        int end = offset(to);
        return new RrSet(owner, type, ttl, to - from, recordSize, Arrays.copyOfRange(records, start, end));
    }

    private int offset(int index) {
        int at = 0;
        for (int before = 0; before < index; before++) {
            at += RECORD_HEAD + Bytes.u16(records, at + 10);
        }
        return at;
    }

    /** How many bytes the records take in a message with nothing compressed. */
    public int wireSize() {
        return records.length + count * (owner.length() - 2);
    }

    /** How many of the first records fit into {@code room} bytes with nothing compressed. */
    public int fitting(int room) {
        int left = room;
        int at = 0;
        int fit = 0;
        while (fit < count) {
            int size = RECORD_HEAD + Bytes.u16(records, at + 10);
            left -= size + owner.length() - 2;
            if (left < 0) {
                return fit;
            }
            at += size;
            fit++;
        }
        return fit;
    }

    public WireName owner() {
        return owner;
    }

    public int type() {
        return type;
    }

    public int dnsClass() {
        return Bytes.u16(records, 4);
    }

    /** A copy of the data of record {@code i}. For set-up and slow paths. */
    public byte[] data(int i) {
        int at = offset(i);
        return Arrays.copyOfRange(records, at + RECORD_HEAD, at + RECORD_HEAD + Bytes.u16(records, at + 10));
    }

    public int ttl() {
        return ttl;
    }

    /** How many bytes the records have, each with its head. */
    public int byteCount() {
        return records.length;
    }

    public int count() {
        return count;
    }

    /** The size that all records have, 0 if they differ: to find one of many without walking. */
    int recordSize() {
        return recordSize;
    }

    byte[] records() {
        return records;
    }
}
