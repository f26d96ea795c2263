package dev.cairn.plugin.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.ScriptedUpstream;
import dev.cairn.testing.TestServer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Options that rules set get to the servers above, and to nobody else. */
class RewriteForwardTest {
    private static final ScriptedUpstream.Script ECHO = asked -> {
        Message reply = asked.reply(asked.name() + " 60 A 192.0.2.1");
        reply.addRecord(new OPTRecord(1232, 0, 0, 0, asked.query().getOPT().getOptions()), Section.ADDITIONAL);
        return List.of(reply.toWire());
    };

    private static TestServer serving(ScriptedUpstream upstream, String... rules) throws Exception {
        return TestServer.start(". {\n rewrite continue edns0 " + String.join("\n rewrite continue edns0 ", rules) + "\n cache\n forward . "
                + upstream.address() + " {\n read_timeout 1h\n }\n}");
    }

    private static List<String> options(ScriptedUpstream upstream) {
        return upstream.asked().getLast().query().getOPT().getOptions().stream().map(EDNSOption::toString).toList();
    }

    @Test
    void theUpstreamGetsTheOptionsOfRulesAndTheClientNone() throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(ECHO);
                TestServer server = serving(upstream, "local set 0xffee 0x61626364", "local append 0xffef {qname}", "nsid set", "subnet set 24 56")) {
            Message query = TestServer.query("a.org.", Type.A);
            query.addRecord(new OPTRecord(1232, 0, 0), Section.ADDITIONAL);
            Message reply = server.ask(query, false);
            assertThat(TestServer.answers(reply)).hasSize(1);
            assertThat(reply.getOPT().getOptions()).isEmpty();
            assertThat(upstream.asked().getFirst().query().getOPT().getOptions())
                    .extracting(EDNSOption::getCode).containsExactlyInAnyOrder(0xffee, 0xffef, 3, 8);
            assertThat(options(upstream)).anyMatch(text -> text.contains("127.0.0.0/24"));
        }
    }

    @Test
    void anAnswerThatMayBeForOneClientOnlyIsNotKept() throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(ECHO); TestServer server = serving(upstream, "local set 0xffee {client_port}")) {
            server.ask("a.org.", Type.A);
            List<String> first = options(upstream);
            server.ask("a.org.", Type.A);
            assertThat(upstream.asked()).hasSize(2);
            assertThat(options(upstream)).isNotEqualTo(first);
        }
    }

    @Test
    void anOptionThatAllClientsGetLeavesTheAnswerForAll() throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(ECHO); TestServer server = serving(upstream, "local set 0xffee tenant")) {
            server.ask("a.org.", Type.A);
            server.ask("a.org.", Type.A);
            assertThat(upstream.asked()).hasSize(1);
        }
    }
}
