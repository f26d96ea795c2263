package dev.cairn.conformance;

import dev.cairn.testing.TcpClient;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;

/**
 * The resolver to which {@code forward . UPSTREAM} goes, over UDP and TCP: answers from the suite's {@code upstream_zone},
 * NXDOMAIN otherwise. Its threads end with {@link #close}.
 */
final class UpstreamZone implements AutoCloseable {
    private static final String DENIAL = "NXDOMAIN with ";

    private final BothPorts ports = BothPorts.open();
    private final List<Record> records = new ArrayList<>();
    private final List<Record> denial = new ArrayList<>();

    UpstreamZone(Map<String, Object> zone) throws IOException {
        for (Object rows : zone.values()) {
            for (String row : Facts.strings(rows)) {
                boolean denies = row.startsWith(DENIAL);
                (denies ? denial : records).add(ExpectedRecord.parse(denies ? row.substring(DENIAL.length()) : row).record());
            }
        }
        Thread.ofVirtual().name("upstream zone, UDP").start(this::serveUdp);
        Thread.ofVirtual().name("upstream zone, TCP").start(this::serveTcp);
    }

    int port() {
        return ports.number();
    }

    private void serveUdp() {
        DatagramSocket socket = ports.udp();
        DatagramPacket packet = new DatagramPacket(new byte[4096], 4096);
        while (!socket.isClosed()) {
            try {
                packet.setLength(4096);
                socket.receive(packet);
                byte[] reply = answer(new Message(Arrays.copyOf(packet.getData(), packet.getLength()))).toWire();
                socket.send(new DatagramPacket(reply, reply.length, packet.getSocketAddress()));
            } catch (IOException e) {
                // the end, or a packet that is no DNS: the server under test shows it by having no answer
            }
        }
    }

    private void serveTcp() {
        while (!ports.tcp().isClosed()) {
            try {
                Socket connection = ports.tcp().accept();
                Thread.ofVirtual().start(() -> serve(connection));
            } catch (IOException e) {
                return; // the end
            }
        }
    }

    private void serve(Socket connection) {
        try (connection; DataInputStream in = new DataInputStream(connection.getInputStream())) {
            while (true) {
                byte[] query = new byte[in.readUnsignedShort()];
                in.readFully(query);
                connection.getOutputStream().write(TcpClient.frames(answer(new Message(query))));
            }
        } catch (IOException e) {
            // the client has what it wanted
        }
    }

    private Message answer(Message query) {
        Message reply = new Message(query.getHeader().getID());
        reply.getHeader().setFlag(Flags.QR);
        reply.getHeader().setFlag(Flags.RA);
        reply.getHeader().setFlag(Flags.RD);
        Record question = query.getQuestion();
        reply.addRecord(question, Section.QUESTION);
        Name name = question.getName();
        boolean known = false;
        for (int aliases = 0; name != null && aliases < 5; aliases++) {
            Name at = name;
            name = null;
            for (Record record : records.stream().filter(one -> one.getName().equals(at)).toList()) {
                known = true;
                boolean alias = record instanceof CNAMERecord;
                if (alias || record.getType() == question.getType()) {
                    reply.addRecord(record, Section.ANSWER);
                }
                name = alias ? ((CNAMERecord) record).getTarget() : name;
            }
        }
        if (!known) {
            reply.getHeader().setRcode(Rcode.NXDOMAIN);
            denial.forEach(record -> reply.addRecord(record, Section.AUTHORITY));
        }
        return reply;
    }

    @Override
    public void close() throws IOException {
        ports.close();
    }
}
