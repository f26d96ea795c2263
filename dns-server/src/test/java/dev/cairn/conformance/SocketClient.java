package dev.cairn.conformance;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/**
 * Asks a port of this machine. Unlike dnsjava's resolvers it sends what it is given and knows transfers.
 *
 * @param from the address to ask from; null for that of the kernel's choice
 */
record SocketClient(int port, int timeoutMillis, @Nullable InetAddress from) implements DnsClient {
    /** After so long nothing more comes behind the one SOA that says that nothing has changed. */
    private static final int LONE_MILLIS = 5000;

    @Override
    public Message ask(Message query, Transport transport) throws IOException {
        if (transport == Transport.TCP) {
            return overTcp(query);
        }
        Message reply = overUdp(query);
        return reply.getHeader().getFlag(Flags.TC) ? overTcp(query) : reply;
    }

    private Message overUdp(Message query) throws IOException {
        try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(from, 0))) {
            socket.setSoTimeout(timeoutMillis);
            socket.connect(InetAddress.getLoopbackAddress(), port);
            byte[] wire = query.toWire();
            socket.send(new DatagramPacket(wire, wire.length));
            DatagramPacket reply = new DatagramPacket(new byte[65535], 65535);
            socket.receive(reply);
            return new Message(Arrays.copyOf(reply.getData(), reply.getLength()));
        }
    }

    private Message overTcp(Message query) throws IOException {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(timeoutMillis);
            socket.bind(new InetSocketAddress(from, 0));
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), timeoutMillis);
            byte[] wire = query.toWire();
            socket.getOutputStream().write(ByteBuffer.allocate(wire.length + 2).putShort((short) wire.length).put(wire).array());
            DataInputStream in = new DataInputStream(socket.getInputStream());
            Message reply = read(in);
            int type = query.getQuestion().getType();
            if (type == Type.AXFR || type == Type.IXFR) {
                socket.setSoTimeout(type == Type.IXFR ? LONE_MILLIS : timeoutMillis);
                readRest(reply, in, type);
            }
            return reply;
        }
    }

    private static Message read(DataInputStream in) throws IOException {
        byte[] wire = new byte[in.readUnsignedShort()];
        in.readFully(wire);
        return new Message(wire);
    }

    /** A transfer comes in as many messages as it likes and ends with the SOA it began with (RFC 5936 section 2.2). */
    private static void readRest(Message reply, DataInputStream in, int type) throws IOException {
        while (reply.getRcode() == Rcode.NOERROR && !complete(reply.getSection(Section.ANSWER))) {
            Message next;
            try {
                next = read(in);
            } catch (SocketTimeoutException e) {
                if (type == Type.IXFR && reply.getSection(Section.ANSWER).size() == 1) {
                    return; // a lone SOA: nothing has changed (RFC 1995 section 2)
                }
                throw e;
            }
            next.getSection(Section.ANSWER).forEach(record -> reply.addRecord(record, Section.ANSWER));
        }
    }

    private static boolean complete(List<Record> records) {
        return records.isEmpty() || (records.size() > 1 && records.getLast().getType() == Type.SOA);
    }
}
