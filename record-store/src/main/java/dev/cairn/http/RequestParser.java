package dev.cairn.http;

import dev.cairn.http.RequestHead.Afterwards;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Reads the head of one request (RFC 9112 sections 2 to 6). It is strict, since a request that can be understood in two ways is one that two
 * programs understand differently: no folded lines, no space before a colon, one Host, one Content-Length. Bodies are nothing that anybody
 * here wants, so a request with one is the last of its connection, and what is in the body is never taken for a request.
 */
final class RequestParser {
    private static final int BAD_REQUEST = 400;
    private static final int VERSION_NOT_SUPPORTED = 505;
    private static final int GOOD = 0;
    private static final String VERSION = "HTTP/1.1";

    private final byte[] bytes;
    private final int end;
    private int at;

    private String method = "";
    private String path = "";
    private String query = "";
    private boolean old;
    private int hosts;
    private int lengths;
    private boolean body;
    private boolean close;
    private boolean keep;
    private String acceptEncoding = "";

    private RequestParser(byte[] bytes, int end) {
        this.bytes = bytes;
        this.end = end;
    }

    /** Reads the first {@code length} bytes, which end with an empty line. */
    static RequestHead parse(byte[] bytes, int length) {
        return new RequestParser(bytes, length).head();
    }

    private RequestHead head() {
        int status = requestLine(line());
        for (String line = line(); status == GOOD && !line.isEmpty(); line = line()) {
            status = field(line);
        }
        if (status == GOOD && (hosts > 1 || (hosts == 0 && !old))) {
            status = BAD_REQUEST; // section 3.2
        }
        if (status != GOOD) {
            return new RequestHead.Bad(status);
        }
        Afterwards afterwards = old ? Afterwards.KEEP_AND_SAY : Afterwards.KEEP;
        boolean last = body || close || (old && !keep);
        return new RequestHead.Good(new HttpRequest(method, path, query, acceptEncoding), last ? Afterwards.CLOSE : afterwards);
    }

    /** The next line without its end. */
    private String line() {
        int start = at;
        int stop = start;
        while (stop < end && bytes[stop] != '\n') {
            stop++;
        }
        at = Math.min(end, stop + 1);
        if (stop > start && bytes[stop - 1] == '\r') {
            stop--;
        }
        return new String(bytes, start, stop - start, StandardCharsets.ISO_8859_1);
    }

    private int requestLine(String line) {
        int first = line.indexOf(' ');
        int second = line.indexOf(' ', first + 1);
        if (first < 0 || second < 0) {
            return BAD_REQUEST;
        }
        method = line.substring(0, first);
        int status = version(line.substring(second + 1));
        return status != GOOD || (isToken(method) && target(line.substring(first + 1, second))) ? status : BAD_REQUEST;
    }

    /** A later minor version is understood as ours (RFC 9110 section 2.5). */
    private int version(String version) {
        int major = VERSION.indexOf('1');
        if (version.length() != VERSION.length() || !version.startsWith("HTTP/") || version.charAt(major + 1) != '.'
                || !isDigit(version.charAt(major)) || !isDigit(version.charAt(major + 2))) {
            return BAD_REQUEST;
        }
        old = version.charAt(major + 2) == '0';
        return version.charAt(major) == '1' ? GOOD : VERSION_NOT_SUPPORTED;
    }

    /** All forms of section 3.2; false if it is none. */
    private boolean target(String target) {
        for (int i = 0; i < target.length(); i++) {
            char c = target.charAt(i);
            if (c <= ' ' || c >= 0x7f || c == '#') {
                return false;
            }
        }
        String local = target;
        int authority = target.regionMatches(true, 0, "http://", 0, 7) ? 7 : target.regionMatches(true, 0, "https://", 0, 8) ? 8 : 0;
        if (authority > 0) {
            int slash = target.indexOf('/', authority);
            int question = target.indexOf('?', authority);
            int from = slash < 0 || (question >= 0 && question < slash) ? question : slash;
            local = from < 0 ? "/" : target.charAt(from) == '?' ? "/" + target.substring(from) : target.substring(from);
        }
        int question = local.indexOf('?');
        path = question < 0 ? local : local.substring(0, question);
        query = question < 0 ? "" : local.substring(question + 1);
        return local.startsWith("/") || method.equals("CONNECT") || (method.equals("OPTIONS") && target.equals("*"));
    }

    private int field(String line) {
        int colon = line.indexOf(':');
        if (colon < 0 || !isToken(line.substring(0, colon)) || !isText(line)) {
            return BAD_REQUEST;
        }
        String value = line.substring(colon + 1).strip();
        switch (line.substring(0, colon).toLowerCase(Locale.ROOT)) {
            case "host" -> hosts++;
            case "content-length" -> {
                return contentLength(value);
            }
            case "transfer-encoding" -> body = true;
            case "connection" -> connection(value);
            case "accept-encoding" -> acceptEncoding = acceptEncoding.isEmpty() ? value : acceptEncoding + "," + value;
            default -> { }
        }
        return GOOD;
    }

    private int contentLength(String value) {
        lengths++;
        for (int i = 0; i < value.length(); i++) {
            if (!isDigit(value.charAt(i))) {
                return BAD_REQUEST;
            }
            body |= value.charAt(i) != '0';
        }
        return value.isEmpty() || lengths > 1 ? BAD_REQUEST : GOOD;
    }

    private void connection(String value) {
        for (String option : value.split(",", -1)) {
            close |= option.strip().equalsIgnoreCase("close");
            keep |= option.strip().equalsIgnoreCase("keep-alive");
        }
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /** RFC 9110 section 5.6.2. */
    private static boolean isToken(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            if (!letter && !isDigit(c) && "!#$%&'*+-.^_`|~".indexOf(c) < 0) {
                return false;
            }
        }
        return !text.isEmpty();
    }

    /** No control characters but tabs (RFC 9110 section 5.5). */
    private static boolean isText(String line) {
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if ((c < ' ' && c != '\t') || c == 0x7f) {
                return false;
            }
        }
        return true;
    }
}
