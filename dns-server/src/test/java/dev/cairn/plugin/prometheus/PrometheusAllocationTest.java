package dev.cairn.plugin.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.cairn.chain.Dispatcher;
import dev.cairn.chain.Exchange;
import dev.cairn.chain.Plugin;
import dev.cairn.chain.Protocol;
import dev.cairn.chain.Step;
import dev.cairn.testing.TestChain;
import dev.cairn.testing.TestServer;
import dev.cairn.wire.Rcode;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Type;

class PrometheusAllocationTest {
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
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        byte[] packet = TestServer.query("example.org", Type.AAAA).toWire();
        try (TestChain chain = new TestChain("prometheus localhost:0", List.of(new PrometheusSetup()), new Refusing())) {
            Exchange exchange = new Exchange();
            Dispatcher.Worker worker = Dispatcher.worker();
            run(chain, exchange, packet, worker, 20_000);
            long before = threads.getCurrentThreadAllocatedBytes();
            run(chain, exchange, packet, worker, 50_000);
            // Less than a byte a query: what is left is of the compiler's and the measurement's making.
            assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(10_000);
            assertThat(chain.metrics()).contains("rcode=\"REFUSED\",server=\"dns://:53\",view=\"\",zone=\".\"} 70000\n");
        }
    }

    private static void run(TestChain chain, Exchange exchange, byte[] packet, Dispatcher.Worker worker, int times) {
        System.arraycopy(packet, 0, exchange.query().buffer(packet.length), 0, packet.length);
        for (int i = 0; i < times; i++) {
            exchange.from(Protocol.UDP, LOOPBACK, 1053, LOOPBACK, 53, 4);
            chain.dispatcher().handle(exchange, packet.length, chain.router(), worker, (_, _, _) -> { });
        }
    }
}
