package dev.cairn.plugin.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Plugin;
import dev.cairn.chain.Step;
import dev.cairn.plugin.MetadataProvider;
import dev.cairn.plugin.MetadataValue;
import dev.cairn.testing.TestChain;
import dev.cairn.testing.TestServer;
import dev.cairn.wire.Rcode;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Type;

class MetadataTest {
    private final AtomicInteger made = new AtomicInteger();

    /** Knows something, and asks for it itself once the query is there. */
    private final class Knowing implements Plugin, MetadataProvider {
        @Nullable MetadataValue source;
        @Nullable String seen;

        @Override
        public String name() {
            return "knowing";
        }

        @Override
        public Map<String, MetadataValue> metadata() {
            return Map.of("knowing/type", exchange -> made.incrementAndGet() + ":" + exchange.query().type());
        }

        @Override
        public Step query(Exchange exchange) {
            seen = source == null ? null : source.of(exchange);
            return exchange.refuse(Rcode.NOERROR);
        }
    }

    @Test
    void aValueIsMadeOnlyWhenUsedAndOnlyInItsZones() throws Exception {
        Knowing knowing = new Knowing();
        try (TestChain chain = new TestChain("metadata example.org example.net", List.of(new MetadataSetup()), knowing)) {
            chain.ask(TestServer.query("a.example.org", Type.AAAA));
            assertThat(made).hasValue(0);
            knowing.source = chain.block().metadata("knowing/type");
            chain.ask(TestServer.query("a.example.org", Type.AAAA));
            assertThat(knowing.seen).isEqualTo("1:28");
            chain.ask(TestServer.query("example.net", Type.A));
            assertThat(knowing.seen).isEqualTo("2:1");
            chain.ask(TestServer.query("example.com", Type.A));
            assertThat(knowing.seen).isNull();
            assertThat(chain.block().metadata("knowing/other")).isNull();
        }
    }

    @Test
    void withoutTheDirectiveThereIsNone() throws Exception {
        try (TestChain chain = new TestChain("", List.of(), new Knowing())) {
            assertThat(chain.block().metadata("knowing/type")).isNull();
        }
    }

    @Test
    void mistakesAreToldWithTheWayOut() throws Exception {
        assertThat(TestServer.errorsOf(". {\n metadata {\n  x\n }\n whoami\n}")).singleElement().asString()
                .startsWith("Corefile:3: plugin/metadata: unknown property \"x\"");
        assertThat(TestServer.errorsOf(". {\n metadata\n metadata\n whoami\n}")).singleElement().asString()
                .contains("only be used once per server block");
    }
}
