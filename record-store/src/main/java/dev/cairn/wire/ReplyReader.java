package dev.cairn.wire;

import dev.cairn.wire.Answer.Section;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads a reply of another server into an {@link Answer}. Owned and reused by one thread. Never throws, whatever the bytes are.
 *
 * <p>Neighbouring records of the same owner, type and class become one {@link RrSet} with the smallest of their TTLs (RFC 2181 section
 * 5.2), with names in their data whole. Those of the answer section that are the question's are added as such, so that they are sent in the
 * client's spelling. OPT is taken apart: its part of the code counts, extended errors (RFC 8914) are kept as options of the answer, and
 * everything else of it was between that server and us. TSIG records are left out for the same reason. Whether the reply belongs to a
 * question of ours (ID, question, sender) is for the caller to see to.
 */
public final class ReplyReader {
    /** What became of the reply. */
    public enum Outcome {
        /** All of it is in the answer. */
        WHOLE,
        /** The sender cut it (TC): what there is of it is in the answer, with TC set. */
        TRUNCATED,
        /** Not a reply, or not put together as one: the answer has no records, and its code and flags are as they were. */
        MALFORMED
    }

    private static final int PASSED_FLAGS = HeaderFlag.AA | HeaderFlag.TC | HeaderFlag.RA | HeaderFlag.AD;
    private static final Section[] SECTIONS = Section.values();
    private static final int BAD = -1;

    /** Names in full may take much more room than they came in; a reader does not keep that much for the next reply. */
    private static final int MAX_KEPT = 1 << 16;

    private final byte[] ownerName = new byte[WireName.MAX_LENGTH];
    private byte[] records = new byte[1024];
    private int recordsLength;

    private byte[] message = {};
    private int length;
    private Answer answer = new Answer();
    private int optAt;
    private int ownerLength;
    private int ownerAt;

    private @Nullable WireName asked;
    private @Nullable WireName questionName;
    private @Nullable WireName setOwner;
    private int setOwnerAt;
    private int setType;
    private int setClass;
    private int setTtl;
    private int setCount;
    private int setRecordSize;
    private boolean sameTtls;

    /**
     * Reads the first {@code size} bytes.
     *
     * @param question the name that was asked for, to be the owner of its records instead of a copy
     * @param subnet whether the client sent a subnet (RFC 7871) and so is to get the option that answers it
     * @param into gets the records, the code, AA, RA, AD and TC; what else it holds stays
     */
    public Outcome read(byte[] bytes, int size, @Nullable WireName question, boolean subnet, Answer into) {
        asked = question;
        message = bytes;
        length = size;
        answer = into;
        optAt = 0;
        ownerAt = 0;
        questionName = null;
        if (size < QueryView.HEADER || (Bytes.u16(bytes, 2) & (HeaderFlag.QR | HeaderFlag.OPCODE_MASK)) != HeaderFlag.QR) {
            return Outcome.MALFORMED;
        }
        int flags = Bytes.u16(bytes, 2);
        records = records.length > MAX_KEPT ? new byte[MAX_KEPT] : records;
        int at = readQuestion();
        for (int i = 0; i < SECTIONS.length && at > 0; i++) {
            at = readSection(SECTIONS[i], at);
        }
        // Some servers cut in the middle of a record; what stands before it is good.
        if (at < 0 && (flags & HeaderFlag.TC) == 0) {
            into.clear();
            return Outcome.MALFORMED;
        }
        into.clear(PASSED_FLAGS);
        into.set(flags & PASSED_FLAGS);
        into.rcode(flags & HeaderFlag.RCODE_MASK);
        if (optAt > 0) {
            into.rcode(Bytes.u8(bytes, optAt + 4) << 4 | (flags & HeaderFlag.RCODE_MASK));
            keepOptions(subnet);
        }
        return (flags & HeaderFlag.TC) != 0 ? Outcome.TRUNCATED : Outcome.WHOLE;
    }

    /** Returns the position after the question, {@link #BAD} if there is more than one or none that is whole. */
    private int readQuestion() {
        int questions = Bytes.u16(message, 4);
        if (questions == 0) {
            return QueryView.HEADER;
        }
        int end = readOwner(QueryView.HEADER);
        if (questions > 1 || end < 0 || end + 4 > length) {
            return BAD;
        }
        WireName known = asked;
        questionName = known != null && known.matches(ownerName, 0, ownerLength) ? known : WireName.of(ownerName, 0, ownerLength);
        ownerAt = RrSet.QUESTION_POINTER;
        return end + 4;
    }

    private int readSection(Section section, int from) {
        int at = from;
        setCount = 0;
        recordsLength = 0;
        for (int left = Bytes.u16(message, section.countAt); left > 0 && at > 0; left--) {
            at = readRecord(section, at);
        }
        endSet(section);
        return at;
    }

    private int readRecord(Section section, int from) {
        int at = readOwner(from);
        if (at < 0 || at + 10 > length) {
            return BAD;
        }
        int type = Bytes.u16(message, at);
        int end = at + 10 + Bytes.u16(message, at + 8);
        if (end > length) {
            return BAD;
        }
        if (type == DnsType.OPT) {
            return section == Section.ADDITIONAL && optAt == 0 && ownerLength == 1 && isWholeOpt(at, end) ? end : BAD;
        }
        if (type == DnsType.TSIG) {
            return end;
        }
        int dnsClass = Bytes.u16(message, at + 2);
        if (setCount == 0 || type != setType || dnsClass != setClass || !isSetOwner()) {
            endSet(section);
            beginSet(type, dnsClass);
        }
        return addRecord(at, end) ? end : BAD;
    }

    private boolean isWholeOpt(int at, int end) {
        int option = at + 10;
        while (option + 4 <= end) {
            option += 4 + Bytes.u16(message, option + 2);
        }
        optAt = option == end ? at : 0;
        return option == end;
    }

    private void keepOptions(boolean subnet) {
        int end = optAt + 10 + Bytes.u16(message, optAt + 8);
        for (int at = optAt + 10; at < end; at += 4 + Bytes.u16(message, at + 2)) {
            int code = Bytes.u16(message, at);
            if (code == EdnsOption.EXTENDED_ERROR || (code == EdnsOption.CLIENT_SUBNET && subnet)) {
                answer.addOption(code, Arrays.copyOfRange(message, at + 4, at + 4 + Bytes.u16(message, at + 2)));
            }
        }
    }

    private boolean isSetOwner() {
        WireName owner = setOwner;
        return owner != null && ((ownerAt != 0 && ownerAt == setOwnerAt) || owner.matches(ownerName, 0, ownerLength));
    }

    private void beginSet(int type, int dnsClass) {
        WireName question = questionName;
        setOwner = question != null && question.matches(ownerName, 0, ownerLength) ? question : WireName.of(ownerName, 0, ownerLength);
        setOwnerAt = ownerAt;
        setType = type;
        setClass = dnsClass;
        setTtl = Integer.MAX_VALUE;
        setRecordSize = BAD;
        sameTtls = true;
    }

    private void endSet(Section section) {
        WireName owner = setOwner;
        if (setCount > 0 && owner != null) {
            byte[] ready = Arrays.copyOf(records, recordsLength);
            for (int at = 0; !sameTtls && at < ready.length; at += RrSet.RECORD_HEAD + Bytes.u16(ready, at + 10)) {
                Bytes.put32(ready, at + 6, setTtl);
            }
            RrSet set = RrSet.ofRecords(owner, setType, setTtl, setCount, Math.max(0, setRecordSize), ready);
            WireName question = questionName;
            if (section == Section.ANSWER && question != null && owner.equals(question)) {
                answer.addForQuestion(set);
            } else {
                answer.add(section, set);
            }
        }
        setCount = 0;
        recordsLength = 0;
    }

    /** Appends the record whose type stands at {@code at} to the set's bytes. */
    private boolean addRecord(int at, int end) {
        int start = recordsLength;
        room(RrSet.RECORD_HEAD);
        Bytes.put16(records, start, RrSet.QUESTION_POINTER);
        System.arraycopy(message, at, records, start + 2, 8);
        int ttl = Math.max(0, Bytes.i32(message, at + 4)); // one with the highest bit set means zero (RFC 2181 section 8)
        Bytes.put32(records, start + 6, ttl);
        recordsLength = start + RrSet.RECORD_HEAD;
        int size = recordsLength;
        if (RdataNames.count(setType) == 0) {
            copy(at + 10, end);
        } else if (!copyWithNames(at + 10, end)) {
            recordsLength = start;
            return false;
        }
        size = recordsLength - size;
        if (size > 0xffff) {
            recordsLength = start;
            return false;
        }
        Bytes.put16(records, start + 10, size);
        sameTtls &= setCount == 0 || ttl == setTtl;
        setTtl = Math.min(setTtl, ttl);
        int recordSize = RrSet.RECORD_HEAD + size;
        setRecordSize = setCount == 0 || recordSize == setRecordSize ? recordSize : 0;
        setCount++;
        return true;
    }

    private boolean copyWithNames(int from, int end) {
        int at = from + RdataNames.fixed(setType);
        if (setType == RdataNames.NAPTR) {
            for (int i = 0; i < 3 && at < end; i++) {
                at += 1 + Bytes.u8(message, at);
            }
        }
        if (at >= end) {
            return false;
        }
        copy(from, at);
        for (int i = RdataNames.count(setType); i > 0; i--) {
            room(WireName.MAX_LENGTH);
            int next = readName(at, end, records, recordsLength);
            if (next < 0) {
                return false;
            }
            recordsLength += nameLength(records, recordsLength);
            at = next;
        }
        int rest = RdataNames.rest(setType);
        if (rest != RdataNames.ANY_REST && end - at != rest) {
            return false;
        }
        copy(at, end);
        return true;
    }

    private void copy(int from, int to) {
        room(to - from);
        System.arraycopy(message, from, records, recordsLength, to - from);
        recordsLength += to - from;
    }

    private void room(int more) {
        if (recordsLength + more > records.length) {
            records = Arrays.copyOf(records, Math.max(2 * records.length, recordsLength + more));
        }
    }

    private static int nameLength(byte[] name, int from) {
        int at = from;
        while (name[at] != 0) {
            at += name[at] + 1;
        }
        return at + 1 - from;
    }

    /** Reads a name to {@link #ownerName}, lower-cased, unless it is the pointer that was read last. */
    private int readOwner(int at) {
        if (ownerAt != 0 && at + 2 <= length && ownerAt == Bytes.u16(message, at)) {
            return at + 2;
        }
        int end = readName(at, length, ownerName, 0);
        if (end < 0) {
            ownerAt = 0;
            return BAD;
        }
        ownerLength = nameLength(ownerName, 0);
        for (int i = 0; i < ownerLength; i++) {
            ownerName[i] = Bytes.lower(ownerName[i]);
        }
        ownerAt = end == at + 2 && Bytes.u8(message, at) >= 0xc0 ? Bytes.u16(message, at) : 0;
        return end;
    }

    /**
     * Writes the name at {@code from} whole to {@code to} and returns the position after it in the message, {@link #BAD} if there is none.
     * A pointer leads to before the labels it ends, so every step goes back and there are no circles.
     */
    private int readName(int from, int end, byte[] to, int toAt) {
        int at = from;
        int limit = end;
        int next = BAD;
        int written = 0;
        int start = from;
        while (at < limit) {
            int label = Bytes.u8(message, at);
            if (label == 0) {
                to[toAt + written] = 0;
                return next < 0 ? at + 1 : next;
            }
            if (label >= 0xc0) {
                if (at + 2 > limit) {
                    return BAD;
                }
                int target = Bytes.u16(message, at) & 0x3fff;
                if (target >= start || target < QueryView.HEADER) {
                    return BAD;
                }
                next = next < 0 ? at + 2 : next;
                limit = length;
                start = target;
                at = target;
            } else {
                if (label > WireName.MAX_LABEL || at + 1 + label > limit || written + 1 + label >= WireName.MAX_LENGTH) {
                    return BAD;
                }
                System.arraycopy(message, at, to, toAt + written, label + 1);
                written += label + 1;
                at += label + 1;
            }
        }
        return BAD;
    }
}
