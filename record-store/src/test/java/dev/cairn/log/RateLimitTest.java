package dev.cairn.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RateLimitTest {
    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);
    private final RateLimit limit = new RateLimit(2, Duration.ofSeconds(60), clock::get);

    private void pass(int seconds) {
        clock.addAndGet(Duration.ofSeconds(seconds).toNanos());
    }

    @Test
    void someComeAtOnceThenOneInAWhileThatTellsHowManyDidNot() {
        assertThat(limit.admit("a")).isEqualTo("a");
        assertThat(limit.admit("b")).isEqualTo("b");
        assertThat(limit.admit("c")).isNull();
        pass(59);
        assertThat(limit.admit("d")).isNull();
        pass(1);
        assertThat(limit.admit("e")).isEqualTo("e (and 2 times more since the last such line)");
        assertThat(limit.admit("f")).isNull();
        pass(60);
        assertThat(limit.admit("g")).isEqualTo("g (and 1 time more since the last such line)");
    }

    @Test
    void afterALongSilenceAsManyComeAsAtFirst() {
        limit.admit("a");
        limit.admit("b");
        pass(100_000);
        assertThat(limit.admit("c")).isEqualTo("c");
        assertThat(limit.admit("d")).isEqualTo("d");
        assertThat(limit.admit("e")).isNull();
    }

    @Test
    void timeThatDoesNotEarnALineIsNotLost() {
        limit.admit("a");
        limit.admit("b");
        for (int i = 0; i < 3; i++) {
            pass(19);
            assertThat(limit.admit("c")).isNull();
        }
        pass(3);
        assertThat(limit.admit("d")).startsWith("d (and 3 ");
    }
}
