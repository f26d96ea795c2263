package dev.cairn.cluster.api;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A connection to the API server that speaks HTTP/1.1. One thread asks, and reads the answer itself: an event is decoded by the thread that the
 * kernel wakes for it. Any thread may cut it.
 */
final class Connection implements AutoCloseable {
    private static final int BUFFER = 1 << 14;
    private static final int LONGEST_HEAD = 1 << 16;

    /**
     * How an answer begins.
     *
     * @param fields with names in any case
     */
    record Head(int code, Map<String, String> fields) {
        boolean isSuccessful() {
            return code / 100 == 2;
        }

        String field(String name) {
            return fields.getOrDefault(name, "");
        }
    }

    private final Server server;
    private final Socket plain;
    private final Socket socket;
    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER];
    private int at;
    private int end;
    private boolean used;
    private boolean begun;

    /**
     * @param plain what is cut
     * @param socket what is spoken through
     */
    Connection(Server server, Socket plain, Socket socket) throws IOException {
        this.server = server;
        this.plain = plain;
        this.socket = socket;
        in = socket.getInputStream();
    }

    Server server() {
        return server;
    }

    /** Whether it was left open by an earlier answer and nothing of this one has come, so that the server may just have closed it. */
    boolean mayBeStale() {
        return used && !begun;
    }

    /** Sends a request and reads the head of its answer, waiting no longer than given. */
    Head ask(String request, Duration patience) throws IOException {
        begun = false;
        limit(patience);
        socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
        int code;
        do {
            code = status(line());
            begun = true;
            if (code / 100 == 1) {
                fields();
            }
        } while (code / 100 == 1);
        used = true;
        return new Head(code, fields());
    }

    private static int status(String line) throws IOException {
        if (!line.matches("HTTP/1\\.[01] [1-5]\\d\\d( .*)?")) {
            throw new IOException("not an HTTP answer: " + line.substring(0, Math.min(60, line.length())));
        }
        return Integer.parseInt(line, 9, 12, 10);
    }

    private Map<String, String> fields() throws IOException {
        Map<String, String> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        int length = 0;
        for (String line = line(); !line.isEmpty(); line = line()) {
            length += line.length();
            if (length > LONGEST_HEAD) {
                throw new IOException("the head of the answer is too long");
            }
            int colon = line.indexOf(':');
            if (colon > 0) {
                fields.put(line.substring(0, colon).strip().toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
            }
        }
        return fields;
    }

    /** No read shall wait longer than this. */
    void limit(Duration silence) throws IOException {
        socket.setSoTimeout(Math.toIntExact(silence.toMillis()));
    }

    /** The next line, without its end. */
    String line() throws IOException {
        String line = "";
        while (true) {
            if (at == end && !fill()) {
                throw new EOFException("the connection was closed");
            }
            int from = at;
            while (at < end && buffer[at] != '\n') {
                at++;
            }
            line += new String(buffer, from, at - from, StandardCharsets.ISO_8859_1);
            if (line.length() > LONGEST_HEAD) {
                throw new IOException("the head of the answer is too long");
            }
            if (at < end) {
                at++;
                return line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
            }
        }
    }

    /** Reads what there is, up to a length; -1 at the end. */
    int read(byte[] target, int offset, int length) throws IOException {
        if (at == end) {
            if (length >= BUFFER) {
                return in.read(target, offset, length);
            }
            if (!fill()) {
                return -1;
            }
        }
        int count = Math.min(length, end - at);
        System.arraycopy(buffer, at, target, offset, count);
        at += count;
        return count;
    }

    private boolean fill() throws IOException {
        at = 0;
        end = Math.max(0, in.read(buffer));
        return end > 0;
    }

    /** Cuts it, without the farewells of TLS, which would wait for a server that does not listen. */
    @Override
    public void close() {
        try {
            plain.close();
        } catch (IOException _) {
            return;   // it is of no use any more in any case
        }
    }
}
