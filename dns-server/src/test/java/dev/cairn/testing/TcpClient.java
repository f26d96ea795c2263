package dev.cairn.testing;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import org.xbill.DNS.Message;

/** A DNS client that has each byte on a TCP connection in its hand. */
public final class TcpClient implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 120_000;

    private final Socket socket = new Socket();
    private final DataInputStream in;
    private volatile long lastDidNanos = System.nanoTime();

    /** @param receiveBuffer what the kernel takes for a client that does not read */
    public TcpClient(int port, int receiveBuffer) throws IOException {
        socket.setReceiveBufferSize(receiveBuffer);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        in = new DataInputStream(socket.getInputStream());
    }

    public TcpClient(int port) throws IOException {
        this(port, 1 << 16);
    }

    /** Queries as they go over the wire, each after its length. */
    public static byte[] frames(Message... queries) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (Message query : queries) {
            byte[] wire = query.toWire();
            bytes.writeBytes(ByteBuffer.allocate(2).putShort((short) wire.length).array());
            bytes.writeBytes(wire);
        }
        return bytes.toByteArray();
    }

    public void send(byte[] bytes) throws IOException {
        lastDidNanos = System.nanoTime();
        socket.getOutputStream().write(bytes);
    }

    /** Says that nothing more will be sent; replies may still come. */
    public void endSending() throws IOException {
        lastDidNanos = System.nanoTime();
        socket.shutdownOutput();
    }

    /** The next reply. */
    public Message read() throws IOException {
        byte[] wire = new byte[in.readUnsignedShort()];
        in.readFully(wire);
        return new Message(wire);
    }

    /** All that comes until the server closes the connection. */
    public byte[] readToEnd() throws IOException {
        return in.readAllBytes();
    }

    /**
     * Waits for the server to close the connection, which it must; returns how many milliseconds that is after this client last did something:
     * began to connect or to send. However slow the machine is, that is no less than the time the server gave it.
     */
    public long millisToClose() throws IOException {
        try {
            while (true) {
                in.readByte();
            }
        } catch (EOFException | SocketException e) {
            return (System.nanoTime() - lastDidNanos) / 1_000_000;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
