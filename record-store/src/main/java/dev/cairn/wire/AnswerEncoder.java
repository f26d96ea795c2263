package dev.cairn.wire;

import dev.cairn.wire.Answer.Part;
import dev.cairn.wire.Answer.Section;
import java.util.Arrays;

/**
 * Writes an {@link Answer} as the reply to its query: the request's ID and question as they came (so in the client's spelling), record
 * bytes, OPT. Owned and reused by one thread.
 */
public final class AnswerEncoder {
    /** The UDP payload we take ourselves, told in our OPT: fits every usual path without fragments (DNS flag day 2020). */
    public static final int OWN_UDP_SIZE = 1232;

    private static final int OPT_SIZE = 11;
    private static final int PADDING_HEAD = 4;
    private static final int DNSSEC_OK = 0x8000;
    private static final Section[] SECTIONS = Section.values();

    private final NameCompressor names = new NameCompressor();
    private boolean hasQuestion;
    private boolean namesReady;
    private boolean full;
    private int records;
    private int optAt;

    /**
     * Writes the reply into {@code out}, at most {@code limit} bytes, and returns its length. What does not fit is left out by whole record
     * sets, with TC if it was an answer or authority (RFC 2181 section 9), or an address of a service that was asked for with SRV, since a client
     * that has to ask for each target by itself is better off with TCP. Only sets of addresses and services (A, AAAA, SRV) in the answer keep
     * the records that still fit, so that a client of a service with very many endpoints has some to use.
     * Options go if there is no room for them beside the question; OPT itself always has room, since a limit is at least 512.
     */
    public int encode(QueryView query, Answer answer, byte[] out, int limit) {
        int at = query.questionEnd();
        System.arraycopy(query.message(), 0, out, 0, at);
        int flags = (answer.flags() & ~HeaderFlag.RCODE_MASK) | (answer.rcode() & HeaderFlag.RCODE_MASK);
        int options = at + OPT_SIZE + answer.optionsLength() <= limit ? answer.optionsLength() : 0;
        int optSize = query.hasEdns() ? OPT_SIZE + options : 0;
        hasQuestion = at > QueryView.HEADER;
        namesReady = false;
        full = false;
        Bytes.put16(out, 4, hasQuestion ? 1 : 0);
        for (Section section : SECTIONS) {
            records = 0;
            at = writeSection(answer, section, out, at, limit - optSize);
            Bytes.put16(out, section.countAt, records);
            if (full && (section != Section.ADDITIONAL || query.type() == DnsType.SRV)) {
                flags |= HeaderFlag.TC;
            }
        }
        optAt = -1;
        if (optSize > 0) {
            optAt = at;
            Bytes.put16(out, 10, records + 1);
            at = writeOpt(query, answer, options, out, at);
        }
        Bytes.put16(out, 2, flags);
        return at;
    }

    /**
     * Makes the reply that was just written, which has {@code length} bytes, a multiple of {@code block} long by an option (RFC 7830), so that
     * its size tells less of what it says. Returns its length; as it was if it has no OPT, or no room up to {@code limit}.
     */
    public int pad(byte[] out, int length, int block, int limit) {
        int padding = (block - (length + PADDING_HEAD) % block) % block;
        int end = length + PADDING_HEAD + padding;
        if (optAt < 0 || end > limit) {
            return length;
        }
        Bytes.put16(out, length, EdnsOption.PADDING);
        Bytes.put16(out, length + 2, padding);
        Arrays.fill(out, length + PADDING_HEAD, end, (byte) 0);
        Bytes.put16(out, optAt + 9, end - optAt - OPT_SIZE);
        return end;
    }

    private int writeSection(Answer answer, Section section, byte[] out, int from, int limit) {
        int at = from;
        for (int i = 0; i < answer.size() && !full; i++) {
            Part part = answer.part(i);
            if (part.section() == section) {
                at = pointsToQuestion(part) && !hasCompressibleData(part.set().type())
                        ? copyPart(part, out, at, limit)
                        : writePart(part, out, at, limit);
            }
        }
        return at;
    }

    /** With no question in the reply (FORMERR, NOTIMP) there is nothing to point to, and the set's own owner has to do. */
    private boolean pointsToQuestion(Part part) {
        return part.forQuestion() && hasQuestion;
    }

    /** Copies the bytes of a set in at most two pieces, the second for what stands before the rotation's start. */
    private int copyPart(Part part, byte[] out, int at, int limit) {
        byte[] bytes = part.set().records();
        if (at + bytes.length > limit) {
            return writePart(part, out, at, limit);
        }
        int start = startOf(part);
        System.arraycopy(bytes, start, out, at, bytes.length - start);
        System.arraycopy(bytes, 0, out, at + bytes.length - start, start);
        records += part.set().count();
        if (!part.keepsTtl()) {
            for (int i = at; i < at + bytes.length; i += RrSet.RECORD_HEAD + Bytes.u16(out, i + 10)) {
                Bytes.put32(out, i + 6, part.ttl());
            }
        }
        return at + bytes.length;
    }

    private static int startOf(Part part) {
        int recordSize = part.set().recordSize();
        if (recordSize > 0) {
            return part.first() * recordSize;
        }
        byte[] bytes = part.set().records();
        int at = 0;
        for (int i = 0; i < part.first(); i++) {
            at += RrSet.RECORD_HEAD + Bytes.u16(bytes, at + 10);
        }
        return at;
    }

    /** Writes a set record by record, with names compressed, as far as it fits. */
    private int writePart(Part part, byte[] out, int from, int limit) {
        byte[] bytes = part.set().records();
        int count = part.set().count();
        int at = from;
        int source = startOf(part);
        for (int i = 0; i < count; i++) {
            int next = writeRecord(part, source, out, at, limit);
            if (next < 0) {
                full = true;
                boolean keepsSome = part.section() == Section.ANSWER && isAddressLike(part.set().type());
                records += keepsSome ? i : 0;
                return keepsSome ? at : from;
            }
            at = next;
            source += RrSet.RECORD_HEAD + Bytes.u16(bytes, source + 10);
            source = source == bytes.length ? 0 : source;
        }
        records += count;
        return at;
    }

    private int writeRecord(Part part, int source, byte[] out, int from, int limit) {
        byte[] bytes = part.set().records();
        int at = pointsToQuestion(part)
                ? writePointer(out, from, limit)
                : names(out).write(part.set().owner().array(), 0, out, from, limit);
        int length = Bytes.u16(bytes, source + 10);
        // The longest a record can get is with nothing compressed; one near the limit that would fit only compressed is given up.
        if (at < 0 || at + 10 + length > limit) {
            return -1;
        }
        System.arraycopy(bytes, source + 2, out, at, 8);
        if (!part.keepsTtl()) {
            Bytes.put32(out, at + 4, part.ttl());
        }
        int end = writeData(part.set().type(), bytes, source + RrSet.RECORD_HEAD, length, out, at + 10);
        Bytes.put16(out, at + 8, end - at - 10);
        return end;
    }

    private static int writePointer(byte[] out, int at, int limit) {
        if (at + 2 > limit) {
            return -1;
        }
        Bytes.put16(out, at, RrSet.QUESTION_POINTER);
        return at + 2;
    }

    private int writeData(int type, byte[] data, int from, int length, byte[] out, int at) {
        int end = from + length;
        return switch (type) {
            case DnsType.NS, DnsType.CNAME, DnsType.PTR -> names(out).write(data, from, out, at, out.length);
            case DnsType.MX -> {
                copy(data, from, from + 2, out, at);
                yield names(out).write(data, from + 2, out, at + 2, out.length);
            }
            case DnsType.SOA -> {
                int mailbox = names(out).write(data, from, out, at, out.length);
                int times = names(out).write(data, afterName(data, from), out, mailbox, out.length);
                yield copy(data, end - 20, end, out, times);
            }
            case DnsType.SRV -> {
                int next = copy(data, from, end, out, at);
                names(out).remember(out, at + 6); // RFC 2782 forbids to compress the target, but the address record may point to it
                yield next;
            }
            default -> copy(data, from, end, out, at);
        };
    }

    private static int copy(byte[] data, int from, int to, byte[] out, int at) {
        System.arraycopy(data, from, out, at, to - from);
        return at + to - from;
    }

    private static int afterName(byte[] data, int from) {
        int at = from;
        while (data[at] != 0) {
            at += data[at] + 1;
        }
        return at + 1;
    }

    private NameCompressor names(byte[] out) {
        if (!namesReady) {
            names.reset();
            if (hasQuestion) {
                names.remember(out, QueryView.HEADER);
            }
            namesReady = true;
        }
        return names;
    }

    /** The types whose data may be compressed (RFC 3597 section 4), and SRV, whose targets are worth pointing to. */
    private static boolean hasCompressibleData(int type) {
        return switch (type) {
            case DnsType.NS, DnsType.CNAME, DnsType.SOA, DnsType.PTR, DnsType.MX, DnsType.SRV -> true;
            default -> false;
        };
    }

    private static boolean isAddressLike(int type) {
        return type == DnsType.A || type == DnsType.AAAA || type == DnsType.SRV;
    }

    private static int writeOpt(QueryView query, Answer answer, int options, byte[] out, int at) {
        out[at] = 0;
        Bytes.put16(out, at + 1, DnsType.OPT);
        Bytes.put16(out, at + 3, OWN_UDP_SIZE);
        Bytes.put16(out, at + 5, answer.rcode() >>> 4 << 8);
        Bytes.put16(out, at + 7, query.dnssecOk() ? DNSSEC_OK : 0);
        Bytes.put16(out, at + 9, options);
        System.arraycopy(answer.options(), 0, out, at + OPT_SIZE, options);
        return at + OPT_SIZE + options;
    }
}
