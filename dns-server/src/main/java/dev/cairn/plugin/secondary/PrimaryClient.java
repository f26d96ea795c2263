package dev.cairn.plugin.secondary;

import dev.cairn.authority.ZoneFile;
import dev.cairn.wire.WireName;
import dev.cairn.zone.StaticZone;
import dev.cairn.zone.StaticZoneBuilder;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Asks a primary over TCP, where answers are hard to forge. Blocks: for virtual threads. */
record PrimaryClient(InetSocketAddress address) {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    /** How long a primary may be silent. */
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(10);

    /** The serial of the zone there. */
    int serial(WireName zone) throws IOException {
        try (Socket socket = new Socket()) {
            Message query = send(socket, zone, Type.SOA);
            Message reply = read(new DataInputStream(socket.getInputStream()), query);
            for (Record record : reply.getSection(Section.ANSWER)) {
                if (record instanceof SOARecord soa && record.getName().equals(query.getQuestion().getName())) {
                    return (int) soa.getSerial();
                }
            }
            throw new IOException("the primary has no SOA for " + zone);
        }
    }

    /** The whole zone there (RFC 5936). */
    StaticZone fetch(WireName zone) throws IOException {
        try (Socket socket = new Socket()) {
            Message query = send(socket, zone, Type.AXFR);
            DataInputStream in = new DataInputStream(socket.getInputStream());
            StaticZoneBuilder builder = new StaticZoneBuilder(zone);
            boolean begun = false;
            boolean ended = false;
            while (!ended) {
                List<Record> records = read(in, query).getSection(Section.ANSWER);
                for (Record record : records) {
                    if (ended || (!begun && record.getType() != Type.SOA)) {
                        throw new IOException("the transfer does not begin and end with a SOA record");
                    }
                    ended = begun && record.getType() == Type.SOA;
                    begun = true;
                    ZoneFile.add(record, builder);
                }
            }
            return builder.build();
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private Message send(Socket socket, WireName zone, int type) throws IOException {
        socket.setSoTimeout((int) READ_TIMEOUT.toMillis());
        socket.connect(address, (int) CONNECT_TIMEOUT.toMillis());
        Message query = Message.newQuery(Record.newRecord(Name.fromString(zone.toString()), type, DClass.IN));
        query.getHeader().unsetFlag(Flags.RD);
        byte[] wire = query.toWire();
        OutputStream out = socket.getOutputStream();
        out.write(ByteBuffer.allocate(wire.length + 2).putShort((short) wire.length).put(wire).array());
        return query;
    }

    private static Message read(DataInputStream in, Message query) throws IOException {
        byte[] wire = new byte[in.readUnsignedShort()];
        in.readFully(wire);
        Message reply = new Message(wire);
        if (reply.getHeader().getID() != query.getHeader().getID() || !reply.getHeader().getFlag(Flags.QR)) {
            throw new IOException("the primary sent what was not asked for");
        }
        if (reply.getRcode() != Rcode.NOERROR) {
            throw new IOException("the primary says " + Rcode.string(reply.getRcode()));
        }
        return reply;
    }
}
