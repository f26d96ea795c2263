package dev.cairn.listen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.RawClient;
import dev.cairn.testing.TestServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.xbill.DNS.DClass;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.Flags;
import org.xbill.DNS.GenericEDNSOption;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Opcode;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** The protocol's rules as a client sees them, on every engine, over UDP and TCP. */
class ProtocolTest {
    private static final int ID = 0x1234;
    private static final List<TestServer> SERVERS = new java.util.ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        for (Engines.Choice engine : List.of(Engines.Choice.FFM, Engines.Choice.EPOLL, Engines.Choice.NIO)) {
            SERVERS.add(TestServer.start("example.org {\n whoami\n}\nsub.example.org {\n whoami\n}", engine));
        }
    }

    @AfterAll
    static void stop() {
        SERVERS.reversed().forEach(TestServer::close);
    }

    record Case(String name, String hex, int rcode) {
        static Case of(String name, byte[] packet, int rcode) {
            return new Case(name, HexFormat.of().formatHex(packet), rcode);
        }

        byte[] packet() {
            return HexFormat.of().parseHex(hex);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static Message query(String name, int type, int dnsClass) throws IOException {
        Message query = Message.newQuery(Record.newRecord(Name.fromString(name), type, dnsClass));
        query.getHeader().setID(ID);
        return query;
    }

    private static byte[] with(Message query, Record... additional) {
        for (Record record : additional) {
            query.addRecord(record, Section.ADDITIONAL);
        }
        return query.toWire();
    }

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text.replace(" ", ""));
    }

    private static byte[] opcode(int opcode) throws IOException {
        Message message = query("example.org.", Type.SOA, DClass.IN);
        message.getHeader().setOpcode(opcode);
        return message.toWire();
    }

    private static Message notifyMessage() throws IOException {
        Message message = query("example.org.", Type.SOA, DClass.IN);
        message.getHeader().setOpcode(Opcode.NOTIFY);
        return message;
    }

    private static byte[] join(byte[] first, byte[] second) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        joined.writeBytes(first);
        joined.writeBytes(second);
        return joined.toByteArray();
    }

    private static byte[] longName() {
        ByteArrayOutputStream packet = new ByteArrayOutputStream();
        packet.writeBytes(hex("1234 0100 0001 0000 0000 0000"));
        for (int i = 0; i < 5; i++) {
            packet.write(60);
            packet.writeBytes(new byte[60]);
        }
        packet.writeBytes(hex("00 0001 0001"));
        return packet.toByteArray();
    }

    static Stream<Case> rejected() throws IOException {
        OPTRecord opt = new OPTRecord(1232, 0, 0);
        byte[] plain = query("example.org.", Type.A, DClass.IN).toWire();
        return Stream.of(
                Case.of("status opcode", opcode(Opcode.STATUS), Rcode.NOTIMP),
                Case.of("notify", opcode(Opcode.NOTIFY), Rcode.NOTIMP),
                Case.of("update", opcode(Opcode.UPDATE), Rcode.NOTIMP),
                Case.of("notify with OPT", with(notifyMessage(), opt), Rcode.NOTIMP),
                Case.of("no question with OPT", hex("1234 0100 0000 0000 0000 0001 00 0029 04d0 0000 0000 0000"), Rcode.FORMERR),
                Case.of("no question", hex("1234 0100 0000 0000 0000 0000"), Rcode.FORMERR),
                Case.of("two questions", hex("1234 0100 0002 0000 0000 0000 0161 00 0001 0001 0162 00 0001 0001"), Rcode.FORMERR),
                Case.of("label longer than the packet", hex("1234 0100 0001 0000 0000 0000 3f61 00 0001 0001"), Rcode.FORMERR),
                Case.of("reserved label type", hex("1234 0100 0001 0000 0000 0000 4161 00 0001 0001"), Rcode.FORMERR),
                Case.of("pointer in the question", hex("1234 0100 0001 0000 0000 0000 c00c 0001 0001"), Rcode.FORMERR),
                Case.of("name over 255 bytes", longName(), Rcode.FORMERR),
                Case.of("two OPTs", with(query("example.org.", Type.A, DClass.IN), opt, opt), Rcode.FORMERR),
                Case.of("garbage after the message", join(plain, hex("dead beef")), Rcode.FORMERR),
                Case.of("header alone claims a question", hex("1234 0100 0001 0000 0000 0000"), Rcode.FORMERR),
                Case.of("EDNS version 1", with(query("example.org.", Type.A, DClass.IN), new OPTRecord(1232, 0, 1)), Rcode.BADVERS),
                Case.of("no such zone", query("example.net.", Type.A, DClass.IN).toWire(), Rcode.REFUSED),
                Case.of("root without a root zone", query(".", Type.NS, DClass.IN).toWire(), Rcode.REFUSED),
                Case.of("zone's name as the end of a label", query("notexample.org.", Type.A, DClass.IN).toWire(), Rcode.REFUSED),
                Case.of("class CH without chaos", query("example.org.", Type.TXT, DClass.CH).toWire(), Rcode.REFUSED),
                Case.of("class ANY", query("example.org.", Type.A, DClass.ANY).toWire(), Rcode.REFUSED));
    }

    private static Stream<Arguments> everywhere(Stream<Case> cases) {
        return cases.flatMap(one -> SERVERS.stream().flatMap(server -> Stream.of(false, true).map(tcp -> Arguments.of(one, engine(server), tcp))));
    }

    private static int engine(TestServer server) {
        return SERVERS.indexOf(server);
    }

    static Stream<Arguments> rejectedEverywhere() throws IOException {
        return everywhere(rejected());
    }

    @ParameterizedTest
    @MethodSource("rejectedEverywhere")
    void rejectsPolitely(Case one, int engine, boolean tcp) throws IOException {
        try (RawClient client = RawClient.to(SERVERS.get(engine))) {
            Message reply = new Message(client.ask(tcp, one.packet()));
            assertThat(reply.getHeader().getID()).isEqualTo(ID);
            assertThat(reply.getHeader().getFlag(Flags.QR)).isTrue();
            assertThat(reply.getHeader().getFlag(Flags.AA)).isFalse();
            assertThat(reply.getHeader().getFlag(Flags.RD)).isTrue();
            assertThat(Rcode.string(reply.getRcode()).toLowerCase(Locale.ROOT)).isEqualTo(Rcode.string(one.rcode()).toLowerCase(Locale.ROOT));
            assertThat(reply.getSection(Section.ANSWER)).isEmpty();
            if (one.rcode() == Rcode.BADVERS || one.name().contains("with OPT")) {
                assertThat(reply.getOPT()).as("RFC 6891 section 6.1.1").isNotNull().extracting(OPTRecord::getVersion).isEqualTo(0);
            }
        }
    }

    static Stream<Arguments> droppedEverywhere() throws IOException {
        Message response = query("example.org.", Type.A, DClass.IN);
        response.getHeader().setFlag(Flags.QR);
        return everywhere(Stream.of(
                Case.of("a response", response.toWire(), 0),
                Case.of("eleven bytes", hex("1234 0100 0001 0000 0000 00"), 0),
                Case.of("nothing", new byte[0], 0)));
    }

    /** What must not be answered is followed by a proper query: its reply must be the first thing that comes, or TCP be closed. */
    @ParameterizedTest
    @MethodSource("droppedEverywhere")
    void answersNothingToWhatIsNoQuery(Case one, int engine, boolean tcp) throws IOException {
        Message proper = query("example.org.", Type.A, DClass.IN);
        proper.getHeader().setID(0x4321);
        try (RawClient client = RawClient.to(SERVERS.get(engine))) {
            try {
                client.send(tcp, one.packet());
                client.send(tcp, proper.toWire());
                assertThat(new Message(client.receive(tcp)).getHeader().getID()).isEqualTo(0x4321);
            } catch (java.io.EOFException | java.net.SocketException e) {
                assertThat(tcp).as("only a TCP connection may be closed").isTrue();
            }
        }
    }

    static Stream<Arguments> engines() {
        return SERVERS.stream().flatMap(server -> Stream.of(false, true).map(tcp -> Arguments.of(engine(server), tcp)));
    }

    @ParameterizedTest
    @MethodSource("engines")
    void keepsSpellingMirrorsFlagsAndIgnoresUnknownOptions(int engine, boolean tcp) throws IOException {
        EDNSOption unknown = new GenericEDNSOption(65001, new byte[] {1, 2, 3});
        Message query = query("wWw.eXample.ORG.", Type.A, DClass.IN);
        query.getHeader().setFlag(Flags.CD);
        query.getHeader().setFlag(Flags.AD);
        try (RawClient client = RawClient.to(SERVERS.get(engine))) {
            Message reply = new Message(client.ask(tcp, with(query, new OPTRecord(4096, 0, 0, 0x8000, List.of(unknown)))));
            assertThat(reply.getRcode()).isEqualTo(Rcode.NOERROR);
            assertThat(reply.getQuestion().getName()).hasToString("wWw.eXample.ORG.");
            assertThat(reply.getHeader().getFlag(Flags.CD)).isTrue();
            assertThat(reply.getHeader().getFlag(Flags.AD)).isFalse();
            assertThat(reply.getOPT().getOptions()).isEmpty();
            assertThat(reply.getOPT().getFlags() & 0x8000).isNotZero();
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void pipelinedQueriesAreAllAnswered(int engine, boolean tcp) throws IOException {
        try (RawClient client = RawClient.to(SERVERS.get(engine))) {
            for (int id = 1; id <= 200; id++) {
                Message query = query("example.org.", Type.A, DClass.IN);
                query.getHeader().setID(id);
                client.send(tcp, query.toWire());
            }
            java.util.Set<Integer> ids = new java.util.TreeSet<>();
            for (int i = 0; i < 200; i++) {
                ids.add(new Message(client.receive(tcp)).getHeader().getID());
            }
            assertThat(ids).hasSize(200);
        }
    }
}
