package dev.cairn.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressTest {
    @Test
    void itTellsThePartTheTimeAndWhatIsLeft() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        AtomicLong nanos = new AtomicLong();
        Progress progress = new Progress(new PrintStream(out, true, StandardCharsets.UTF_8), nanos::get, 2, 300);
        progress.part("udp", "One query", 60);
        nanos.set(TimeUnit.SECONDS.toNanos(65));
        progress.step("warming up %s", "Knot");
        progress.part("proxy", "The proxy", 240);
        assertThat(out.toString(StandardCharsets.UTF_8).lines()).containsExactly(
                "2 parts, about 5 min",
                "",
                "[1/2] udp: One query, about 60 s; about 5 min until the end",
                "  [1/2 udp, 1:05] warming up Knot",
                "",
                "[2/2] proxy: The proxy, about 4 min; about 4 min until the end");
    }
}
