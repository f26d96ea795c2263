package dev.cairn.wire;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A view of one received query: header, the question, OPT. Owned and reused by the thread that handles the query. {@link #read} never throws
 * and copies only the question's name, lower-cased, to look it up by. A plugin may let those below it see another query in its place
 * ({@link QueryChange}); the one received is kept, and what is sent to the client is made from it.
 * It begins small and grows with what it reads, and counts in 16 bits what a message does, since thousands may wait for upstreams that do
 * not answer.
 */
public final class QueryView {
    public static final int HEADER = 12;
    public static final int MIN_UDP_SIZE = 512;

    private static final int MAX_LABELS = 128;
    private static final int FEW_LABELS = 12;

    /** Names are copied in steps of eight bytes and so may write over their end. */
    private static final int MARGIN = 9;

    private static final int SHORT_NAME = 52;
    private static final byte[] NOTHING = {0};
    private static final byte[] NO_LABELS = {};

    private byte[] received = NOTHING;
    private char receivedLength;
    private byte[] message = received;
    private boolean replaced;
    private char length;
    private char flags;

    private byte[] name = NOTHING;
    private byte[] labels = NO_LABELS;

    /** The name for those who keep it; made when the first of them wants it. */
    private @Nullable WireName wireName;

    private char labelCount;
    private char nameLength;
    private int nameHash;
    private char type;
    private char dnsClass;
    private char questionEnd;

    private boolean edns;
    private boolean dnssecOk;
    private char ednsVersion;
    private char udpSize;
    private char udpCap;
    private char optionsAt;
    private char optionsLength;
    private boolean tsig;

    /** A buffer of at least {@code size} bytes for the receiver to put the packet into, before it calls {@link #read}. */
    public byte[] buffer(int size) {
        if (received.length < Math.max(size, HEADER)) {
            received = new byte[Math.max(Math.max(size, HEADER), Math.min(2 * received.length, 0xffff))];
        }
        return received;
    }

    /** Lets go of what was read, and of room that few queries need, before a view lies idle. */
    public void trim() {
        message = received;
        length = 0;
        wireName = null;
        if (received.length > MIN_UDP_SIZE) {
            received = NOTHING;
            message = received;
        }
    }

    /** Becomes a copy of another view, with what plugins changed in it. */
    public void copy(QueryView other) {
        System.arraycopy(other.message, 0, buffer(other.length), 0, other.length);
        read(other.length);
        flags = other.flags;
        udpCap = other.udpCap;
        wireName = other.wireName;
    }

    /** Reads the first {@code size} bytes of {@link #buffer}. */
    public Verdict read(int size) {
        message = received;
        replaced = false;
        receivedLength = (char) size;
        udpCap = 0xffff;
        return parse(size);
    }

    /**
     * Shows another query in place of this one until {@link #restore} or until it is replaced again, by what {@link #message} and
     * {@link #length} told before. The flags stay as they are. The packet must be a proper query and must not change afterwards.
     */
    public void replace(byte[] packet, int size) {
        char kept = flags;
        message = packet;
        replaced = true;
        parse(size);
        flags = kept;
    }

    /** Shows the query as received again. */
    public void restore() {
        if (replaced) {
            replace(received, receivedLength);
            replaced = false;
        }
    }

    private Verdict parse(int size) {
        length = (char) size;
        flags = 0;
        forgetQuestion();
        forgetOpt();
        tsig = false;
        if (size < HEADER) {
            return Verdict.DROP;
        }
        flags = (char) Bytes.u16(message, 2);
        if ((flags & HeaderFlag.QR) != 0) {
            return Verdict.DROP;
        }
        int opcode = flags & HeaderFlag.OPCODE_MASK;
        if (opcode != 0 && opcode != HeaderFlag.NOTIFY) {
            findOpt();
            return Verdict.NOT_IMPLEMENTED;
        }
        if (Bytes.u16(message, 4) != 1) {
            findOpt();
            return Verdict.FORMAT_ERROR;
        }
        if (!readQuestion() || !readRecords(questionEnd)) {
            return Verdict.FORMAT_ERROR;
        }
        return edns && ednsVersion > 0 ? Verdict.BAD_VERSION : Verdict.ANSWER;
    }

    /** So that a log line or a metric of a bad packet does not show the query before it. */
    private void forgetQuestion() {
        makeRoom(0);
        makeRoomForLabel(0);
        name[0] = 0;
        labels[0] = 0;
        wireName = null;
        labelCount = 0;
        nameLength = 0;
        nameHash = 0;
        type = 0;
        dnsClass = 0;
        questionEnd = HEADER;
    }

    private void forgetOpt() {
        edns = false;
        dnssecOk = false;
        udpSize = MIN_UDP_SIZE;
        optionsLength = 0;
    }

    private boolean readQuestion() {
        int at = HEADER;
        int count = 0;
        int label;
        // Pointers and the reserved label types have one of the two upper bits set and so fail the test for 63.
        while (at < length && (label = Bytes.u8(message, at)) != 0) {
            if (label > WireName.MAX_LABEL || at + label + 1 - HEADER >= WireName.MAX_LENGTH) {
                return false;
            }
            makeRoomForLabel(count);
            labels[count++] = (byte) (at - HEADER);
            at += label + 1;
        }
        if (at + 5 > length) {
            return false;
        }
        makeRoomForLabel(count);
        labels[count] = (byte) (at - HEADER);
        labelCount = (char) count;
        nameLength = (char) (at + 1 - HEADER);
        makeRoom(nameLength);
        type = (char) Bytes.u16(message, at + 1);
        dnsClass = (char) Bytes.u16(message, at + 3);
        questionEnd = (char) (at + 5);
        Bytes.copyLower(message, HEADER, nameLength, name, 0);
        nameHash = WireName.hash(name, 0, nameLength);
        return true;
    }

    private void makeRoom(int forName) {
        if (forName + MARGIN > name.length) {
            name = new byte[forName + MARGIN > SHORT_NAME ? WireName.MAX_LENGTH + MARGIN : SHORT_NAME];
        }
    }

    private void makeRoomForLabel(int index) {
        if (index >= labels.length) {
            labels = Arrays.copyOf(labels, index < FEW_LABELS ? FEW_LABELS : MAX_LABELS);
        }
    }

    /** Of a message that gets an error only OPT is looked for: if it has one, so must the reply (RFC 6891 section 6.1.1). */
    private void findOpt() {
        int at = HEADER;
        for (int i = Bytes.u16(message, 4); i > 0 && at >= 0; i--) {
            at = WireName.skip(message, at, length);
            at = at < 0 ? at : at + 4;
        }
        if (at < 0 || !readRecords(at)) {
            forgetOpt();
        }
    }

    /** Walks what follows the question; only OPT and TSIG matter, but all of it must be whole, with nothing after the end. */
    private boolean readRecords(int from) {
        int before = Bytes.u16(message, 6) + Bytes.u16(message, 8);
        int records = before + Bytes.u16(message, 10);
        int at = from;
        for (int i = 0; i < records; i++) {
            int owner = at;
            at = WireName.skip(message, at, length);
            if (at < 0 || at + 10 > length) {
                return false;
            }
            int next = at + 10 + Bytes.u16(message, at + 8);
            if (next > length || (Bytes.u16(message, at) == DnsType.OPT && (i < before || message[owner] != 0 || !readOpt(at, next)))) {
                return false;
            }
            if (Bytes.u16(message, at) == DnsType.TSIG) {
                if (i < before || i < records - 1) {
                    return false; // only the last record may be one (RFC 8945 section 5.1)
                }
                tsig = true;
            }
            at = next;
        }
        return at == length;
    }

    private boolean readOpt(int at, int end) {
        if (edns) {
            return false;
        }
        for (int option = at + 10; option < end; option += 4 + Bytes.u16(message, option + 2)) {
            if (option + 4 > end || option + 4 + Bytes.u16(message, option + 2) > end) {
                return false;
            }
        }
        edns = true;
        udpSize = (char) Math.max(MIN_UDP_SIZE, Bytes.u16(message, at + 2));
        ednsVersion = (char) Bytes.u8(message, at + 5);
        dnssecOk = (message[at + 6] & 0x80) != 0;
        optionsAt = (char) (at + 10);
        optionsLength = (char) (end - optionsAt);
        return true;
    }

    public int id() {
        return Bytes.u16(message, 0);
    }

    /** The header's flag word, with what plugins changed in it. */
    public int flags() {
        return flags;
    }

    public void flags(int changed) {
        flags = (char) changed;
    }

    /** Whether this is not a query but tells that a zone has changed (RFC 1996). */
    public boolean isNotify() {
        return (flags & HeaderFlag.OPCODE_MASK) == HeaderFlag.NOTIFY;
    }

    /** Whether the message ends with a TSIG record (RFC 8945). */
    public boolean isSigned() {
        return tsig;
    }

    public int type() {
        return type;
    }

    public int dnsClass() {
        return dnsClass;
    }

    /** The size of the packet. */
    public int length() {
        return length;
    }

    /** The packet; the first {@link #length} bytes count. */
    public byte[] message() {
        return message;
    }

    /** The packet as received, whatever was shown in its place; the first {@link #receivedLength} bytes count. */
    public byte[] received() {
        return received;
    }

    public int receivedLength() {
        return receivedLength;
    }

    /** The lower-cased name on the wire; the first {@link #nameLength} bytes count. */
    public byte[] name() {
        return name;
    }

    /** The question's name for those who keep it: one object for all of them. The first call allocates. */
    public WireName wireName() {
        WireName made = wireName;
        if (made == null) {
            made = WireName.ofLower(name, nameLength, nameHash);
            wireName = made;
        }
        return made;
    }

    public int nameLength() {
        return nameLength;
    }

    public int nameHash() {
        return nameHash;
    }

    /** Labels without the root. */
    public int labelCount() {
        return labelCount;
    }

    /** Where label {@code i} starts in {@link #name}; label {@link #labelCount} is the root. */
    public int labelAt(int i) {
        return labels[i] & 0xff;
    }

    /** Whether the question's name is {@code zone} or below it. */
    public boolean isWithin(WireName zone) {
        int at = nameLength - zone.length();
        if (at < 0 || !zone.matches(name, at, zone.length())) {
            return false;
        }
        int label = labelCount;
        while (labelAt(label) > at) {
            label--;
        }
        return labelAt(label) == at;
    }

    /** Whether the question's name is in one of these zones. */
    public boolean isWithinAny(WireName[] zones) {
        for (WireName zone : zones) {
            if (isWithin(zone)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the question's name is exactly this one. */
    public boolean is(WireName other) {
        return other.matches(name, 0, nameLength);
    }

    /** The name in lower case, presentation form. Allocates: for logs and slow paths. */
    public String nameText() {
        return WireName.toText(name, 0);
    }

    /** The end of the question in {@link #message}; the end of the header if there is no readable question. */
    public int questionEnd() {
        return questionEnd;
    }

    public boolean hasEdns() {
        return edns;
    }

    public boolean dnssecOk() {
        return dnssecOk;
    }

    /** The size the client can take over UDP: what its OPT says but never below 512, 512 without OPT (RFC 6891 section 6.2.3). */
    public int udpSize() {
        return Math.min(udpSize, udpCap);
    }

    /** Lowers (never raises) the size that {@link #udpSize} tells. */
    public void capUdpSize(int cap) {
        udpCap = (char) Math.min(udpCap, Math.max(cap, MIN_UDP_SIZE));
    }

    /** All EDNS options as they stand in the OPT record. Allocates: for slow paths. */
    byte[] options() {
        return Arrays.copyOfRange(message, optionsAt, optionsAt + optionsLength);
    }

    /** Where the data of the first EDNS option with this code starts in {@link #message}, -1 if there is none. */
    public int option(int code) {
        for (int at = optionsAt; at < optionsAt + optionsLength; at += 4 + Bytes.u16(message, at + 2)) {
            if (Bytes.u16(message, at) == code) {
                return at + 4;
            }
        }
        return -1;
    }
}
