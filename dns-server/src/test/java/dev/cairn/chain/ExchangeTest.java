package dev.cairn.chain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.Garbage;
import org.junit.jupiter.api.Test;

class ExchangeTest {
    private static final int MANY = 1000;

    /** The objects that it is made of; arrays come with the first query. */
    private static final int BYTES = 300;

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

    /** A listener may answer at once and use its exchange again while what the cache has asked below is still on its way. */
    @Test
    void whatIsAskedBelowStaysWhenTheListenerUsesTheExchangeAgain() {
        Exchange outer = new Exchange();
        byte[] client = {10, 0, 0, 1};
        byte[] server = {10, 0, 0, 2};
        outer.from(Protocol.UDP, client, 1, server, 53, 4);
        Exchange inner = new Exchange();
        inner.like(outer, Protocol.TCP);
        outer.from(Protocol.UDP, new byte[] {10, 9, 9, 9}, 2, new byte[] {10, 8, 8, 8}, 54, 4);
        assertThat(inner.client().getAddress()).isEqualTo(client);
        assertThat(inner.local().getAddress()).isEqualTo(server);
        assertThat(outer.client().getAddress()).isEqualTo(new byte[] {10, 9, 9, 9});
        inner.from(Protocol.UDP, client, 1, server, 53, 4);
        assertThat(outer.local().getAddress()).isEqualTo(new byte[] {10, 8, 8, 8});
    }
}
