package dev.cairn.testing;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import org.xbill.DNS.Message;

/** A client of TLS that has each record in its hand, by the JDK's engine. */
public final class RecordClient implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 120_000;
    private static final int MOST = 1 << 17;

    private final Socket socket;
    private final SSLEngine engine;
    private final ByteBuffer received = ByteBuffer.allocate(MOST).flip();
    private final ByteBuffer plain = ByteBuffer.allocate(MOST).flip();

    public RecordClient(int port, SSLContext context, String version) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        engine = context.createSSLEngine("localhost", port);
        engine.setUseClientMode(true);
        engine.setEnabledProtocols(new String[] {version});
        engine.beginHandshake();
        while (engine.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING) {
            switch (engine.getHandshakeStatus()) {
                case NEED_WRAP -> send(record(new byte[0]));
                case NEED_TASK -> engine.getDelegatedTask().run();
                default -> unwrap();
            }
        }
    }

    /** The bytes of a record that holds these. */
    public byte[] record(byte[] bytes) throws IOException {
        ByteBuffer out = ByteBuffer.allocate(MOST);
        engine.wrap(ByteBuffer.wrap(bytes), out);
        byte[] made = new byte[out.flip().remaining()];
        out.get(made);
        return made;
    }

    /** The bytes that say that no more come. */
    public byte[] closeNotify() throws IOException {
        engine.closeOutbound();
        return record(new byte[0]);
    }

    public void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    private SSLEngineResult unwrap() throws IOException {
        plain.compact();
        SSLEngineResult result = engine.unwrap(received, plain);
        plain.flip();
        if (result.getStatus() == Status.BUFFER_UNDERFLOW) {
            byte[] more = new byte[1 << 14];
            int count = socket.getInputStream().read(more);
            if (count < 0) {
                throw new EOFException();
            }
            received.compact().put(more, 0, count).flip();
        }
        return result;
    }

    private byte[] readNBytes(int count) throws IOException {
        while (plain.remaining() < count) {
            unwrap();
        }
        byte[] bytes = new byte[count];
        plain.get(bytes);
        return bytes;
    }

    public Message read() throws IOException {
        byte[] length = readNBytes(2);
        return new Message(readNBytes((length[0] & 255) << 8 | (length[1] & 255)));
    }

    /** Reads until the server says that no more comes, which it must before it closes; returns what came until then. */
    public byte[] readToCloseNotify() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        SSLEngineResult result;
        do {
            result = unwrap();
            while (plain.hasRemaining()) {
                bytes.write(plain.get());
            }
        } while (result.getStatus() != Status.CLOSED);
        return bytes.toByteArray();
    }

    /** Whether the server has closed the connection, once all that it sent is read. */
    public boolean isAtEnd() throws IOException {
        return socket.getInputStream().read() < 0;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
