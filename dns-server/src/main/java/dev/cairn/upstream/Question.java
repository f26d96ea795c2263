package dev.cairn.upstream;

import dev.cairn.wire.AnswerEncoder;
import dev.cairn.wire.Bytes;
import dev.cairn.wire.DnsClass;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.EdnsOption;
import dev.cairn.wire.HeaderFlag;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.WireName;
import java.util.Arrays;

/**
 * What an upstream is asked: all of a client's query that concerns the answer, and nothing that was between client and us. Equal questions
 * have equal answers. Immutable.
 */
public final class Question {
    /** More than any question needs, padding included. */
    static final int MAX_SIZE = 1024;

    /** The size that encrypted queries are padded to a multiple of (RFC 8467 section 4.1). */
    private static final int PADDED_TO = 128;

    /** Family, two prefix lengths, and an address (RFC 7871 section 6). */
    private static final int MAX_SUBNET = 20;

    /** Code and length, before the data. */
    private static final int OPTION_HEAD = 4;

    /** The most that options may take, so that a question with the longest name and padding has room. */
    private static final int MAX_OPTIONS = 512;

    private static final int PASSED_FLAGS = HeaderFlag.RD | HeaderFlag.AD | HeaderFlag.CD;
    private static final byte[] NONE = {};

    private final WireName name;
    private final int typeAndClass;
    private final int flags;
    private final boolean edns;
    private final boolean dnssecOk;
    private final byte[] options;
    private final boolean subnet;
    private final int hash;

    private Question(WireName name, int typeAndClass, int flags, boolean edns, boolean dnssecOk, byte[] options, boolean subnet) {
        this.name = name;
        this.typeAndClass = typeAndClass;
        this.flags = flags;
        this.edns = edns;
        this.dnssecOk = dnssecOk;
        this.options = options;
        this.subnet = subnet;
        this.hash = (name.hashCode() * 31 + typeAndClass) * 31 + flags + (dnssecOk ? 1 : 0) + Arrays.hashCode(options);
    }

    /**
     * The question of a client. The name is asked for in lower case: clients that differ only in spelling ask the same.
     *
     * @param passedOn the codes of EDNS options that the upstream is to see beside the client's subnet, as far as there is room
     */
    public static Question of(QueryView query, int[] passedOn) {
        byte[] options = withOption(NONE, query, EdnsOption.CLIENT_SUBNET, MAX_SUBNET);
        boolean subnet = options.length > 0;
        for (int code : passedOn) {
            options = code == EdnsOption.CLIENT_SUBNET ? options : withOption(options, query, code, MAX_OPTIONS - OPTION_HEAD - options.length);
        }
        return new Question(query.wireName(), typeAndClass(query.type(), query.dnsClass()), query.flags() & PASSED_FLAGS, true, query.dnssecOk(), options, subnet);
    }

    /** As they stand one after the other behind the name. */
    private static int typeAndClass(int type, int dnsClass) {
        return type << 16 | dnsClass;
    }

    /** Adds an option of the query as it stands there, unless there is none or it is too long; a subnet of nothing is none. */
    private static byte[] withOption(byte[] options, QueryView query, int code, int most) {
        int at = query.option(code);
        int length = at < 0 ? 0 : Bytes.u16(query.message(), at - 2);
        if (at < 0 || length > most || (length == 0 && code == EdnsOption.CLIENT_SUBNET)) {
            return options;
        }
        byte[] more = Arrays.copyOf(options, options.length + OPTION_HEAD + length);
        System.arraycopy(query.message(), at - OPTION_HEAD, more, options.length, OPTION_HEAD + length);
        return more;
    }

    /** A question of our own, without OPT. */
    public static Question own(WireName name, int type, boolean recursion) {
        return new Question(name, typeAndClass(type, DnsClass.IN), recursion ? HeaderFlag.RD : 0, false, false, NONE, false);
    }

    /** The same for an upstream that does not know EDNS (RFC 6891 section 6.2.2). */
    public Question withoutEdns() {
        return new Question(name, typeAndClass, flags, false, false, NONE, false);
    }

    public boolean hasEdns() {
        return edns;
    }

    /** Whether it tells the subnet of the client. */
    public boolean hasSubnet() {
        return subnet;
    }

    public WireName name() {
        return name;
    }

    /** Whether a message of {@code length} bytes repeats the question, the name letter by letter as {@code spelled}. */
    boolean isRepeated(byte[] message, int length, byte[] spelled) {
        int end = QueryView.HEADER + spelled.length;
        return end + 4 <= length && Arrays.equals(message, QueryView.HEADER, end, spelled, 0, spelled.length) && Bytes.i32(message, end) == typeAndClass;
    }

    /** The name with letters in upper and lower case at random, which a reply has to repeat (draft-vixie-dnsext-dns0x20). */
    byte[] spelledAtRandom(Unguessable random) {
        byte[] spelled = name.array().clone();
        for (int i = 0; spelled[i] != 0; i += spelled[i] + 1) {
            for (int j = i + 1; j <= i + spelled[i]; j++) {
                boolean letter = spelled[j] >= 'a' && spelled[j] <= 'z';
                spelled[j] = letter && (random.next16() & 1) != 0 ? (byte) (spelled[j] - 32) : spelled[j];
            }
        }
        return spelled;
    }

    /** The query as it would be sent with the ID 0. */
    public byte[] message() {
        byte[] out = new byte[MAX_SIZE];
        return Arrays.copyOf(out, write(out, 0, name.array(), false));
    }

    /** Writes the query and returns its length. */
    int write(byte[] out, int id, byte[] spelled, boolean padded) {
        Bytes.put16(out, 0, id);
        Bytes.put16(out, 2, flags);
        Bytes.put16(out, 4, 1);
        Bytes.put32(out, 6, 0);
        Bytes.put16(out, 10, edns ? 1 : 0);
        System.arraycopy(spelled, 0, out, QueryView.HEADER, spelled.length);
        Bytes.put32(out, QueryView.HEADER + spelled.length, typeAndClass);
        int at = QueryView.HEADER + spelled.length + 4;
        return edns ? writeOpt(out, at, padded) : at;
    }

    private int writeOpt(byte[] out, int opt, boolean padded) {
        out[opt] = 0;
        Bytes.put16(out, opt + 1, DnsType.OPT);
        Bytes.put16(out, opt + 3, AnswerEncoder.OWN_UDP_SIZE);
        Bytes.put32(out, opt + 5, dnssecOk ? 0x8000 : 0);
        System.arraycopy(options, 0, out, opt + 11, options.length);
        int at = opt + 11 + options.length;
        if (padded) {
            int padding = -(at + OPTION_HEAD) & (PADDED_TO - 1);
            Arrays.fill(out, at + OPTION_HEAD, at + OPTION_HEAD + padding, (byte) 0);
            at = writeOption(out, at, EdnsOption.PADDING, padding);
        }
        Bytes.put16(out, opt + 9, at - opt - 11);
        return at;
    }

    private static int writeOption(byte[] out, int at, int code, int length) {
        Bytes.put16(out, at, code);
        Bytes.put16(out, at + 2, length);
        return at + OPTION_HEAD + length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Question that
                && hash == that.hash
                && flags == that.flags
                && edns == that.edns
                && dnssecOk == that.dnssecOk
                && typeAndClass == that.typeAndClass
                && name.equals(that.name)
                && Arrays.equals(options, that.options);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
