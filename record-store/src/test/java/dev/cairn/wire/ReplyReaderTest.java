package dev.cairn.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.wire.ReplyReader.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.DClass;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.ExtendedErrorCodeOption;
import org.xbill.DNS.ClientSubnetOption;
import org.xbill.DNS.CookieOption;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Replies are put together, and what was read is taken apart, by dnsjava. */
class ReplyReaderTest {
    private static final String[] ZONE = {
        "www.example.org. 300 CNAME web.example.org.", "web.example.org. 60 A 192.0.2.1", "web.example.org. 60 A 192.0.2.2",
        "web.example.org. 60 AAAA 2001:db8::1", "example.org. 600 MX 10 mail.example.org.", "example.org. 600 MX 20 backup.example.net.",
        "_http._tcp.example.org. 30 SRV 1 2 80 web.example.org.", "example.org. 900 SOA ns.example.org. root.example.org. 1 2 3 4 5",
        "example.org. 900 NS ns.example.org.", "example.org. 900 NS ns.example.net.", "1.2.0.192.in-addr.arpa. 7 PTR web.example.org.",
        "example.org. 5 TXT one two", "example.org. 6 HINFO cpu os", "example.org. 8 RP root.example.org. txt.example.org.",
        "example.org. 9 AFSDB 1 afs.example.org.", "example.org. 10 NAPTR 1 2 U SIP !a!b! sip.example.org.",
        "example.org. 11 KX 1 kx.example.org.", "sub.example.org. 12 DNAME other.example.org.",
        "example.org. 13 CAA 0 issue ca.example.org", "example.org. 14 RT 1 rt.example.org.", "example.org. 15 PX 1 a.example.org. b.example.org.",
        "example.org. 16 DS 1 8 2 " + "00".repeat(32)
    };

    private final ReplyReader reader = new ReplyReader();

    private static Message reply(String question, int type) {
        Message message = new Message(0x4321);
        message.getHeader().setFlag(Flags.QR);
        message.addRecord(Record.newRecord(Packet.name(question, Name.root), type, DClass.IN), Section.QUESTION);
        return message;
    }

    private static Message with(Message message, int section, String... records) {
        Reply.records(records).forEach(record -> message.addRecord(record, section));
        return message;
    }

    /** What a client gets that asked with OPT. */
    private Reply relayed(Message message) {
        return relayed(message, false);
    }

    private Reply relayed(Message message, boolean subnet) {
        Record question = message.getQuestion();
        QueryView query = Packet.ednsQuery(question.getName().toString(), question.getType()).opt(4096, 0, 0).view();
        Answer answer = Reply.answerTo(query);
        byte[] wire = message.toWire();
        assertThat(reader.read(wire, wire.length, query.wireName(), subnet, answer)).isEqualTo(Outcome.WHOLE);
        return Reply.of(query, answer, 0xffff);
    }

    @Test
    void everyTypeWithNamesComesThroughWhateverWasCompressed() {
        for (String row : ZONE) {
            Message message = with(reply("www.example.org.", Type.ANY), Section.ANSWER, row);
            relayed(message).has(Section.ANSWER, Reply.records(row));
        }
        relayed(with(reply("example.org.", Type.ANY), Section.ANSWER, ZONE)).has(Section.ANSWER, Reply.records(ZONE));
    }

    @Test
    void theQuestionsRecordsShareItsNameUnlessTheReplyIsToAnother() {
        byte[] wire = with(reply("www.example.org.", Type.A), Section.ANSWER, "www.example.org. 3 A 192.0.2.9").toWire();
        WireName same = WireName.parse("www.example.org.");
        assertThat(owner(wire, same)).isSameAs(same);
        assertThat(owner(wire, WireName.parse("other.example.org."))).isEqualTo(same).isNotSameAs(same);
    }

    private WireName owner(byte[] wire, WireName asked) {
        Answer answer = new Answer();
        assertThat(reader.read(wire, wire.length, asked, false, answer)).isEqualTo(Outcome.WHOLE);
        return answer.part(0).set().owner();
    }

    @Test
    void sectionsStayApartAndFlagsPass() {
        Message message = with(reply("example.org.", Type.MX), Section.ANSWER, ZONE[4], ZONE[5]);
        with(with(message, Section.AUTHORITY, ZONE[8], ZONE[9]), Section.ADDITIONAL, "mail.example.org. 3 A 192.0.2.9");
        for (int flag : new int[] {Flags.AA, Flags.RA, Flags.AD}) {
            message.getHeader().setFlag(flag);
        }
        message.getHeader().setRcode(3);
        Reply relayed = relayed(message);
        relayed.has(Section.ANSWER, Reply.records(ZONE[4], ZONE[5]));
        relayed.has(Section.AUTHORITY, Reply.records(ZONE[8], ZONE[9]));
        relayed.has(Section.ADDITIONAL, Reply.records("mail.example.org. 3 A 192.0.2.9"));
        assertThat(relayed.flags()).isEqualTo(HeaderFlag.QR | HeaderFlag.AA | HeaderFlag.RD | HeaderFlag.RA | HeaderFlag.AD | 3);
    }

    @Test
    void recordsOfTheQuestionAreAddedAsItsOwnAndASetIsOnePart() {
        Answer answer = new Answer();
        byte[] wire = with(reply("WEB.example.org.", Type.A), Section.ANSWER, ZONE[1], ZONE[2], ZONE[3]).toWire();
        assertThat(reader.read(wire, wire.length, null, false, answer)).isEqualTo(Outcome.WHOLE);
        assertThat(answer.size()).isEqualTo(2);
        assertThat(answer.part(0).forQuestion()).isTrue();
        assertThat(answer.part(0).set().count()).isEqualTo(2);
        assertThat(answer.part(0).set().owner()).hasToString("web.example.org.");
        assertThat(answer.part(1).set().type()).isEqualTo(Type.AAAA);
    }

    @Test
    void differentTtlsOfASetBecomeTheSmallestAndNegativeOnesZero() {
        relayed(with(reply("a.org.", Type.A), Section.ANSWER, "a.org. 60 A 192.0.2.1", "a.org. 30 A 192.0.2.2", "a.org. 90 A 192.0.2.3"))
                .has(Section.ANSWER, Reply.records("a.org. 30 A 192.0.2.1", "a.org. 30 A 192.0.2.2", "a.org. 30 A 192.0.2.3"));
        byte[] wire = with(reply("a.org.", Type.A), Section.ANSWER, "a.org. 60 A 192.0.2.1").toWire();
        wire[wire.length - 10] = (byte) 0x80;
        Answer answer = new Answer();
        assertThat(reader.read(wire, wire.length, null, false, answer)).isEqualTo(Outcome.WHOLE);
        assertThat(answer.part(0).ttl()).isZero();
    }

    @Test
    void extendedErrorsAndCodesPassAndHopByHopOptionsDoNot() {
        Message message = reply("a.org.", Type.A);
        message.getHeader().setRcode(23 & 15);
        message.addRecord(new OPTRecord(1232, 23 >> 4, 0, 0, List.of(new ExtendedErrorCodeOption(22, "no reachable authority"),
                new CookieOption(new byte[8], new byte[8]), new ClientSubnetOption(24, 16, Reply.address("192.0.2.0")))), Section.ADDITIONAL);
        Reply plain = relayed(message);
        assertThat(plain.message().getRcode()).isEqualTo(23);
        assertThat(plain.opt().getOptions()).extracting(EDNSOption::getCode).containsExactly(15);
        assertThat(relayed(message, true).opt().getOptions()).extracting(EDNSOption::getCode).containsExactly(15, 8);
    }

    @Test
    void aTruncatedReplyGivesWhatIsWholeInIt() {
        Message message = with(reply("web.example.org.", Type.A), Section.ANSWER, ZONE[1], ZONE[2]);
        message.getHeader().setFlag(Flags.TC);
        byte[] wire = message.toWire();
        Answer answer = new Answer();
        assertThat(reader.read(wire, wire.length - 3, null, false, answer)).isEqualTo(Outcome.TRUNCATED);
        assertThat(answer.part(0).set().count()).isEqualTo(1);
        assertThat(answer.flags() & HeaderFlag.TC).isNotZero();
    }

    @Test
    void whatIsNoReplyIsRefused() {
        byte[] good = with(reply("www.example.org.", Type.A), Section.ANSWER, ZONE[0], ZONE[1]).toWire();
        assertThat(outcome(good, good.length)).isEqualTo(Outcome.WHOLE);
        for (int cut = 0; cut < good.length; cut++) {
            assertThat(outcome(good, cut)).as("cut at %s", cut).isEqualTo(Outcome.MALFORMED);
        }
        byte[] query = good.clone();
        query[2] = 0;
        assertThat(outcome(query, query.length)).as("a query").isEqualTo(Outcome.MALFORMED);
        byte[] two = good.clone();
        two[5] = 2;
        assertThat(outcome(two, two.length)).as("two questions").isEqualTo(Outcome.MALFORMED);
    }

    @Test
    void pointersThatLeadForwardRoundOrIntoTheHeaderAreRefused() {
        int owner = Packet.query("a.org.", 1).toBytes().length;
        for (int target : new int[] {owner, owner + 1, owner + 2, 0, 4, 11, 0x3fff}) {
            byte[] wire = Packet.header(0x8000, 1, 1, 0, 0).name("a.org.").u16(1, 1).u16(0xc000 | target, 1, 1, 0, 0, 4).u8(1, 2, 3, 4).toBytes();
            assertThat(outcome(wire, wire.length)).as("pointer to %s", target).isEqualTo(Outcome.MALFORMED);
        }
        byte[] label = Packet.header(0x8000, 1, 1, 0, 0).name("a.org.").u16(1, 1).u8(1, 'x').u16(0xc000 | owner, 1, 1, 0, 0, 0).toBytes();
        assertThat(outcome(label, label.length)).as("pointer to the labels before it").isEqualTo(Outcome.MALFORMED);
    }

    @Test
    void namesThatGetTooLongByPointersAreRefused() {
        Packet packet = Packet.header(0x8000, 1, 2, 0, 0).label(63, 'a').label(63, 'b').label(63, 'c').u8(0).u16(1, 1);
        packet.label(60, 'd').u16(0xc00c, 1, 1, 0, 0, 0);
        assertThat(outcome(packet.toBytes(), packet.toBytes().length)).isEqualTo(Outcome.MALFORMED);
        byte[] fits = Packet.header(0x8000, 1, 1, 0, 0).label(63, 'a').label(63, 'b').label(63, 'c').u8(0).u16(1, 1)
                .label(60, 'd').u16(0xc00c, 16, 1, 0, 0, 0).toBytes();
        assertThat(outcome(fits, fits.length)).isEqualTo(Outcome.WHOLE);
    }

    @Test
    void optInTheWrongPlaceOrTwiceIsRefused() {
        byte[] twice = Packet.header(0x8000, 0, 0, 0, 2).opt(512, 0, 0).opt(512, 0, 0).toBytes();
        assertThat(outcome(twice, twice.length)).isEqualTo(Outcome.MALFORMED);
        byte[] inAnswer = Packet.header(0x8000, 0, 1, 0, 0).opt(512, 0, 0).toBytes();
        assertThat(outcome(inAnswer, inAnswer.length)).isEqualTo(Outcome.MALFORMED);
        byte[] cutOption = Packet.header(0x8000, 0, 0, 0, 1).opt(512, 0, 0, 0, 15, 0, 9, 0).toBytes();
        assertThat(outcome(cutOption, cutOption.length)).isEqualTo(Outcome.MALFORMED);
    }

    private Outcome outcome(byte[] wire, int length) {
        byte[] longer = Arrays.copyOf(wire, wire.length + 16);
        Arrays.fill(longer, length, longer.length, (byte) 0xc0);
        return reader.read(longer, length, null, true, new Answer());
    }

    /** Whatever is read can be written, and no bytes make the reader or the encoder throw. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void noBytesDoHarm(long seed) {
        Random random = new Random(seed);
        QueryView query = Packet.ednsQuery("www.example.org.", Type.A).opt(4096, 0, 0).view();
        Answer answer = new Answer();
        AnswerEncoder encoder = new AnswerEncoder();
        byte[] out = new byte[0xffff];
        for (int round = 0; round < 20_000; round++) {
            Message message = reply("www.example.org.", Type.A);
            List<String> rows = new ArrayList<>();
            for (int i = random.nextInt(6); i > 0; i--) {
                rows.add(ZONE[random.nextInt(ZONE.length)]);
            }
            byte[] wire = with(message, 1 + random.nextInt(3), rows.toArray(String[]::new)).toWire();
            for (int i = random.nextInt(8); i > 0; i--) {
                wire[random.nextInt(wire.length)] = (byte) (random.nextInt(3) == 0 ? 0xc0 : random.nextInt(256));
            }
            answer.reset(query);
            int length = random.nextInt(4) == 0 ? random.nextInt(wire.length) : wire.length;
            if (reader.read(wire, length, null, true, answer) != Outcome.MALFORMED) {
                int size = encoder.encode(query, answer, out, 512 + random.nextInt(2000));
                assertThat(size).isPositive();
            }
        }
    }
}
