package dev.cairn.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/**
 * One question and its answer.
 *
 * @param source as it stands in the file
 * @param upstream what CoreDNS answers
 * @param right what is to be answered: the same, except where CoreDNS departs from the RFCs
 */
record Case(String id, Map<String, Object> source, Map<String, Object> query, Expectation upstream, Expectation right) {
    boolean quirk() {
        return Boolean.TRUE.equals(source.get("quirk"));
    }

    /** Whether it is to be asked over this transport; most cases say nothing and are asked over each. */
    boolean asks(Transport transport) {
        String only = Facts.text(query, "transport");
        return only.isEmpty() || only.equalsIgnoreCase(transport.name());
    }

    /** The address to ask from; empty if it does not matter. */
    String from() {
        return Facts.text(query, "from");
    }

    int type() {
        return Type.value(Facts.text(query, "type"));
    }

    /** The query without OPT, as the conventions of the file say. */
    Message message(DnsClient client) throws IOException {
        Name name = Name.fromString(Facts.text(query, "name"), Name.root);
        int dclass = query.containsKey("class") ? DClass.value(Facts.text(query, "class")) : DClass.IN;
        Message message = Message.newQuery(Record.newRecord(name, type(), dclass));
        if (source.containsKey("client_serial")) {
            long serial = Facts.text(source, "client_serial").equals("current") ? currentSerial(client, name) : 1;
            message.addRecord(new SOARecord(name, DClass.IN, 0, name, name, serial, 0, 0, 0, 0), Section.AUTHORITY);
        }
        return message;
    }

    private static long currentSerial(DnsClient client, Name zone) throws IOException {
        Message reply = client.ask(Message.newQuery(Record.newRecord(zone, Type.SOA, DClass.IN)), Transport.UDP);
        return ((SOARecord) reply.getSection(Section.ANSWER).getFirst()).getSerial();
    }

    /**
     * Asks, and fails if the reply is not what is expected.
     *
     * @param other whether another server is asked, to judge the expectations
     */
    void ask(SuiteServer server, Transport transport, boolean other) throws IOException {
        DnsClient client = server.client(from());
        Message query = message(client);
        Message reply = client.ask(query, transport);
        assertThat(reply.getHeader().getID()).as("id").isEqualTo(query.getHeader().getID());
        assertThat(reply.getHeader().getFlag(Flags.QR)).as("is a reply").isTrue();
        assertThat(reply.getQuestion()).as("question").isEqualTo(query.getQuestion());
        if (!other) { // CoreDNS's acl sends one
            assertThat(reply.getOPT()).as("an OPT that was not asked for (RFC 6891 section 6.1.1)").isNull();
        }
        Expectation expected = other ? upstream : right;
        assertThat(expected.differences(reply)).as("%s%n%s%nin the reply%n%s", id, source.get("about"), reply).isEmpty();
    }
}
