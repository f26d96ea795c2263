package dev.cairn.plugin.bufsize;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.TestServer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

class BufsizeTest {
    /** The reply is one TXT record, so that it either fits or is truncated. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            bufsize                | 4096 | 1100 | false
            bufsize                | 4096 | 1300 | true
            bufsize 4096           | 4096 | 3900 | false
            bufsize 600            | 4096 |  500 | false
            bufsize 600            | 4096 |  700 | true
            bufsize 4096           | 1000 | 1100 | true
            bufsize 600;bufsize    | 4096 |  700 | true
            bufsize 512            |    0 |  600 | true
            """)
    void lowersTheSizeOfUdpReplies(String directive, int clientSize, int text, boolean truncated) throws Exception {
        try (TestServer server = TestServer.start(". {\n" + directive.replace(';', '\n') + "\n chaos " + "v".repeat(text) + "\n}")) {
            Message query = Message.newQuery(Record.newRecord(Name.fromString("version.bind."), Type.TXT, DClass.CH));
            if (clientSize > 0) {
                query.addRecord(new OPTRecord(clientSize, 0, 0), Section.ADDITIONAL);
            }
            Message reply = server.ask(query, false);
            assertThat(reply.getHeader().getFlag(Flags.TC)).isEqualTo(truncated);
            assertThat(TestServer.answers(reply)).hasSize(truncated ? 0 : 1);
            assertThat(TestServer.answers(server.ask(query, true))).hasSize(1);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            bufsize 511            | "511" is not a whole number from 512 to 4096
            bufsize 4097           | "4097" is not a whole number from 512 to 4096
            bufsize big            | "big" is not a whole number from 512 to 4096
            bufsize 512 512        | wants at most 1 argument, got 2; write: bufsize [SIZE]
            """)
    void saysWhatIsWrongAndWhatToWrite(String directive, String message) throws Exception {
        assertThat(TestServer.errorsOf(". {\n" + directive + "\n}")).singleElement().asString()
                .startsWith("Corefile:2: plugin/bufsize").contains(message);
    }
}
