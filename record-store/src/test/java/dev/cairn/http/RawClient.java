package dev.cairn.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Says byte for byte what a test wants, and reads replies as strictly as they have to be. */
final class RawClient implements AutoCloseable {
    /** Longer than anything here should take, so that a test that fails ends. */
    private static final int PATIENCE_MILLIS = 120_000;

    private final Socket socket;
    private final InputStream in;

    /** A reply, with the names of its headers in lower case. */
    record Reply(int status, String first, Map<String, String> headers, String body) {
        String header(String name) {
            return headers.getOrDefault(name, "");
        }
    }

    RawClient(InetSocketAddress address) throws IOException {
        this(address, new Socket());
    }

    RawClient(InetSocketAddress address, Socket socket) throws IOException {
        this.socket = socket;
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), address.getPort()));
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
    }

    Socket socket() {
        return socket;
    }

    RawClient send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(ISO_8859_1));
        return this;
    }

    /** A GET that leaves the connection open. */
    RawClient get(String target) throws IOException {
        return send("GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n");
    }

    /** The next reply, with a body of the length that it tells. */
    Reply reply() throws IOException {
        return reply(true);
    }

    /** The next reply, which is one to HEAD. */
    Reply replyToHead() throws IOException {
        return reply(false);
    }

    private Reply reply(boolean hasBody) throws IOException {
        String first = line();
        Map<String, String> headers = new TreeMap<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(": ");
            if (headers.put(line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 2)) != null) {
                throw new IOException("twice: " + line);
            }
        }
        int length = hasBody ? Integer.parseInt(headers.getOrDefault("content-length", "0")) : 0;
        byte[] body = in.readNBytes(length);
        if (body.length < length) {
            throw new EOFException("the body ends early");
        }
        return new Reply(Integer.parseInt(first.substring(9, 12)), first, headers, new String(body, ISO_8859_1));
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the connection ends after: " + line.toString(ISO_8859_1));
            }
            line.write(next);
        }
        String text = line.toString(ISO_8859_1);
        if (!text.endsWith("\r")) {
            throw new IOException("a line without CR: " + text);
        }
        return text.substring(0, text.length() - 1);
    }

    /** What is left until the server closes. */
    String rest() throws IOException {
        return new String(in.readAllBytes(), ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
