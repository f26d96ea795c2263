package dev.cairn.cluster.api;

import io.fabric8.kubernetes.client.http.AsyncBody;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The body of a response as a stream for the thread that decodes it. Asks the connection for one piece at a time, so that what is not yet
 * decoded waits at the server and not in memory, and gives up when nothing comes for a while. Filled by the HTTP client's threads, read by
 * one other.
 */
final class BodyStream extends InputStream implements AsyncBody.Consumer<List<ByteBuffer>> {
    /** Nothing came in time. */
    static final class Silence extends IOException {
        private static final long serialVersionUID = 1;

        Silence(Duration limit) {
            super("nothing came for " + limit.toSeconds() + " s");
        }
    }

    private static final int INFLATED_AT_ONCE = 1 << 14;

    private record Piece(List<ByteBuffer> buffers, boolean last) {}

    private final BlockingQueue<Piece> pieces = new LinkedBlockingQueue<>();
    private final Duration limit;
    private volatile @Nullable Throwable failure;
    private @Nullable AsyncBody body;
    private Piece piece = new Piece(List.of(), false);
    private int index;
    private boolean protobuf;
    private boolean gzip;

    BodyStream(Duration limit) {
        this.limit = limit;
    }

    /** Called once with the answer's head, by the reading thread. */
    void begin(AsyncBody answer, boolean inProtobuf, boolean compressed) {
        body = answer;
        protobuf = inProtobuf;
        gzip = compressed;
        answer.done().whenComplete((_, thrown) -> {
            failure = thrown;
            pieces.add(new Piece(List.of(), true));
        });
    }

    /** What the body says, for one reader. */
    InputStream content() throws IOException {
        return gzip ? new GZIPInputStream(this, INFLATED_AT_ONCE) : this;
    }

    /** Reads what is left, so that the connection can be used again. */
    void finish() throws IOException {
        skip(Long.MAX_VALUE);
    }

    /** Whether the body is in protobuf form, and not JSON. */
    boolean isProtobuf() {
        return protobuf;
    }

    @Override
    public void consume(List<ByteBuffer> buffers, AsyncBody answer) {
        pieces.add(new Piece(buffers, false));
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
        ByteBuffer buffer = next();
        if (buffer == null) {
            return -1;
        }
        int count = Math.min(length, buffer.remaining());
        buffer.get(target, offset, count);
        return count;
    }

    /** The first buffer with bytes in it; null at the end. */
    private @Nullable ByteBuffer next() throws IOException {
        while (true) {
            while (index < piece.buffers.size()) {
                ByteBuffer buffer = piece.buffers.get(index);
                if (buffer.hasRemaining()) {
                    return buffer;
                }
                index++;
            }
            if (piece.last) {
                return null;
            }
            piece = take();
            index = 0;
            Throwable thrown = failure;
            if (piece.last && thrown != null) {
                throw new IOException("cut: " + thrown.getMessage(), thrown);
            }
        }
    }

    private Piece take() throws IOException {
        Objects.requireNonNull(body).consume();
        try {
            Piece taken = pieces.poll(limit.toNanos(), TimeUnit.NANOSECONDS);
            if (taken == null) {
                throw new Silence(limit);
            }
            return taken;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("interrupted").initCause(e);
        }
    }

    /** Closes the connection if the body is not at its end. */
    @Override
    public void close() {
        AsyncBody answer = body;
        if (answer != null && !answer.done().isDone()) {
            answer.cancel();
        }
    }
}
