package dev.cairn.plugin.hosts;

import dev.cairn.wire.IpAddress;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads lines of {@code ADDRESS NAME...} with {@code #} comments, byte by byte, so that a line may have any length. What is not an address
 * makes its line be ignored; what is not a name is left out and counted. Used for one source, by one thread.
 */
final class HostsParser {
    /** No name or address is longer, even with every byte escaped. */
    private static final int MAX_FIELD = 1024;

    private final HostsTable.Builder table;
    private final byte[] field = new byte[MAX_FIELD];
    private int length;
    private boolean tooLong;
    private boolean comment;
    private boolean hasFirst;
    private byte @Nullable [] address;
    private int line = 1;
    private int badNames;
    private String firstBadName = "";

    HostsParser(HostsTable.Builder table) {
        this.table = table;
    }

    void read(InputStream in) throws IOException {
        byte[] buffer = new byte[16 * 1024];
        for (int size; (size = in.read(buffer)) > 0; ) {
            for (int i = 0; i < size; i++) {
                take(buffer[i]);
            }
        }
        endField();
    }

    private void take(byte b) {
        switch (b) {
            case '\n' -> {
                endField();
                hasFirst = false;
                address = null;
                comment = false;
                line++;
            }
            case ' ', '\t', '\r', '\f', 0x0b -> endField();
            case '#' -> {
                endField();
                comment = true;
            }
            default -> {
                if (length == MAX_FIELD) {
                    tooLong = true;
                } else if (!comment) {
                    field[length++] = b;
                }
            }
        }
    }

    private void endField() {
        if (length == 0) {
            return;
        }
        if (!hasFirst) {
            hasFirst = true;
            address = tooLong ? null : address(field, length);
        } else if (address != null) {
            addName(address);
        }
        length = 0;
        tooLong = false;
    }

    private void addName(byte[] of) {
        try {
            table.add(of, field, length);
        } catch (IllegalArgumentException e) {
            if (badNames++ == 0) {
                firstBadName = "line " + line + ": " + e.getMessage();
            }
        }
    }

    /** An address, null if it is none; the zone of a link-local address says nothing to clients and is left out. */
    static byte @Nullable [] address(byte[] text, int length) {
        int end = 0;
        while (end < length && text[end] != '%') {
            end++;
        }
        return IpAddress.parse(text, 0, end);
    }

    /** How many names were left out. */
    int badNames() {
        return badNames;
    }

    /** Where the first name was left out, and why. */
    String firstBadName() {
        return firstBadName;
    }
}
