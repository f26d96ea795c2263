package dev.cairn.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.Runtime.Version;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class PromptnessTest {
    /** Linux tells it from 6.12 on. */
    private static boolean kernelTells() {
        Matcher version = Pattern.compile("\\d+\\.\\d+").matcher(System.getProperty("os.version"));
        return version.lookingAt() && Version.parse(version.group()).compareTo(Version.parse("6.12")) >= 0;
    }

    @Test
    void a_thread_that_asks_has_a_short_slice() throws InterruptedException {
        AtomicLong prompt = new AtomicLong(-1);
        Thread thread = Thread.ofPlatform().start(Promptness.prompt(() -> prompt.set(Promptness.sliceNanos())));
        thread.join();
        assertThat(prompt.get()).isEqualTo(kernelTells() ? Promptness.SLICE_NANOS : 0);
    }

    @Test
    void other_threads_keep_theirs() throws InterruptedException {
        long before = Promptness.sliceNanos();
        Thread.ofPlatform().start(Promptness.prompt(() -> {})).join();
        assertThat(Promptness.sliceNanos()).isEqualTo(before);
    }
}
