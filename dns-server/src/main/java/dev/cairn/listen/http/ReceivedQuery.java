package dev.cairn.listen.http;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.util.AsciiString;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The query of a request as it comes in, or why there is none. Owned by the connection's event loop; serves one request after another, and
 * makes no garbage for those of the usual form.
 */
final class ReceivedQuery {
    static final int MAX_SIZE = 0xffff;

    private static final String PATH = "/dns-query";

    /** How the address of a GET begins, if it comes from a client for DNS. */
    private static final AsciiString GET_START = AsciiString.cached(PATH + "?dns=");

    private static final byte[] SIXES = new byte[128];

    static {
        Arrays.fill(SIXES, (byte) -1);
        String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"; // RFC 4648 section 5
        for (int i = 0; i < alphabet.length(); i++) {
            SIXES[alphabet.charAt(i)] = (byte) i;
        }
    }

    private final HttpConnection connection;
    private byte[] bytes = {};
    private int size;
    private int kept;
    private boolean inAddress;
    private @Nullable HttpResponseStatus refusal;

    ReceivedQuery(HttpConnection connection) {
        this.connection = connection;
    }

    /** A request begins: looks at its address, where a GET has the query. */
    void begin(@Nullable CharSequence method, @Nullable CharSequence address) {
        size = 0;
        inAddress = false;
        refusal = null;
        if (method == null || address == null) {
            refusal = HttpResponseStatus.BAD_REQUEST;
        } else if (!HttpMethod.GET.asciiName().contentEquals(method) || !decodePlain(address)) {
            decode(method.toString(), address.toString());
        }
    }

    /** Reads an address of the usual form; false if it is of another one, and nothing is known about it. */
    private boolean decodePlain(CharSequence address) {
        int digits = address.length() - GET_START.length();
        if (digits <= 0 || (digits & 3) == 1 || !AsciiString.regionMatches(address, false, 0, GET_START, 0, GET_START.length())) {
            return false;
        }
        byte[] into = room(digits * 3 / 4);
        int gathered = 0;
        int bits = 0;
        int at = 0;
        for (int i = GET_START.length(); i < address.length(); i++) {
            char digit = address.charAt(i);
            int six = digit < SIXES.length ? SIXES[digit] : -1;
            if (six < 0) {
                return false;
            }
            gathered = gathered << 6 | six;
            bits += 6;
            if (bits >= 8) {
                bits -= 8;
                into[at++] = (byte) (gathered >> bits);
            }
        }
        size = at;
        inAddress = true;
        return true;
    }

    private byte[] room(int wanted) {
        if (bytes.length < wanted) {
            bytes = Arrays.copyOf(bytes, Math.max(wanted, Math.min(MAX_SIZE + 1, 2 * bytes.length)));
        }
        return bytes;
    }

    private void decode(String method, String address) {
        try {
            QueryStringDecoder uri = new QueryStringDecoder(address);
            if (!uri.path().equals(PATH)) {
                refusal = HttpResponseStatus.NOT_FOUND;
            } else if (method.equals("GET")) {
                List<String> values = uri.parameters().getOrDefault("dns", List.of());
                // Padding is not part of the encoding (RFC 8484 section 6).
                if (values.size() != 1 || values.getFirst().endsWith("=")) {
                    refusal = HttpResponseStatus.BAD_REQUEST;
                } else {
                    bytes = Base64.getUrlDecoder().decode(values.getFirst());
                    size = bytes.length;
                    inAddress = size > 0;
                }
            } else if (!method.equals("POST")) {
                refusal = HttpResponseStatus.BAD_REQUEST;
            }
        } catch (IllegalArgumentException e) {
            refusal = HttpResponseStatus.BAD_REQUEST; // neither an address nor base64
        }
    }

    /** Takes a piece of the body. */
    void take(ByteBuf more) {
        int added = more.readableBytes();
        if (added == 0 || refusal != null || inAddress) {
            return;
        }
        if (size + added > MAX_SIZE) {
            refusal = HttpResponseStatus.BAD_REQUEST;
        } else if (!connection.keep(added)) {
            refusal = HttpResponseStatus.SERVICE_UNAVAILABLE;
        } else {
            kept += added;
            more.readBytes(room(size + added), size, added);
            size += added;
        }
    }

    /** The body no longer counts for what the connection keeps. */
    void forget() {
        connection.forget(kept);
        kept = 0;
    }

    void refuse(HttpResponseStatus status) {
        refusal = status;
    }

    /** What is wrong with the request, null if nothing is. */
    @Nullable HttpResponseStatus refusal() {
        return refusal;
    }

    int size() {
        return size;
    }

    void copyTo(byte[] to) {
        System.arraycopy(bytes, 0, to, 0, size);
    }
}
