package dev.cairn.chain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.Garbage;
import org.junit.jupiter.api.Test;

class ExchangeTest {
    private static final int MANY = 1000;

    /** With what it may come to hold, since it begins small; most of this is the objects that it is made of. */
    private static final int BYTES = 600;

    /** One is made for each query that waits for an upstream, and another for what a cache asks below. */
    @Test
    void isMadeOfLittle() throws Exception {
        Exchange[] made = new Exchange[MANY];
        Garbage.assertAtMost(MANY * BYTES, () -> {
            for (int i = 0; i < MANY; i++) {
                made[i] = new Exchange();
            }
        });
        assertThat(made[MANY - 1].route().chain().plugins()).isEmpty();
    }
}
