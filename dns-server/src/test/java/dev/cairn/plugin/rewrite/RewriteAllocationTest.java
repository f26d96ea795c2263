package dev.cairn.plugin.rewrite;


import dev.cairn.chain.Dispatcher;
import dev.cairn.chain.Exchange;
import dev.cairn.chain.Protocol;
import dev.cairn.plugin.template.TemplateSetup;
import dev.cairn.testing.Garbage;
import dev.cairn.testing.TestChain;
import dev.cairn.testing.TestServer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Type;

class RewriteAllocationTest {
    private static final int QUERIES = 5_000;
    private static final byte[] ADDRESS = {127, 0, 0, 1};

    /** Of each kind of match one that is not for the query; the answer is a template that is always the same. */
    private static final String RULES = """
            rewrite name exact other.example.org a.example.org
            rewrite name prefix other b
            rewrite name suffix .example.net .example.org
            rewrite name substring .other. .some.
            rewrite name regex ^(.*)\\.other\\.(.*)$ {1}.{2}
            rewrite type MX TXT
            rewrite ttl regex [0-9]+\\.example\\.org\\.$ 30
            rewrite edns0 local replace 0xffee abc
            template IN A example.org {
                match ^www[.]
                answer "example.org. 60 IN A 192.0.2.1"
            }
            """;

    @Test
    void aQueryThatNoRuleIsForCostsNoGarbage() throws Exception {
        byte[] packet = TestServer.query("www.example.org", Type.A).toWire();
        try (TestChain chain = new TestChain(RULES, List.of(new RewriteSetup(), new TemplateSetup()))) {
            Exchange exchange = new Exchange();
            Garbage.assertNone(() -> {
                for (int i = 0; i < QUERIES; i++) {
                    System.arraycopy(packet, 0, exchange.query().buffer(packet.length), 0, packet.length);
                    exchange.from(Protocol.UDP, ADDRESS, 1053, ADDRESS, 53, 4);
                    int length = chain.dispatcher().handle(exchange, packet.length, chain.router(), Dispatcher.worker(), (_, _, _) -> {});
                    if (length <= packet.length) {
                        throw new AssertionError("no answer");
                    }
                }
            });
        }
    }
}
