package dev.cairn.testing;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.BindException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** A name server that does as it is told, right or wrong, over UDP and TCP of one port. Its threads end with {@link #close}. */
public final class ScriptedUpstream implements AutoCloseable {
    /** What to do with a query: messages to send back in this order, none to stay silent. Called on a thread of its own. */
    public interface Script {
        List<byte[]> answer(Asked asked) throws Exception;
    }

    /** A query that came. */
    public record Asked(Message query, boolean tcp, int clientPort) {
        public String name() {
            return query.getQuestion().getName().toString();
        }

        public int type() {
            return query.getQuestion().getType();
        }

        /** A proper reply with these records as answers. */
        public Message reply(String... rows) throws IOException {
            Message reply = new Message(query.getHeader().getID());
            reply.getHeader().setFlag(Flags.QR);
            reply.getHeader().setFlag(Flags.RA);
            if (query.getHeader().getFlag(Flags.RD)) {
                reply.getHeader().setFlag(Flags.RD);
            }
            reply.addRecord(query.getQuestion(), Section.QUESTION);
            for (String row : rows) {
                reply.addRecord(record(row), Section.ANSWER);
            }
            return reply;
        }

        public List<byte[]> rcode(int rcode) throws IOException {
            Message reply = reply();
            reply.getHeader().setRcode(rcode);
            return List.of(reply.toWire());
        }
    }

    private final ServerSocket tcp;
    private final DatagramSocket udp;
    private final List<Asked> asked = new CopyOnWriteArrayList<>();
    private final List<Socket> connections = new CopyOnWriteArrayList<>();
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicInteger open = new AtomicInteger();
    private volatile Script script;

    private ScriptedUpstream(ServerSocket tcp, DatagramSocket udp, Script script) {
        this.tcp = tcp;
        this.udp = udp;
        this.script = script;
        Thread.ofVirtual().start(this::serveUdp);
        Thread.ofVirtual().start(this::serveTcp);
    }

    public static ScriptedUpstream start(Script script) throws IOException {
        return start(script, null);
    }

    /**
     * The same with encryption.
     *
     * @param tls for TLS instead of TCP, null for none
     */
    public static ScriptedUpstream start(Script script, @Nullable SSLContext tls) throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        while (true) {
            ServerSocket tcp = tls == null ? new ServerSocket(0, 50, loopback) : tls.getServerSocketFactory().createServerSocket(0, 50, loopback);
            try {
                return new ScriptedUpstream(tcp, new DatagramSocket(tcp.getLocalPort(), loopback), script);
            } catch (BindException e) {
                tcp.close(); // taken for UDP: the next
            }
        }
    }

    /** Answers every question for an address with this one. */
    public static Script address(String address) {
        return asked -> List.of(asked.reply(asked.name() + " 60 A " + address).toWire());
    }

    public static Script silent() {
        return _ -> List.of();
    }

    public static Script rcode(int rcode) {
        return asked -> asked.rcode(rcode);
    }

    public static Record record(String row) throws IOException {
        String[] fields = row.split(" ", 4);
        return Record.fromString(Name.fromString(fields[0], Name.root), Type.value(fields[2]), DClass.IN, Long.parseLong(fields[1]), fields[3],
                Name.root);
    }

    /** Has clients show a certificate that the server trusts; for TLS. */
    public void demandClientCertificate() {
        ((SSLServerSocket) tcp).setNeedClientAuth(true);
    }

    public void script(Script next) {
        script = next;
    }

    public int port() {
        return tcp.getLocalPort();
    }

    public String address() {
        return "127.0.0.1:" + port();
    }

    /** Queries for real names; health checks ask for the root. */
    public List<Asked> asked() {
        return asked.stream().filter(one -> !one.name().equals(".")).toList();
    }

    public List<Asked> healthChecks() {
        return asked.stream().filter(one -> one.name().equals(".")).toList();
    }

    public int connections() {
        return accepted.get();
    }

    /** How many connections are open now. */
    public int openConnections() {
        return open.get();
    }

    /** Lets no more connections come. */
    public void refuseTcp() throws IOException {
        tcp.close();
    }

    /** Closes the connections that are open now. */
    public void hangUp() throws IOException {
        for (Socket connection : connections) {
            connection.close();
        }
        connections.clear();
    }

    private void serveUdp() {
        while (!udp.isClosed()) {
            try {
                DatagramPacket packet = new DatagramPacket(new byte[4096], 4096);
                udp.receive(packet);
                Asked query = new Asked(new Message(Arrays.copyOf(packet.getData(), packet.getLength())), false, packet.getPort());
                asked.add(query);
                Thread.ofVirtual().start(() -> {
                    for (byte[] reply : answers(query)) {
                        send(new DatagramPacket(reply, reply.length, packet.getSocketAddress()));
                    }
                });
            } catch (IOException e) {
                // the end, or no DNS
            }
        }
    }

    private void send(DatagramPacket packet) {
        try {
            udp.send(packet);
        } catch (IOException e) {
            // the end
        }
    }

    private List<byte[]> answers(Asked query) {
        try {
            return script.answer(query);
        } catch (Exception e) {
            return new ArrayList<>();
        }
    }

    private void serveTcp() {
        while (!tcp.isClosed()) {
            try {
                Socket connection = tcp.accept();
                accepted.incrementAndGet();
                open.incrementAndGet();
                connections.add(connection);
                Thread.ofVirtual().start(() -> serve(connection));
            } catch (IOException e) {
                return; // the end
            }
        }
    }

    private void serve(Socket connection) {
        try (connection; DataInputStream in = new DataInputStream(connection.getInputStream())) {
            DataOutputStream out = new DataOutputStream(connection.getOutputStream());
            while (true) {
                byte[] bytes = new byte[in.readUnsignedShort()];
                in.readFully(bytes);
                Asked query = new Asked(new Message(bytes), true, connection.getPort());
                asked.add(query);
                Thread.ofVirtual().start(() -> {
                    for (byte[] reply : answers(query)) {
                        write(out, reply);
                    }
                });
            }
        } catch (IOException e) {
            // the client has what it wanted
        } finally {
            open.decrementAndGet();
        }
    }

    private static void write(DataOutputStream out, byte[] reply) {
        synchronized (out) {
            try {
                out.writeShort(reply.length);
                out.write(reply);
                out.flush();
            } catch (IOException e) {
                // the client has gone
            }
        }
    }

    @Override
    public void close() throws IOException {
        tcp.close();
        udp.close();
        hangUp();
    }
}
