package dev.cairn.http;

import java.nio.charset.StandardCharsets;

/**
 * An answer. The body is not copied: leave it alone once handed over.
 *
 * @param status the status code, 200 to 599
 * @param contentType the Content-Type header
 * @param body the body, uncompressed
 */
@SuppressWarnings("ArrayRecordComponent") // a body on its way to a socket, never compared
public record HttpReply(int status, String contentType, byte[] body) {
    public HttpReply {
        if (status < 200 || status > 599) {
            throw new IllegalArgumentException("not a final status: " + status);
        }
        if ((status == 204 || status == 304) && body.length > 0) {
            throw new IllegalArgumentException("a reply with status " + status + " has no body");
        }
    }

    /** A plain text reply in UTF-8. */
    public static HttpReply text(int status, String body) {
        return new HttpReply(status, "text/plain; charset=utf-8", body.getBytes(StandardCharsets.UTF_8));
    }
}
