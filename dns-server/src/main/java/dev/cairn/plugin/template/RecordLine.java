package dev.cairn.plugin.template;

import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.xbill.DNS.Master;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;

/** One record as read from text. */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody; on its way into a set
record RecordLine(WireName owner, int type, int dnsClass, int ttl, byte[] data) {
    /** What a record without a TTL gets, as in CoreDNS. */
    private static final long DEFAULT_TTL = 3600;

    /** The fixed fields between owner and data. */
    private static final int HEAD = 10;

    /** @throws IllegalArgumentException with a sentence if the text is not a record */
    static RecordLine parse(String text) {
        try (Master master = new Master(new ByteArrayInputStream((text + "\n").getBytes(StandardCharsets.UTF_8)), Name.root, DEFAULT_TTL)) {
            master.disableIncludes();
            Record record = master.nextRecord();
            if (record == null) {
                throw new IllegalArgumentException("\"" + text + "\" is not a record; write: NAME TTL CLASS TYPE DATA");
            }
            byte[] wire = record.toWire(Section.ANSWER);
            int owner = record.getName().length();
            return new RecordLine(WireName.of(wire, 0, owner), record.getType(), record.getDClass(),
                    (int) Math.min(record.getTTL(), Integer.MAX_VALUE), Arrays.copyOfRange(wire, owner + HEAD, wire.length));
        } catch (IOException e) {
            throw new IllegalArgumentException("\"" + text + "\" is not a record: " + e.getMessage(), e);
        }
    }

    private boolean goesWith(RecordLine other) {
        return owner.equals(other.owner) && type == other.type && dnsClass == other.dnsClass && ttl == other.ttl;
    }

    /** Puts records that follow one another into sets where they belong together. */
    static List<RrSet> toSets(List<RecordLine> lines) {
        List<RrSet> sets = new ArrayList<>();
        for (int i = 0; i < lines.size(); ) {
            RecordLine first = lines.get(i);
            List<byte[]> data = new ArrayList<>();
            for (; i < lines.size() && first.goesWith(lines.get(i)); i++) {
                data.add(lines.get(i).data);
            }
            sets.add(RrSet.of(first.owner, first.type, first.dnsClass, first.ttl, data));
        }
        return sets;
    }
}
