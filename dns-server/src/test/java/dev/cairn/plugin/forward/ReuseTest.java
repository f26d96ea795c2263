package dev.cairn.plugin.forward;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.listen.Engines;
import dev.cairn.testing.RawClient;
import dev.cairn.testing.ScriptedUpstream;
import dev.cairn.testing.TestServer;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.Message;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Exchanges go from one client's query to another's; nothing of the first may go with them. */
@Timeout(300)
class ReuseTest {
    private static final int QUERIES = 4_000;
    private static final int WINDOW = 50;

    /** An address that says which name it is of. */
    private static String address(int number) {
        return "10.0." + number / 256 + "." + number % 256;
    }

    private static Message query(int number) throws Exception {
        Message query = TestServer.query("n" + number + ".Reuse.example", Type.A);
        query.getHeader().setID(number);
        return query;
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "cache", "cache\n cancel 1m"})
    void everyClientGetsTheAnswerToItsOwnQuestion(String above) throws Exception {
        ScriptedUpstream.Script script = asked -> {
            int number = Integer.parseInt(asked.name().substring(1, asked.name().indexOf('.')));
            return List.of(asked.reply(asked.name() + " 60 A " + address(number)).toWire());
        };
        try (ScriptedUpstream upstream = ScriptedUpstream.start(script);
                TestServer server = TestServer.start(". {\n " + above + "\n forward . " + upstream.address() + "\n}", Engines.Choice.FFM);
                RawClient even = RawClient.to(server);
                RawClient odd = RawClient.to(server)) {
            List<RawClient> clients = List.of(even, odd);
            for (int sent = 0; sent < QUERIES; sent += WINDOW) {
                for (int i = sent; i < sent + WINDOW; i++) {
                    clients.get(i % 2).send(false, query(i).toWire());
                }
                for (int i = sent; i < sent + WINDOW; i++) {
                    Message reply = new Message(clients.get(i % 2).receive(false));
                    int number = reply.getHeader().getID();
                    assertThat(number % 2).as("whose").isEqualTo(i % 2);
                    assertThat(reply.getQuestion()).isEqualTo(query(number).getQuestion());
                    assertThat(reply.getSection(Section.ANSWER)).singleElement().asString().endsWith("\t" + address(number));
                }
            }
        }
    }
}
