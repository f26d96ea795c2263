package dev.cairn.plugin.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.FinishHook;
import dev.cairn.chain.Step;
import dev.cairn.testing.TestChain;
import dev.cairn.testing.TestServer;
import dev.cairn.wire.AddressText;
import dev.cairn.wire.Answer;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.Rdata;
import dev.cairn.wire.WireName;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.Type;

class LineFormatTest {
    /** As Go's strconv prints the seconds of a time.Duration. */
    @ParameterizedTest
    @CsvSource({
        "74304,0.000074304", "1,0.000000001", "0,0", "286340,0.00028634", "1000000000,1", "1500000000,1.5", "12000000001,12.000000001"
    })
    void secondsHaveTheDigitsTheyNeed(long nanos, String text) {
        assertThat(LineFormat.appendSeconds(new StringBuilder(), nanos)).hasToString(text);
    }

    /** RFC 5952 section 4, and 2.2 for what must be understood but not written. */
    @ParameterizedTest
    @CsvSource({
        "127.0.0.1,127.0.0.1", "255.1.0.10,255.1.0.10", "::1,[::1]", "::,[::]", "2001:db8:0:0:0:0:2:1,[2001:db8::2:1]",
        "2001:db8:0:1:1:1:1:1,[2001:db8:0:1:1:1:1:1]", "2001:0:0:1:0:0:0:1,[2001:0:0:1::1]", "2001:db8:0:0:1:0:0:1,[2001:db8::1:0:0:1]",
        "fe80:0:0:0:0:0:0:0,[fe80::]", "2001:DB8::ABCD,[2001:db8::abcd]", "0:0:1:0:0:0:0:0,[0:0:1::]"
    })
    void addressesAreShort(String address, String text) throws Exception {
        byte[] bytes = InetAddress.ofLiteral(address).getAddress();
        StringBuilder out = new StringBuilder();
        AddressText.appendBracketed(out, bytes, bytes.length);
        assertThat(out).hasToString(text);
    }

    /** Answers with the wanted records, and tells the type of its reply. */
    private static final class Answering implements FinishHook {
        private final int rcode;
        private final String sections;
        private String seen = "";

        Answering(int rcode, String sections) {
            this.rcode = rcode;
            this.sections = sections;
        }

        @Override
        public String name() {
            return "answering";
        }

        @Override
        public Step query(Exchange exchange) {
            WireName owner = WireName.parse("example.org");
            exchange.answer().rcode(rcode);
            if (sections.contains("answer")) {
                exchange.answer().addForQuestion(Rdata.single(owner, DnsType.A, 5, new byte[4]));
            }
            if (sections.contains("ns")) {
                exchange.answer().add(Answer.Section.AUTHORITY, Rdata.single(owner, DnsType.NS, 5, new byte[1]));
            }
            if (sections.contains("soa")) {
                exchange.answer().add(Answer.Section.AUTHORITY, Rdata.single(owner, DnsType.SOA, 5, new byte[22]));
            }
            return Step.ANSWERED;
        }

        @Override
        public void finished(Exchange exchange) {
            ResponseType type = ResponseType.of(exchange);
            seen = type + " " + type.responseClass().word();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "A,0,answer,NOERROR success", "A,0,,NOERROR success", "A,0,soa,NODATA denial", "A,0,ns soa,NODATA denial",
        "A,0,ns,DELEGATION success", "A,0,answer ns soa,NOERROR success",
        "A,3,soa,NXDOMAIN denial", "A,3,,NXDOMAIN denial", "A,3,answer,OTHERERROR error",
        "A,2,,SERVERERROR error", "A,4,,SERVERERROR error", "A,5,,OTHERERROR error", "A,1,,OTHERERROR error", "AXFR,0,answer,META error"
    })
    void repliesAreOfTheTypesThatCoreDnsTellsApart(String type, int rcode, String sections, String seen) throws Exception {
        Answering answering = new Answering(rcode, sections == null ? "" : sections);
        try (TestChain chain = new TestChain("", List.of(), answering)) {
            assertThat(chain.ask(TestServer.query("example.org", Type.value(type))).getRcode()).isEqualTo(rcode);
            assertThat(answering.seen).isEqualTo(seen);
        }
    }
}
