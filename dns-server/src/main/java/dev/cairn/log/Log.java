package dev.cairn.log;

import java.io.PrintStream;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** A named source of log lines. Not for the hot path: a line costs a system call, or a place in a queue. */
public final class Log {
    /** How lines look. */
    public enum Format {
        TEXT,
        JSON
    }

    /** How much a line matters. */
    public enum Level {
        DEBUG("DEBUG"),
        INFO("INFO"),
        WARNING("WARN"),
        ERROR("ERROR");

        /** CoreDNS writes JSON lines by Go's slog, which has this one shorter word. */
        private final String inJson;

        Level(String inJson) {
            this.inJson = inJson;
        }
    }

    private static volatile Format format = Format.TEXT;
    private static volatile @Nullable PrintStream target;
    private static volatile boolean debugging;
    private static final LineQueue QUEUE = new LineQueue(Log::out);

    private final String prefix;
    private final String plugin;

    private Log(String prefix, String plugin) {
        this.prefix = prefix;
        this.plugin = plugin;
    }

    /** The log of the server itself. */
    public static Log server() {
        return new Log("", "");
    }

    /** The log of a plugin; its lines begin with {@code plugin/NAME: }. */
    public static Log plugin(String name) {
        return new Log("plugin/" + name + ": ", name);
    }

    public static void format(Format chosen) {
        format = chosen;
    }

    public static Format format() {
        return format;
    }

    /** Whether {@link #debug} writes anything. */
    public static void debugging(boolean on) {
        debugging = on;
    }

    public static boolean debugging() {
        return debugging;
    }

    /** Sends lines elsewhere, null for standard output; returns where they went before. For tests. */
    public static @Nullable PrintStream redirect(@Nullable PrintStream to) {
        PrintStream before = target;
        target = to;
        return before;
    }

    /** Writes what has been offered so far, without waiting for the thread that does. For tests. */
    public static void flush() {
        QUEUE.drain();
    }

    private static PrintStream out() {
        PrintStream chosen = target;
        return chosen == null ? System.out : chosen;
    }

    public void debug(String message) {
        if (debugging) {
            raw(line(Level.DEBUG, message));
        }
    }

    public void info(String message) {
        raw(line(Level.INFO, message));
    }

    public void warning(String message) {
        raw(line(Level.WARNING, message));
    }

    public void error(String message) {
        raw(line(Level.ERROR, message));
    }

    /** Logs without ever waiting, for threads that answer queries; false if too many lines wait already and this one is lost. */
    public boolean offer(Level level, String message) {
        return (level == Level.DEBUG && !debugging) || offerRaw(line(level, message));
    }

    private String line(Level level, String message) {
        if (format == Format.TEXT) {
            return "[" + level + "] " + prefix + message;
        }
        StringBuilder json = new StringBuilder(128);
        openJson(json, level, message);
        if (!plugin.isEmpty()) {
            quote(json.append(",\"plugin\":"), plugin);
        }
        return json.append('}').toString();
    }

    /** Writes a line that is already in its final form. */
    public static void raw(String line) {
        QUEUE.writeNow(line);
    }

    /** As {@link #offer}, for a line that is already in its final form. */
    public static boolean offerRaw(String line) {
        return QUEUE.offer(line);
    }

    /** Has offered lines written by a thread of their own; without it they are written at once. Match it with {@link #releaseWriter}. */
    public static void retainWriter() {
        QUEUE.retain();
    }

    /** Undoes a {@link #retainWriter}; returns after all lines offered so far are written, if it was the last. */
    public static void releaseWriter() {
        QUEUE.release();
    }

    /** Appends the beginning of a JSON line, with the members that all lines have; the caller adds its own and the closing brace. */
    public static void openJson(StringBuilder json, Level level, String message) {
        json.append("{\"time\":\"");
        DateTimeFormatter.ISO_OFFSET_DATE_TIME.formatTo(OffsetDateTime.now(ZoneId.systemDefault()), json);
        json.append("\",\"level\":\"").append(level.inJson).append("\",\"msg\":");
        quote(json, message);
    }

    /** Appends {@code text} as a JSON string. */
    public static void quote(StringBuilder json, String text) {
        json.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> json.append('\\').append(c);
                case '\n' -> json.append("\\n");
                case '\r' -> json.append("\\r");
                case '\t' -> json.append("\\t");
                default -> {
                    // The last two end a line for JavaScript, and Go writes them so too.
                    if (c < ' ' || c == '\u2028' || c == '\u2029') {
                        json.append(String.format("\\u%04x", (int) c));
                    } else {
                        json.append(c);
                    }
                }
            }
        }
        json.append('"');
    }
}
