package dev.cairn.http;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * An answer. The body is not copied: leave it alone once handed over.
 *
 * @param status the status code, 200 to 599
 * @param contentType the Content-Type header
 * @param headers further headers, but for those that the server sets itself: Date, Content-Length, Content-Encoding, Vary and Connection
 * @param body the body, uncompressed
 */
@SuppressWarnings("ArrayRecordComponent") // a body on its way to a socket, never compared
public record HttpReply(int status, String contentType, Map<String, String> headers, byte[] body) {
    public HttpReply {
        if (status < 200 || status > 599) {
            throw new IllegalArgumentException("not a final status: " + status);
        }
        if ((status == 204 || status == 304) && body.length > 0) {
            throw new IllegalArgumentException("a reply with status " + status + " has no body");
        }
        headers = Map.copyOf(headers);
    }

    public HttpReply(int status, String contentType, byte[] body) {
        this(status, contentType, Map.of(), body);
    }

    /** A plain text reply in UTF-8. */
    public static HttpReply text(int status, String body) {
        return new HttpReply(status, "text/plain; charset=utf-8", body.getBytes(StandardCharsets.UTF_8));
    }
}
