package dev.cairn.plugin.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.plugin.HostName;
import dev.cairn.testing.TestServer;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.TXTRecord;
import org.xbill.DNS.Type;

class ChaosTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            chaos DNS-001 zoe al zoe | version.bind.   | version.bind. DNS-001
            chaos DNS-001 zoe al zoe | Version.Server. | Version.Server. DNS-001
            chaos DNS-001 zoe al zoe | authors.bind.   | authors.bind. al;authors.bind. zoe
            chaos DNS-001            | authors.bind.   | authors.bind. The Cairn authors
            chaos                    | hostname.bind.  | hostname.bind. HOST
            chaos                    | id.server.      | id.server. HOST
            """)
    void answersTheNamesItKnows(String directive, String name, String rows) throws Exception {
        try (TestServer server = TestServer.start(". {\n " + directive + "\n whoami\n}")) {
            Message reply = server.ask(query(name, Type.TXT, DClass.CH), false);
            assertThat(reply.getRcode()).isEqualTo(Rcode.NOERROR);
            assertThat(reply.getHeader().getFlag(Flags.AA)).isFalse();
            assertThat(texts(reply)).containsExactly(rows.replace("HOST", HostName.get()).split(";"));
        }
    }

    @Test
    void tellsItsOwnVersionByDefault() throws Exception {
        try (TestServer server = TestServer.start(". {\n chaos\n}")) {
            assertThat(texts(server.ask(query("version.bind.", Type.TXT, DClass.CH), true))).singleElement().asString()
                    .matches("version\\.bind\\. Cairn-[0-9]+\\.[0-9]+\\.[0-9]+");
        }
    }

    @ParameterizedTest
    @CsvSource({"version.bind.,TXT,HS,REFUSED", "version.bind.,A,CH,REFUSED", "other.bind.,TXT,CH,REFUSED", "version.bind.,TXT,IN,NOERROR"})
    void leavesOtherQuestionsToOthersButNoneOfItsClass(String name, String type, String dnsClass, String rcode) throws Exception {
        try (TestServer server = TestServer.start(". {\n chaos\n whoami\n}")) {
            Message reply = server.ask(query(name, Type.value(type), DClass.value(dnsClass.toUpperCase(Locale.ROOT))), false);
            assertThat(Rcode.string(reply.getRcode())).isEqualTo(rcode);
            assertThat(TestServer.answers(reply)).isEmpty();
        }
    }

    @Test
    void longTextIsSentWhole() throws Exception {
        try (TestServer server = TestServer.start(". {\n chaos " + "v".repeat(300) + "\n}")) {
            assertThat(texts(server.ask(query("version.bind.", Type.TXT, DClass.CH), false)))
                    .containsExactly("version.bind. " + "v".repeat(255) + "," + "v".repeat(45));
        }
    }

    @Test
    void takesNoBlock() throws Exception {
        assertThat(TestServer.errorsOf(". {\n chaos {\n version 1\n }\n}")).singleElement().asString()
                .startsWith("Corefile:3: plugin/chaos: unknown property \"version\"");
    }

    /** Owner and strings of each record, which must be a TXT of class CH with TTL 0. */
    private static List<String> texts(Message reply) {
        return reply.getSection(Section.ANSWER).stream().map(record -> {
            assertThat(record.getDClass()).isEqualTo(DClass.CH);
            assertThat(record.getTTL()).isZero();
            return record.getName() + " " + String.join(",", ((TXTRecord) record).getStrings());
        }).toList();
    }

    private static Message query(String name, int type, int dnsClass) throws Exception {
        return Message.newQuery(Record.newRecord(Name.fromString(name), type, dnsClass));
    }
}
