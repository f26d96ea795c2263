package dev.cairn.http;

import dev.cairn.http.RequestHead.Afterwards;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** Replies as they go over the wire. Any thread may make them. */
final class ReplyBytes {
    private static final int GZIP_FROM = 1024;
    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;
    private static final int MILLIS = 1000;
    private static final int SECONDS_PER_DAY = 86_400;
    private static final int DAYS_PER_400_YEARS = 146_097;
    /** Since the first of March of the year 0. */
    private static final int DAYS_BEFORE_1970 = 719_468;
    /** From the first day of 1970 on. */
    private static final String[] DAYS = {"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"};
    private static final String[] MONTHS = {"Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec", "Jan", "Feb"};

    private static volatile Stamp stamp = new Stamp(0, "");

    /** A second since 1970, and the Date header for it. */
    private record Stamp(long second, String text) {}

    private ReplyBytes() {}

    /** @param request what is answered; null if that was not understood */
    static ByteBuffer of(HttpReply reply, @Nullable HttpRequest request, Afterwards afterwards) {
        byte[] body = reply.body();
        StringBuilder head = new StringBuilder(256).append("HTTP/1.1 ").append(reply.status()).append(' ').append(reason(reply.status())).append("\r\n");
        header(head, "Date", date());
        header(head, "Content-Type", reply.contentType());
        for (Map.Entry<String, String> each : reply.headers().entrySet()) {
            header(head, each.getKey(), each.getValue());
        }
        if (body.length > GZIP_FROM) {
            header(head, "Vary", "Accept-Encoding");
            if (request != null && request.acceptsGzip()) {
                header(head, "Content-Encoding", "gzip");
                body = gzipped(body);
            }
        }
        if (reply.status() != NO_CONTENT && reply.status() != NOT_MODIFIED) {
            header(head, "Content-Length", Integer.toString(body.length)); // not for those that never have a body: RFC 9110 section 8.6
        }
        if (!afterwards.header().isEmpty()) {
            header(head, "Connection", afterwards.header());
        }
        byte[] first = head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
        int sent = request != null && request.isHead() ? 0 : body.length;
        return ByteBuffer.allocate(first.length + sent).put(first).put(body, 0, sent).flip();
    }

    private static void header(StringBuilder head, String name, String value) {
        head.append(name).append(": ").append(value).append("\r\n");
    }

    /** The words of RFC 9110 section 15; empty for a status that nobody here uses. */
    static String reason(int status) {
        return switch (status) {
            case 200 -> "OK";
            case 204 -> "No Content";
            case 304 -> "Not Modified";
            case 400 -> "Bad Request";
            case 404 -> "Not Found";
            case 405 -> "Method Not Allowed";
            case 414 -> "URI Too Long";
            case 431 -> "Request Header Fields Too Large";
            case 500 -> "Internal Server Error";
            case 503 -> "Service Unavailable";
            case 505 -> "HTTP Version Not Supported";
            default -> "";
        };
    }

    /** Now, as RFC 9110 section 5.6.7 wants it. */
    private static String date() {
        long second = System.currentTimeMillis() / MILLIS;
        Stamp last = stamp;
        if (last.second != second) {
            last = new Stamp(second, date(second));
            stamp = last;
        }
        return last.text;
    }

    /** By hand, since the JDK would load a hundred classes for it. Years begin in March here, so that a leap day is the last of one. */
    static String date(long second) {
        int day = (int) (second / SECONDS_PER_DAY);
        int time = (int) (second % SECONDS_PER_DAY);
        int sinceMarch = day + DAYS_BEFORE_1970;
        int ofEra = sinceMarch % DAYS_PER_400_YEARS;
        int year = (ofEra - ofEra / 1460 + ofEra / 36524 - ofEra / 146096) / 365;
        int ofYear = ofEra - (365 * year + year / 4 - year / 100);
        int month = (5 * ofYear + 2) / 153;
        int ofMonth = ofYear - (153 * month + 2) / 5 + 1;
        StringBuilder text = new StringBuilder(29).append(DAYS[day % DAYS.length]).append(", ");
        twoDigits(text, ofMonth).append(' ').append(MONTHS[month]).append(' ');
        text.append(sinceMarch / DAYS_PER_400_YEARS * 400 + year + (month < 10 ? 0 : 1)).append(' ');
        twoDigits(text, time / 3600).append(':');
        twoDigits(text, time / 60 % 60).append(':');
        return twoDigits(text, time % 60).append(" GMT").toString();
    }

    private static StringBuilder twoDigits(StringBuilder text, int number) {
        return text.append((char) ('0' + number / 10)).append((char) ('0' + number % 10));
    }

    private static byte[] gzipped(byte[] body) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream(body.length / 4);
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed, 4096)) {
            gzip.write(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // nothing here leaves memory
        }
        return packed.toByteArray();
    }
}
