package dev.cairn.listen.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.ReadOnlyHttp2Headers;
import io.netty.util.AsciiString;
import org.jspecify.annotations.Nullable;

/** The headers of responses over HTTP/2. Those of replies differ by two small numbers, whose texts are kept. Safe for all threads. */
final class Http2Replies {
    private static final AsciiString OK = HttpResponseStatus.OK.codeAsText();
    private static final AsciiString MEDIA_TYPE = AsciiString.cached(HttpConnection.MEDIA_TYPE);
    private static final AsciiString TEXT = AsciiString.cached(HttpConnection.TEXT);
    private static final AsciiString OPTIONS = AsciiString.cached("x-content-type-options");
    private static final AsciiString NO_SNIFF = AsciiString.cached("nosniff");

    /** Filled when a number is first needed; who finds a place empty makes the same text. */
    private static final @Nullable AsciiString[] LENGTHS = new AsciiString[1024];

    private static final @Nullable AsciiString[] AGES = new AsciiString[MaxAge.LONGEST + 1];

    private Http2Replies() {}

    static Http2Headers headers(byte[] reply, int length) {
        return ReadOnlyHttp2Headers.serverHeaders(false, OK, HttpHeaderNames.CONTENT_TYPE, MEDIA_TYPE,
                HttpHeaderNames.CACHE_CONTROL, text(AGES, "max-age=", MaxAge.of(reply, length)),
                HttpHeaderNames.CONTENT_LENGTH, text(LENGTHS, "", length));
    }

    static Http2Headers headers(HttpResponseStatus status, int length) {
        return ReadOnlyHttp2Headers.serverHeaders(false, status.codeAsText(), HttpHeaderNames.CONTENT_TYPE, TEXT, OPTIONS, NO_SNIFF,
                HttpHeaderNames.CONTENT_LENGTH, text(LENGTHS, "", length));
    }

    private static AsciiString text(@Nullable AsciiString[] known, String before, int number) {
        if (number >= known.length) {
            return new AsciiString(before + number);
        }
        AsciiString text = known[number];
        if (text == null) {
            text = new AsciiString(before + number);
            known[number] = text;
        }
        return text;
    }
}
