package dev.cairn.wire;

import java.util.Arrays;

/** Makes a query of the server's own. */
public final class OwnQuery {
    private OwnQuery() {}

    /** Has {@code view} show a question with the flags and OPT's sizes of another query. */
    public static void ask(QueryView view, WireName question, int type, QueryView like) {
        byte[] packet = view.buffer(QueryView.HEADER + question.length() + 15);
        Arrays.fill(packet, 0, QueryView.HEADER, (byte) 0);
        Bytes.put16(packet, 2, like.flags());
        Bytes.put16(packet, 4, 1);
        int at = question.copyTo(packet, QueryView.HEADER);
        Bytes.put16(packet, at, type);
        Bytes.put16(packet, at + 2, DnsClass.IN);
        int end = at + 4;
        if (like.hasEdns()) {
            Bytes.put16(packet, 10, 1);
            packet[end] = 0;
            Bytes.put16(packet, end + 1, DnsType.OPT);
            Bytes.put16(packet, end + 3, like.udpSize());
            Bytes.put32(packet, end + 5, like.dnssecOk() ? 0x8000 : 0);
            Bytes.put16(packet, end + 9, 0);
            end += 11;
        }
        view.read(end);
    }
}
