package dev.cairn.listen.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.TestServer;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Master;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

class MaxAgeTest {
    private static final String SOA = "SOA ns.a.org. admin.a.org. 1 2 3 4 5";

    /** What CoreDNS 1.15 sends for such replies; sections are divided by slashes, records by semicolons. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            NOERROR  | 60 A 10.0.0.1                                     | 60
            NOERROR  | 60 A 10.0.0.1;30 A 10.0.0.2                       | 30
            NOERROR  | 60 CNAME b.a.org. / 20 NS ns.a.org.               | 20
            NOERROR  | 60 A 10.0.0.1 // 10 A 10.0.0.3                    | 10
            NOERROR  | 0 A 10.0.0.1                                      | 0
            NOERROR  | 86400 A 10.0.0.1                                  | 3600
            NOERROR  | -                                                 | 5
            NOERROR  | / 300 SOA                                         | 300
            NOERROR  | / 300 NS ns.a.org.                                | 5
            NXDOMAIN | / 300 SOA                                         | 300
            NXDOMAIN | -                                                 | 5
            NXDOMAIN | 60 CNAME b.a.org. / 300 SOA                       | 5
            SERVFAIL | / 300 SOA                                         | 5
            REFUSED  | -                                                 | 5
            """)
    void isThatOfTheRecordThatLivesShortest(String rcode, String records, int seconds) throws Exception {
        Message reply = TestServer.query("a.org", Type.A);
        reply.getHeader().setFlag(Flags.QR);
        reply.getHeader().setRcode(Rcode.value(rcode));
        String[] sections = records == null ? new String[0] : records.split("/", -1);
        for (int i = 0; i < sections.length; i++) {
            for (String text : sections[i].split(";", -1)) {
                if (!text.isBlank()) {
                    reply.addRecord(record(text.strip().replaceAll("SOA$", SOA)), Section.ANSWER + i);
                }
            }
        }
        reply.addRecord(new OPTRecord(1232, 0, 0), Section.ADDITIONAL);
        byte[] wire = reply.toWire();
        assertThat(MaxAge.of(wire, wire.length)).isEqualTo(seconds);
    }

    private static Record record(String text) throws Exception {
        try (Master master = new Master(new ByteArrayInputStream(("a.org. " + text.replaceFirst(" ", " IN ") + "\n").getBytes(
                StandardCharsets.US_ASCII)), Name.root)) {
            return master.nextRecord();
        }
    }
}
