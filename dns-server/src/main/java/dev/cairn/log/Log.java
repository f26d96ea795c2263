package dev.cairn.log;

import java.io.PrintStream;
import java.time.Clock;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** A named source of log lines. Not for the hot path: a line costs a system call. */
public final class Log {
    /** How lines look. */
    public enum Format {
        TEXT,
        JSON
    }

    private static volatile Format format = Format.TEXT;
    private static volatile @Nullable PrintStream target;
    private static volatile boolean debugging;
    private static final Clock CLOCK = Clock.systemUTC();

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

    public void debug(String message) {
        if (debugging) {
            write("DEBUG", message);
        }
    }

    public void info(String message) {
        write("INFO", message);
    }

    public void warning(String message) {
        write("WARNING", message);
    }

    public void error(String message) {
        write("ERROR", message);
    }

    private void write(String level, String message) {
        if (format == Format.TEXT) {
            raw("[" + level + "] " + prefix + message);
        } else {
            StringBuilder json = new StringBuilder(128).append("{\"time\":");
            quote(json, DateTimeFormatter.ISO_INSTANT.format(Instant.now(CLOCK)));
            quote(json.append(",\"level\":"), level);
            if (!plugin.isEmpty()) {
                quote(json.append(",\"plugin\":"), plugin);
            }
            quote(json.append(",\"msg\":"), message);
            raw(json.append('}').toString());
        }
    }

    /** Writes a line that is already in its final form. */
    public static void raw(String line) {
        PrintStream out = target;
        (out == null ? System.out : out).println(line);
    }

    /** Appends {@code text} as a JSON string. */
    public static void quote(StringBuilder json, String text) {
        json.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ') {
                json.append(String.format("\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        json.append('"');
    }
}
