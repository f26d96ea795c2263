package dev.cairn.cluster.api;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;

/**
 * The body of an answer. Read from the connection by the thread that decodes it, so that what is not yet decoded waits at the server and not in
 * memory. Gives up when nothing comes for a while.
 */
final class BodyStream extends InputStream {
    /** Nothing came in time. */
    static final class Silence extends IOException {
        private static final long serialVersionUID = 1;

        Silence(Duration limit, IOException cause) {
            super("nothing came for " + limit.toSeconds() + " s", cause);
        }
    }

    private static final int INFLATED_AT_ONCE = 1 << 14;
    private static final long UNTIL_CLOSED = Long.MAX_VALUE;

    private final Connection connection;
    private final Connection.Head head;
    private final Duration limit;
    private final boolean chunked;
    private final Consumer<BodyStream> closed;
    /** Bytes left in the body, or in the current chunk. */
    private long left;
    private boolean first = true;
    private boolean ended;
    private boolean isClosed;

    /**
     * @param closed told once when nobody reads any more
     */
    BodyStream(Connection connection, Connection.Head head, Duration limit, Consumer<BodyStream> closed) throws IOException {
        this.connection = connection;
        this.head = head;
        this.limit = limit;
        this.closed = closed;
        connection.limit(limit);
        chunked = head.field("Transfer-Encoding").equalsIgnoreCase("chunked");
        String length = head.field("Content-Length");
        if (chunked) {
            left = 0;
        } else if (length.isEmpty()) {
            left = UNTIL_CLOSED;
        } else {
            left = number(length, 10);
            ended = left == 0;
        }
    }

    private static long number(String text, int radix) throws IOException {
        try {
            long number = Long.parseLong(text, radix);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException _) {
            throw new IOException("the length \"" + text + "\" in the answer is no number");
        }
        throw new IOException("the length " + text + " in the answer is negative");
    }

    Connection connection() {
        return connection;
    }

    Connection.Head head() {
        return head;
    }

    /** Whether the connection can be asked again: all was read, and the server keeps it open. */
    boolean isReusable() {
        return ended && left != UNTIL_CLOSED && !head.field("Connection").equalsIgnoreCase("close");
    }

    /** What the body says, for one reader. */
    InputStream content() throws IOException {
        return head.field("Content-Encoding").equals("gzip") ? new GZIPInputStream(this, INFLATED_AT_ONCE) : this;
    }

    /** Reads what is left, so that the connection can be used again. */
    void finish() throws IOException {
        skip(Long.MAX_VALUE);
    }

    /** Whether the body is in protobuf form, and not JSON. */
    boolean isProtobuf() {
        String type = head.field("Content-Type");
        return type.equals(ApiClient.PROTOBUF) || type.startsWith(ApiClient.PROTOBUF + ";");
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        if (length == 0) {
            return 0;
        }
        try {
            if (ended || (chunked && left == 0 && !chunk())) {
                return -1;
            }
            int count = connection.read(target, offset, (int) Math.min(length, left));
            if (count < 0 && left != UNTIL_CLOSED) {
                throw new EOFException("cut: the connection was closed in the middle of an answer");
            }
            if (left != UNTIL_CLOSED) {
                left -= count;
                ended = !chunked && left == 0;
            } else {
                ended = count < 0;
            }
            return count;
        } catch (SocketTimeoutException e) {
            throw new Silence(limit, e);
        }
    }

    /** Goes on to the next chunk; false after the last. */
    private boolean chunk() throws IOException {
        if (!first && !connection.line().isEmpty()) {
            throw new IOException("a chunk of the answer is longer than it says");
        }
        first = false;
        String size = connection.line();
        int extension = size.indexOf(';');
        left = number((extension < 0 ? size : size.substring(0, extension)).strip(), 16);
        if (left == 0) {
            String trailer;
            do {
                trailer = connection.line();   // says nothing that is needed
            } while (!trailer.isEmpty());
            ended = true;
        }
        return left > 0;
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            closed.accept(this);
        }
    }
}
