package dev.cairn.plugin.minimal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.chain.Exchange;
import dev.cairn.testing.TestServer;
import dev.cairn.wire.Answer.Section;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.Rcode;
import dev.cairn.wire.Rdata;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.Message;
import org.xbill.DNS.Type;

class MinimalTest {
    private static final WireName NAME = WireName.parse("example.org.");
    private static final RrSet A = Rdata.single(NAME, DnsType.A, 60, Rdata.address(new byte[] {10, 0, 0, 1}));
    private static final RrSet NS = Rdata.single(NAME, DnsType.NS, 60, Rdata.name(NAME));
    private static final RrSet SOA = Rdata.single(NAME, DnsType.SOA, 60, Rdata.soa(NAME, NAME, 1, 2, 3, 4, 5));

    /** What response.Typify of CoreDNS tells apart: the sections given as letters, and what is left of them. */
    @ParameterizedTest
    @CsvSource({
        "NOERROR, an answer with all sections, A NS A, A",
        "NOERROR, an answer with SOA, A SOA -, A",
        "NOERROR, an empty answer with SOA, - SOA A, SOA A",
        "NOERROR, a delegation, - NS A, NS A",
        "NOERROR, additional records only, - - A, ''",
        "NXDOMAIN, a denial, - SOA A, SOA A",
        "NXDOMAIN, an alias to nowhere, A SOA -, A SOA",
        "SERVFAIL, a failure, - - A, A",
        "REFUSED, a refusal, - NS -, NS",
    })
    void keepsOnlyTheAnswerOf(String rcode, String what, String sections, String left) {
        Exchange exchange = new Exchange();
        exchange.answer().rcode(Rcode.fromText(rcode));
        String[] types = sections.split(" ", -1);
        add(exchange, Section.ANSWER, types[0]);
        add(exchange, Section.AUTHORITY, types[1]);
        add(exchange, Section.ADDITIONAL, types[2]);
        new MinimalPlugin().answer(exchange);
        assertThat(IntStream.range(0, exchange.answer().size()).mapToObj(i -> DnsType.toText(exchange.answer().part(i).set().type())))
                .as(what).containsExactly(left.isEmpty() ? new String[0] : left.split(" ", -1));
    }

    private static void add(Exchange exchange, Section section, String type) {
        if (!type.equals("-")) {
            exchange.answer().add(section, switch (type) {
                case "A" -> A;
                case "NS" -> NS;
                default -> SOA;
            });
        }
    }

    @Test
    void dropsWhatWhoamiAdds() throws Exception {
        try (TestServer server = TestServer.start(". {\n whoami\n minimal\n}")) {
            Message reply = server.ask("example.org", Type.A);
            assertThat(reply.getRcode()).isEqualTo(org.xbill.DNS.Rcode.NOERROR);
            assertThat(TestServer.rows(reply, org.xbill.DNS.Section.ADDITIONAL)).isEmpty();
        }
    }

    @Test
    void takesNoArguments() throws Exception {
        assertThat(TestServer.errorsOf(". {\n minimal yes\n}")).singleElement().asString().startsWith("Corefile:2: ");
    }
}
