package dev.cairn.log;

import java.io.PrintStream;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** A named source of log lines. Nobody who logs ever waits for a reader of the log: lines that find no room are lost, and counted. */
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
    private static final LineQueue QUEUE = new LineQueue(Log::out, Log::loss);

    /** How long lines that wait may take to be written at the end of the process. */
    private static final Duration AT_THE_END = Duration.ofSeconds(1);

    /** How much of a stack is told of a defect. */
    private static final int FRAMES = 12;

    /** How long {@link #flush} waits. */
    private static final Duration LONG = Duration.ofMinutes(1);

    static {
        QUEUE.start();
        try {
            Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(Log::end));
        } catch (IllegalStateException e) {
            // The process is about to end, and its first line is its last.
        }
    }

    private final String prefix;
    private final String plugin;

    private Log(String prefix, String plugin) {
        this.prefix = prefix;
        this.plugin = plugin;
    }

    /** The log of the process itself. */
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

    /** Sends lines that come from now on elsewhere, null for standard output; returns where they went before. */
    public static @Nullable PrintStream redirect(@Nullable PrintStream to) {
        flush();
        PrintStream before = target;
        target = to;
        return before;
    }

    /** Waits until what has been logged so far is written. For tests. */
    public static void flush() {
        QUEUE.awaitWritten(LONG);
    }

    /** Waits until what has been logged so far is written, but not for long; for the end of the process. */
    public static void end() {
        QUEUE.awaitWritten(AT_THE_END);
    }

    /** How many lines were lost since the process began. */
    public static long dropped() {
        return QUEUE.dropped();
    }

    private static PrintStream out() {
        PrintStream chosen = target;
        return chosen == null ? System.out : chosen;
    }

    private static String loss(long lines) {
        return server().line(Level.WARNING, lines + " lines of the log were lost, since nobody read those before");
    }

    public void debug(String message) {
        offer(Level.DEBUG, message);
    }

    public void info(String message) {
        offer(Level.INFO, message);
    }

    public void warning(String message) {
        offer(Level.WARNING, message);
    }

    public void error(String message) {
        offer(Level.ERROR, message);
    }

    /** Logs what can only be a mistake in this program: in one line, too, with where it happened. */
    public void defect(String message, Throwable thrown) {
        StringBuilder text = new StringBuilder(message).append(": ").append(thrown);
        StackTraceElement[] stack = thrown.getStackTrace();
        for (int i = 0; i < Math.min(FRAMES, stack.length); i++) {
            text.append(i == 0 ? " at " : " < ").append(stack[i]);
        }
        error(text.toString());
    }

    /** Logs; false if too many lines wait already and this one is lost, which the next one tells. */
    public boolean offer(Level level, String message) {
        return (level == Level.DEBUG && !debugging) || raw(line(level, message));
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

    /** As {@link #offer}, for a line that is already in its final form. */
    public static boolean raw(String line) {
        return QUEUE.offer(line);
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
