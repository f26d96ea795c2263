package dev.cairn.http;

import dev.cairn.http.RequestHead.Afterwards;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Whatever a client sends, in pieces of any length. Nothing may throw; the pieces make no difference; and nothing is taken for a second request that may be the body
 * of the first, which is looked for by other means than those of the reader.
 */
public final class HttpFuzz {
    private static final int LIMIT = 512;
    private static final String REFUSED = "refused";

    private HttpFuzz() {}

    public static void fuzzerTestOneInput(byte[] sent) throws IOException {
        List<String> whole = requests(sent, LIMIT);
        int piece = 1 + (sent.length == 0 ? 0 : sent[sent.length - 1] & 7);
        check(requests(sent, piece).equals(whole), "pieces of " + piece + " bytes are read differently");
    }

    /** All requests of a connection, as a connection reads them. */
    private static List<String> requests(byte[] sent, int piece) throws IOException {
        List<String> requests = new ArrayList<>();
        RequestBuffer buffer = new RequestBuffer(LIMIT);
        Pieces channel = new Pieces(ByteBuffer.wrap(sent), piece);
        boolean open = true;
        while (open) {
            open = buffer.fill(channel);
            for (int length = buffer.headLength(); length > 0; length = buffer.headLength()) {
                String head = new String(buffer.bytes(), 0, length, StandardCharsets.ISO_8859_1);
                RequestHead read = RequestParser.parse(buffer.bytes(), length);
                buffer.drop(length);
                requests.add(told(read, head));
                if (!(read instanceof RequestHead.Good good) || good.afterwards() == Afterwards.CLOSE) {
                    return requests;
                }
            }
            if (buffer.isFull()) {
                requests.add(REFUSED);
                return requests;
            }
        }
        return requests;
    }

    private static String told(RequestHead read, String head) {
        if (!(read instanceof RequestHead.Good good)) {
            return REFUSED;
        }
        HttpRequest request = good.request();
        for (String text : List.of(request.method(), request.path(), request.query())) {
            check(text.chars().allMatch(c -> c > ' ' && c < 0x7f), "odd characters in " + text);
        }
        boolean mayHaveBody = head.toLowerCase(Locale.ROOT).lines()
                .anyMatch(line -> line.strip().matches("transfer-encoding\\s*:.*|content-length\\s*:.*[1-9].*"));
        check(!mayHaveBody || good.afterwards() == Afterwards.CLOSE, "another request may begin in the body of this one");
        check(new String(ReplyBytes.of(HttpReply.text(200, ""), request, good.afterwards()).array(), StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n"),
                "the reply has no end");
        return request + " " + good.afterwards();
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    /** What is read from it comes in pieces of one length. */
    private record Pieces(ByteBuffer rest, int piece) implements ReadableByteChannel {
        @Override
        public int read(ByteBuffer into) {
            if (!rest.hasRemaining()) {
                return -1;
            }
            int length = Math.min(piece, Math.min(rest.remaining(), into.remaining()));
            into.put(rest.slice().limit(length));
            rest.position(rest.position() + length);
            return length;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {
            // There is nothing to close.
        }
    }
}
