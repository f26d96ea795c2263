package dev.cairn.wire;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The reply to one query while plugins still work on it: code, flags and references to record bytes, in sections. Owned and reused by the
 * thread that handles the query. Plugins on the way back look at and change the parts; only {@link AnswerEncoder} writes bytes.
 */
public final class Answer {
    /** Sections in the order of the message (RFC 1035 section 4.1). */
    public enum Section {
        ANSWER(6),
        AUTHORITY(8),
        ADDITIONAL(10);

        /** Where the header counts the section's records. */
        final int countAt;

        Section(int countAt) {
            this.countAt = countAt;
        }
    }

    private static final int KEEP_TTL = -1;
    private static final int FEW_PARTS = 8;
    private static final int FEW_OPTION_BYTES = 64;
    private static final Part[] NO_PARTS = {};
    private static final byte[] NO_OPTIONS = {};

    private int flags;
    private int rcode;
    private int size;
    private Part[] parts = NO_PARTS;
    private byte[] options = NO_OPTIONS;
    private int optionsLength;

    /** Starts anew: an empty NOERROR reply that mirrors opcode, RD and CD of the query and claims nothing. */
    public void reset(QueryView query) {
        flags = HeaderFlag.QR | (query.flags() & (HeaderFlag.OPCODE_MASK | HeaderFlag.RD | HeaderFlag.CD));
        rcode = Rcode.NOERROR;
        optionsLength = 0;
        clear();
    }

    /** Forgets all records; code, flags and options stay. */
    public void clear() {
        for (int i = 0; i < size; i++) {
            parts[i].set = null;
        }
        size = 0;
    }

    /** Forgets all records, and room that few answers need, before it lies idle. */
    public void trim() {
        clear();
        if (parts.length > FEW_PARTS || options.length > FEW_OPTION_BYTES) {
            parts = NO_PARTS;
            options = NO_OPTIONS;
        }
    }

    public void rcode(int code) {
        rcode = code;
    }

    public int rcode() {
        return rcode;
    }

    /** The flag word of the reply without the code. */
    public int flags() {
        return flags;
    }

    public void set(int flag) {
        flags |= flag;
    }

    public void clear(int flag) {
        flags &= ~flag;
    }

    /** Adds records whose owner is the question's name, whatever owner the set was made with. */
    public Part addForQuestion(RrSet set) {
        return add(Section.ANSWER, set, true);
    }

    public Part add(Section section, RrSet set) {
        return add(section, set, false);
    }

    private Part add(Section section, RrSet set, boolean forQuestion) {
        if (size == parts.length) {
            parts = newParts(parts, Math.max(1, 2 * size));
        }
        Part part = parts[size++];
        part.section = section;
        part.set = set;
        part.forQuestion = forQuestion;
        part.first = 0;
        part.ttl = KEEP_TTL;
        return part;
    }

    /** Becomes what another answer is: code, flags, options, and records, of which those of its question get {@code question} for a name. */
    public void copy(Answer other, WireName question) {
        clear();
        flags = other.flags;
        rcode = other.rcode;
        for (int i = 0; i < other.size; i++) {
            Part part = other.parts[i];
            Part copy = add(part.section, part.forQuestion ? part.set().withOwner(question) : part.set());
            copy.first = part.first;
            copy.ttl = part.ttl;
        }
        // Plugins above those that the other answer came from may have added options of their own here, which stay.
        int end = optionsLength + other.optionsLength;
        if (end > options.length) {
            options = Arrays.copyOf(options, end);
        }
        System.arraycopy(other.options, 0, options, optionsLength, other.optionsLength);
        optionsLength = end;
    }

    /** Adds what another answer has in a section, in its order; {@code question} is the name that the other was asked for. */
    public void addAll(Section section, Answer other, WireName question) {
        for (int i = 0; i < other.size; i++) {
            Part part = other.parts[i];
            if (part.section == section) {
                Part added = add(section, part.forQuestion ? part.set().withOwner(question) : part.set());
                added.first = part.first;
                added.ttl = part.ttl;
            }
        }
    }

    /** The number of record sets in all sections. */
    public int size() {
        return size;
    }

    public Part part(int i) {
        if (i >= size) {
            throw new IndexOutOfBoundsException(i);
        }
        return parts[i];
    }

    public boolean has(Section section) {
        for (int i = 0; i < size; i++) {
            if (parts[i].section == section) {
                return true;
            }
        }
        return false;
    }

    /** Drops the records of one section. */
    public void remove(Section section) {
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (parts[i].section != section) {
                Part moved = parts[kept];
                parts[kept++] = parts[i];
                parts[i] = moved;
            }
        }
        for (int i = kept; i < size; i++) {
            parts[i].set = null;
        }
        size = kept;
    }

    /** Drops one part; those after it move up. */
    public void remove(int index) {
        Part dropped = part(index);
        System.arraycopy(parts, index + 1, parts, index, size - index - 1);
        parts[--size] = dropped;
        dropped.set = null;
    }

    /** Takes over code, flags, records and options of another answer to the same question. */
    public void copyFrom(Answer other) {
        clear();
        flags = other.flags;
        rcode = other.rcode;
        for (int i = 0; i < other.size; i++) {
            Part from = other.parts[i];
            Part to = add(from.section, from.set(), from.forQuestion);
            to.first = from.first;
            to.ttl = from.ttl;
        }
        options = other.optionsLength > options.length ? new byte[other.optionsLength] : options;
        System.arraycopy(other.options, 0, options, 0, other.optionsLength);
        optionsLength = other.optionsLength;
    }

    /** Moves part {@code from} up to the place {@code to}; those it passes move down by one. */
    public void moveUp(int from, int to) {
        Part moved = part(from);
        System.arraycopy(parts, to, parts, to + 1, from - to);
        parts[to] = moved;
    }

    /** Adds an EDNS option; it is sent only to a client that sent an OPT itself (RFC 6891 section 7). */
    public void addOption(int code, byte[] data) {
        int end = optionsLength + 4 + data.length;
        if (end > options.length) {
            options = Arrays.copyOf(options, end);
        }
        Bytes.put16(options, optionsLength, code);
        Bytes.put16(options, optionsLength + 2, data.length);
        System.arraycopy(data, 0, options, optionsLength + 4, data.length);
        optionsLength = end;
    }

    /** The data of the first EDNS option with this code, null if there is none. Allocates. */
    public byte @Nullable [] option(int code) {
        for (int at = 0; at < optionsLength; at += 4 + Bytes.u16(options, at + 2)) {
            if (Bytes.u16(options, at) == code) {
                return Arrays.copyOfRange(options, at + 4, at + 4 + Bytes.u16(options, at + 2));
            }
        }
        return null;
    }

    byte[] options() {
        return options;
    }

    int optionsLength() {
        return optionsLength;
    }

    private static Part[] newParts(Part[] old, int length) {
        Part[] grown = Arrays.copyOf(old, length);
        for (int i = old.length; i < length; i++) {
            grown[i] = new Part();
        }
        return grown;
    }

    /** One record set in the reply, and how it is to be written. */
    public static final class Part {
        private Section section = Section.ANSWER;
        private @Nullable RrSet set;
        private boolean forQuestion;
        private int first;
        private int ttl;

        private Part() {}

        public Section section() {
            return section;
        }

        public RrSet set() {
            if (set == null) {
                throw new IllegalStateException("a part is valid only until its answer is cleared");
            }
            return set;
        }

        /** Puts another set in place of this one, such as one in another order or with fewer records. */
        public void replace(RrSet other) {
            set = other;
            first = 0;
        }

        /** Sends the records under this name, and no longer as the question's. */
        public void owner(WireName name) {
            set = set().withOwner(name);
            forQuestion = false;
        }

        /** Whether the records are sent as the question's, whatever owner their set has. */
        public boolean forQuestion() {
            return forQuestion;
        }

        /** Starts with the record of this index and wraps round. */
        public void rotate(int start) {
            first = start;
        }

        /** The index of the record that is sent first. */
        public int first() {
            return first;
        }

        /** Sends this TTL instead of the set's own. */
        public void overrideTtl(int seconds) {
            ttl = seconds;
        }

        public int ttl() {
            return ttl == KEEP_TTL ? set().ttl() : ttl;
        }

        boolean keepsTtl() {
            return ttl == KEEP_TTL;
        }
    }
}
