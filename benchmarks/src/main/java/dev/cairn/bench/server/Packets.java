package dev.cairn.bench.server;

import dev.cairn.wire.Bytes;
import dev.cairn.wire.DnsClass;
import dev.cairn.wire.DnsType;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Makes query packets. */
public final class Packets {
    private Packets() {}

    /** A query as stub resolvers send it: RD, one question in the given spelling, an empty OPT with 1232 bytes. */
    public static byte[] query(int id, String name, int type) {
        List<String> labels = List.of(name.split("\\.", -1));
        byte[] packet = new byte[12 + name.length() + 2 + 4 + 11];
        Bytes.put16(packet, 0, id);
        Bytes.put16(packet, 2, 0x0100);
        Bytes.put16(packet, 4, 1);
        Bytes.put16(packet, 10, 1);
        int at = 12;
        for (String label : labels) {
            packet[at++] = (byte) label.length();
            byte[] bytes = label.getBytes(StandardCharsets.US_ASCII);
            System.arraycopy(bytes, 0, packet, at, bytes.length);
            at += bytes.length;
        }
        Bytes.put16(packet, at + 1, type);
        Bytes.put16(packet, at + 3, DnsClass.IN);
        Bytes.put16(packet, at + 6, DnsType.OPT);
        Bytes.put16(packet, at + 8, 1232);
        return packet;
    }
}
