package dev.cairn.wire;

import java.util.Arrays;

/**
 * Writes names with pointers to what already stands in the message (RFC 1035 section 4.1.4). Owned and reused by one encoder. Remembers each
 * label start by the hash of the name that begins there, in a small table that is emptied by raising a stamp.
 */
final class NameCompressor {
    private static final int SLOTS = 512;
    private static final int MAX_POINTER = 0x3fff;
    private static final int MAX_LABELS = 128;

    private final int[] offsets = new int[SLOTS];
    private final int[] hashes = new int[SLOTS];
    private final int[] stamps = new int[SLOTS];
    private final int[] labels = new int[MAX_LABELS];
    private final int[] suffixes = new int[MAX_LABELS];
    private int stamp;
    private int used;

    NameCompressor() {
        this(0);
    }

    /** As it would be after so many messages. */
    NameCompressor(int messages) {
        stamp = messages;
    }

    /** Forgets the last message. */
    void reset() {
        stamp++;
        used = 0;
        if (stamp == 0) { // gone round after 2^32 messages: what old stamps are left would count again
            Arrays.fill(stamps, 0);
            stamp = 1;
        }
    }

    /** Remembers the uncompressed name that stands at {@code at} of the message, up to the suffix that is known already. */
    void remember(byte[] message, int at) {
        int count = split(message, at);
        for (int i = 0; i < count && find(suffixes[i], message, at + labels[i], message) < 0; i++) {
            put(suffixes[i], at + labels[i]);
        }
    }

    /** Writes a name and returns the position after it, -1 if it would pass {@code limit}. Source and target must not overlap. */
    int write(byte[] name, int from, byte[] out, int at, int limit) {
        int count = split(name, from);
        int known = 0;
        int pointer = -1;
        for (; known < count; known++) {
            pointer = find(suffixes[known], name, from + labels[known], out);
            if (pointer >= 0) {
                break;
            }
        }
        int literal = labels[known];
        int end = at + literal + (pointer >= 0 ? 2 : 1);
        if (end > limit) {
            return -1;
        }
        System.arraycopy(name, from, out, at, literal);
        if (pointer >= 0) {
            Bytes.put16(out, at + literal, 0xc000 | pointer);
        } else {
            out[at + literal] = 0;
        }
        for (int i = 0; i < known; i++) {
            put(suffixes[i], at + labels[i]);
        }
        return end;
    }

    /** Fills label starts, relative to {@code at}, and the hash of the name from each label on; returns the number of labels. */
    private int split(byte[] name, int at) {
        int count = 0;
        int i = at;
        while (name[i] != 0) {
            labels[count++] = i - at;
            i += name[i] + 1;
        }
        labels[count] = i - at;
        int hash = 17;
        for (int label = count - 1; label >= 0; label--) {
            for (int j = at + labels[label + 1] - 1; j >= at + labels[label]; j--) {
                hash = 31 * hash + Bytes.lower(name[j]);
            }
            suffixes[label] = hash;
        }
        return count;
    }

    private void put(int hash, int offset) {
        if (offset > MAX_POINTER || used > SLOTS / 2) {
            return;
        }
        int slot = slot(hash);
        while (stamps[slot] == stamp) {
            slot = (slot + 1) & (SLOTS - 1);
        }
        stamps[slot] = stamp;
        hashes[slot] = hash;
        offsets[slot] = offset;
        used++;
    }

    private int find(int hash, byte[] name, int at, byte[] message) {
        for (int slot = slot(hash); stamps[slot] == stamp; slot = (slot + 1) & (SLOTS - 1)) {
            if (hashes[slot] == hash && same(name, at, message, offsets[slot])) {
                return offsets[slot];
            }
        }
        return -1;
    }

    private static int slot(int hash) {
        return (hash ^ (hash >>> 16)) & (SLOTS - 1);
    }

    /** Compares an uncompressed name with one in the message, which may end in a pointer. */
    private static boolean same(byte[] name, int at, byte[] message, int offset) {
        int i = at;
        int j = offset;
        while (true) {
            while ((message[j] & 0xc0) == 0xc0) {
                j = Bytes.u16(message, j) & MAX_POINTER;
            }
            int label = name[i];
            if (label != message[j]) {
                return false;
            }
            if (label == 0) {
                return true;
            }
            for (int k = 1; k <= label; k++) {
                if (Bytes.lower(name[i + k]) != Bytes.lower(message[j + k])) {
                    return false;
                }
            }
            i += label + 1;
            j += label + 1;
        }
    }
}
