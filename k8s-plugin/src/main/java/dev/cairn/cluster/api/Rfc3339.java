package dev.cairn.cluster.api;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;

/**
 * Reads times as Kubernetes writes them, {@code 2026-11-16T04:30:00Z}, by their places: every slice of a list has one, and what the JDK's formatter
 * takes for it was a fifth of all the time that reading slices took.
 */
final class Rfc3339 {
    private static final String SHAPE = "0000-00-00T00:00:00Z";

    private Rfc3339() {}

    /** Milliseconds since 1970. */
    static long millis(String text) throws DateTimeException {
        if (!isPlain(text)) {
            return OffsetDateTime.parse(text).toInstant().toEpochMilli();
        }
        int hour = number(text, 11, 13);
        int minute = number(text, 14, 16);
        int second = number(text, 17, 19);
        if (hour > 23 || minute > 59 || second > 59) {
            throw new DateTimeException("no such time of day");
        }
        long day = LocalDate.of(number(text, 0, 4), number(text, 5, 7), number(text, 8, 10)).toEpochDay();
        return (((day * 24 + hour) * 60 + minute) * 60 + second) * 1000;
    }

    private static boolean isPlain(String text) {
        if (text.length() != SHAPE.length()) {
            return false;
        }
        for (int i = 0; i < SHAPE.length(); i++) {
            char wanted = SHAPE.charAt(i);
            char found = text.charAt(i);
            if (wanted == '0' ? found < '0' || found > '9' : found != wanted) {
                return false;
            }
        }
        return true;
    }

    private static int number(String text, int from, int to) {
        int number = 0;
        for (int i = from; i < to; i++) {
            number = number * 10 + text.charAt(i) - '0';
        }
        return number;
    }
}
