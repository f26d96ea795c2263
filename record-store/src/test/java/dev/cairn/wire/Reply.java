package dev.cairn.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Header;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;

/** An encoded answer as dnsjava reads it. */
final class Reply {
    private final byte[] bytes;
    private final Message message;

    private Reply(byte[] bytes, Message message) {
        this.bytes = bytes;
        this.message = message;
    }

    byte[] bytes() {
        return bytes;
    }

    Message message() {
        return message;
    }

    /** Encodes into an array of exactly {@code limit} bytes, so that one byte too many is an exception, and parses. */
    static Reply of(QueryView query, Answer answer, int limit) {
        byte[] out = new byte[limit];
        Arrays.fill(out, (byte) 0xc0);
        int length = new AnswerEncoder().encode(query, answer, out, limit);
        assertThat(length).isLessThanOrEqualTo(limit);
        return parse(Arrays.copyOf(out, length));
    }

    /** Parses all of it; dnsjava forgives missing records if TC is set, so they are counted. */
    static Reply parse(byte[] bytes) {
        try {
            Message message = new Message(bytes);
            assertThat(message.numBytes()).isEqualTo(bytes.length);
            Header header = message.getHeader();
            for (int section = Section.QUESTION; section <= Section.ADDITIONAL; section++) {
                assertThat(message.getSection(section)).hasSize(header.getCount(section));
            }
            return new Reply(bytes, message);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean truncated() {
        return message.getHeader().getFlag(Flags.TC);
    }

    int flags() {
        return Bytes.u16(bytes, 2);
    }

    OPTRecord opt() {
        return message.getOPT();
    }

    /** The records of a section without OPT. */
    List<Record> section(int section) {
        return message.getSection(section).stream().filter(r -> r.getType() != Type.OPT).toList();
    }

    /** Expects the records in this order, TTLs included (which equality of dnsjava's records leaves out). */
    void has(int section, List<Record> expected) {
        assertThat(section(section)).isEqualTo(expected);
        assertThat(section(section)).extracting(Record::getTTL).isEqualTo(expected.stream().map(Record::getTTL).toList());
    }

    /** A record from master file text, made by dnsjava: {@code "www.example.org. 30 A 192.0.2.1"}. */
    static Record record(String text) {
        String[] fields = text.split(" ", 4);
        try {
            return Record.fromString(
                    Name.fromString(fields[0], Name.root), Type.value(fields[2]), 1, Long.parseLong(fields[1]), fields[3], Name.root);
        } catch (TextParseException e) {
            throw new IllegalArgumentException(text, e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static InetAddress address(String text) {
        return InetAddress.ofLiteral(text);
    }

    static List<Record> records(String... texts) {
        return Arrays.stream(texts).map(Reply::record).toList();
    }

    /** Our set of dnsjava's records, which must have one owner, type and TTL. */
    static RrSet set(List<Record> records) {
        Record first = records.get(0);
        return RrSet.of(
                WireName.parse(first.getName().toString()),
                first.getType(),
                first.getDClass(),
                (int) first.getTTL(),
                records.stream().map(Record::rdataToWireCanonical).toList());
    }

    static RrSet set(String... texts) {
        return set(records(texts));
    }

    static Answer answerTo(QueryView query) {
        Answer answer = new Answer();
        answer.reset(query);
        return answer;
    }
}
