package dev.cairn.testing;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;

/** Sends bytes as they are, over UDP from one socket or over one TCP connection, and hands back what comes. */
public final class RawClient implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 120_000;

    private final DatagramSocket udp;
    private final Socket tcp;
    private final DataInputStream tcpIn;
    private final DataOutputStream tcpOut;

    public RawClient(InetAddress server, int port) throws IOException {
        this(server, port, TIMEOUT_MILLIS);
    }

    /** @param timeoutMillis how long to wait for a reply, for tests that expect none, or ask again */
    public RawClient(InetAddress server, int port, int timeoutMillis) throws IOException {
        udp = new DatagramSocket();
        udp.setSoTimeout(timeoutMillis);
        udp.connect(server, port); // the kernel then takes replies from that address only
        tcp = new Socket();
        tcp.connect(new InetSocketAddress(server, port), timeoutMillis);
        tcp.setSoTimeout(timeoutMillis);
        tcp.setTcpNoDelay(true);
        tcpIn = new DataInputStream(tcp.getInputStream());
        tcpOut = new DataOutputStream(tcp.getOutputStream());
    }

    public static RawClient to(TestServer server) throws IOException {
        return new RawClient(InetAddress.getLoopbackAddress(), server.port());
    }

    public void send(boolean overTcp, byte[] packet) throws IOException {
        if (overTcp) {
            byte[] framed = new byte[packet.length + 2];
            framed[0] = (byte) (packet.length >> 8);
            framed[1] = (byte) packet.length;
            System.arraycopy(packet, 0, framed, 2, packet.length);
            tcpOut.write(framed);
            tcpOut.flush();
        } else {
            udp.send(new DatagramPacket(packet, packet.length));
        }
    }

    public byte[] receive(boolean overTcp) throws IOException {
        if (overTcp) {
            byte[] reply = new byte[tcpIn.readUnsignedShort()];
            tcpIn.readFully(reply);
            return reply;
        }
        DatagramPacket reply = new DatagramPacket(new byte[65535], 65535);
        udp.receive(reply);
        return Arrays.copyOf(reply.getData(), reply.getLength());
    }

    public byte[] ask(boolean overTcp, byte[] packet) throws IOException {
        send(overTcp, packet);
        return receive(overTcp);
    }

    @Override
    public void close() throws IOException {
        udp.close();
        tcp.close();
    }
}
