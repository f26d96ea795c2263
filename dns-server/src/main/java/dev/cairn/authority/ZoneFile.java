package dev.cairn.authority;

import dev.cairn.wire.WireName;
import dev.cairn.zone.StaticZone;
import dev.cairn.zone.StaticZoneBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Master;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.TextParseException;

/** Reads zones from master files (RFC 1035 section 5). Allocates and blocks: not for threads that answer queries. */
public final class ZoneFile {
    private ZoneFile() {}

    /**
     * Reads a zone.
     *
     * @param known the serial of the state that is there already; null if there is none
     * @param outside is handed a line about records that were left out, if there are any
     * @return null if the file's serial is {@code known}
     * @throws IOException with the file, the line if there is one, and what is wrong
     */
    static @Nullable StaticZone read(Path file, WireName origin, @Nullable Integer known, Consumer<String> outside)
            throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new NoSuchFileException(file.toString(), null, Files.isDirectory(file) ? "is a directory" : "no such file");
        }
        StaticZoneBuilder builder = new StaticZoneBuilder(origin);
        int left = 0;
        String first = "";
        try (Master master = new Master(file.toString(), Name.fromString(origin.toString()))) {
            boolean serialSeen = false;
            for (Record record = master.nextRecord(); record != null; record = master.nextRecord()) {
                if (!serialSeen && record instanceof SOARecord soa) {
                    serialSeen = true;
                    if (known != null && (int) soa.getSerial() == known) {
                        return null;
                    }
                }
                if (!add(record, builder)) {
                    first = left++ == 0 ? record.getName().toString() : first;
                }
            }
            if (left > 0) {
                outside.accept(file + ": left out " + left + " records that are not in zone " + origin + ", the first at " + first);
            }
            return builder.build();
        } catch (TextParseException e) {
            // It tells the line, but of the path only the last name.
            String message = String.valueOf(e.getMessage());
            String name = file.getFileName() + ":";
            throw new IOException(message.startsWith(name) ? file + message.substring(name.length() - 1) : file + ": " + message, e);
        } catch (IllegalArgumentException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }

    /**
     * Adds a record of dnsjava's; false if it is not one of the zone.
     *
     * @throws IllegalArgumentException if the zone cannot be served with it
     */
    public static boolean add(Record record, StaticZoneBuilder builder) {
        byte[] owner = record.getName().toWire();
        byte[] wire = record.toWire(Section.ANSWER);
        byte[] data = Arrays.copyOfRange(wire, owner.length + 10, wire.length);
        return record.getDClass() == DClass.IN
                && builder.add(WireName.of(owner, 0, owner.length), record.getType(), record.getTTL(), data);
    }
}
