package dev.cairn.plugin.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.chain.Dispatcher;
import dev.cairn.chain.Exchange;
import dev.cairn.chain.Plugin;
import dev.cairn.chain.Protocol;
import dev.cairn.chain.Step;
import dev.cairn.testing.Garbage;
import dev.cairn.testing.TestChain;
import dev.cairn.testing.TestServer;
import dev.cairn.wire.Rcode;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Type;

class PrometheusAllocationTest {
    private static final int QUERIES = 5_000;
    private static final byte[] LOOPBACK = {127, 0, 0, 1};

    private static final class Refusing implements Plugin {
        @Override
        public String name() {
            return "refusing";
        }

        @Override
        public Step query(Exchange exchange) {
            return exchange.refuse(Rcode.REFUSED);
        }
    }

    @Test
    void countingMakesNoGarbage() throws Exception {
        byte[] packet = TestServer.query("example.org", Type.AAAA).toWire();
        try (TestChain chain = new TestChain("prometheus localhost:0", List.of(new PrometheusSetup()), new Refusing())) {
            Exchange exchange = new Exchange();
            Dispatcher.Worker worker = Dispatcher.worker();
            AtomicInteger queries = new AtomicInteger();
            Garbage.assertNone(() -> {
                run(chain, exchange, packet, worker);
                queries.addAndGet(QUERIES);
            });
            assertThat(chain.metrics()).contains("rcode=\"REFUSED\",server=\"dns://:53\",view=\"\",zone=\".\"} " + queries + "\n");
        }
    }

    private static void run(TestChain chain, Exchange exchange, byte[] packet, Dispatcher.Worker worker) {
        System.arraycopy(packet, 0, exchange.query().buffer(packet.length), 0, packet.length);
        for (int i = 0; i < QUERIES; i++) {
            exchange.from(Protocol.UDP, LOOPBACK, 1053, LOOPBACK, 53, 4);
            chain.dispatcher().handle(exchange, packet.length, chain.router(), worker, (_, _, _) -> { });
        }
    }
}
