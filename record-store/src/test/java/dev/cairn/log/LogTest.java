package dev.cairn.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LogTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private PrintStream before;

    @BeforeEach
    void redirect() {
        before = Log.redirect(new PrintStream(out, true, StandardCharsets.UTF_8));
    }

    private String written() {
        Log.flush();
        return out.toString(StandardCharsets.UTF_8);
    }

    @AfterEach
    void restore() {
        Log.redirect(before);
        Log.format(Log.Format.TEXT);
    }

    @Test
    void textLinesBeginWithLevelAndPlugin() {
        Log.server().info("up");
        Log.plugin("reload").warning("old");
        Log.plugin("errors").offer(Log.Level.ERROR, "bad");
        Log.plugin("errors").offer(Log.Level.DEBUG, "unseen");
        assertThat(written())
                .isEqualTo("[INFO] up\n[WARNING] plugin/reload: old\n[ERROR] plugin/errors: bad\n");
    }

    /** Members and their order as CoreDNS 1.15.0 printed them; the levels are those of Go's slog. */
    @Test
    void jsonLinesHaveTimeLevelMessageAndPlugin() {
        Log.format(Log.Format.JSON);
        Log.server().error("a \"b\"\n\tc\\ \u0001\u2028é");
        Log.plugin("reload").warning("old");
        assertThat(written().lines().map(line -> line.replaceFirst("\"time\":\"[-+0-9T:.Z]+\",", "")))
                .containsExactly(
                        "{\"level\":\"ERROR\",\"msg\":\"a \\\"b\\\"\\n\\tc\\\\ \\u0001\\u2028é\"}",
                        "{\"level\":\"WARN\",\"msg\":\"old\",\"plugin\":\"reload\"}");
    }
}
