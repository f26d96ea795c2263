package dev.cairn.proxy.nft;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.proxy.netlink.Attribute;
import dev.cairn.proxy.netlink.Message;
import dev.cairn.proxy.netlink.NetlinkException;
import dev.cairn.proxy.netlink.NetlinkSocket;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads what the table of a family holds. For one reading. Numbers are those of linux/netfilter/nf_tables.h. */
final class TableReader {
    private static final int GET_TABLE = NftElements.SUBSYSTEM | 1;
    private static final int GET_CHAINS = NftElements.SUBSYSTEM | 4;
    private static final int GET_RULES = NftElements.SUBSYSTEM | 7;
    private static final int GET_SETS = NftElements.SUBSYSTEM | 10;
    private static final int GET_ELEMENTS = NftElements.SUBSYSTEM | 13;
    private static final int GET_OBJECTS = NftElements.SUBSYSTEM | 19;
    private static final int GET_FLOW_TABLES = NftElements.SUBSYSTEM | 23;
    /** The same for all kinds of things. */
    private static final int TABLE = 1;
    private static final int CHAIN_NAME = 3;
    private static final int GENERATION = 1;
    private static final int NAME = 2;
    private static final int TABLE_FLAGS = 2;
    private static final int DORMANT = 1;
    private static final int CHAIN_POLICY = 5;
    private static final int DROP = 0;
    private static final int EXPRESSIONS = 4;
    private static final int USER_DATA = 7;
    private static final int COMMENT = 0;
    private static final int SET_FLAGS = 3;
    private static final int ANONYMOUS = 1;
    private static final int MAP = 8;
    /** The family and two more fields before the attributes. */
    private static final int HEAD = 4;

    private final NetlinkSocket socket;
    private final IpFamily family;
    /** The names of chains come again and again. */
    private final Map<Packed, Packed> verdicts = new HashMap<>();

    TableReader(NetlinkSocket socket, IpFamily family) {
        this.socket = socket;
        this.family = family;
    }

    /** Null if there is no such table. */
    @Nullable NftListing read() throws NetlinkException {
        AtomicBoolean dormant = new AtomicBoolean();
        try {
            socket.ask("looking for a table", NftElements.message(GET_TABLE, 0, family).text(TABLE, Table.NAME),
                    (_, payload) -> dormant.set((number(things(payload), TABLE_FLAGS, 0) & DORMANT) != 0));
        } catch (NetlinkException e) {
            if (e.errno() == NetlinkException.ENOENT) {
                return null;
            }
            throw e;
        }
        Set<String> dropping = new TreeSet<>();
        Set<String> chains = new TreeSet<>();
        each(GET_CHAINS, () -> {}, things -> {
            chains.add(text(things, CHAIN_NAME));
            if (number(things, CHAIN_POLICY, 1) == DROP) {
                dropping.add(text(things, CHAIN_NAME));
            }
        });
        Map<String, List<NftRule>> rules = rules();
        chains.forEach(chain -> rules.putIfAbsent(chain, List.of()));
        Set<NftSet> sets = EnumSet.noneOf(NftSet.class);
        Set<String> others = new TreeSet<>();
        each(GET_SETS, sets::clear, things -> set(things, sets, others));
        each(GET_OBJECTS, () -> {}, things -> others.add("object " + text(things, NAME)));
        each(GET_FLOW_TABLES, () -> {}, things -> others.add("flowtable " + text(things, NAME)));
        Map<NftSet, Map<Packed, Packed>> elements = new EnumMap<>(NftSet.class);
        for (NftSet set : sets) {
            elements.put(set, elements(set));
        }
        return new NftListing(dormant.get(), rules, dropping, sets, others, elements);
    }

    /** The number in an answer to the question for the generation. */
    static int generation(ByteBuffer payload) {
        return number(things(payload), GENERATION, 0);
    }

    /** The rules by chain; chains without any are left out. */
    Map<String, List<NftRule>> rules() throws NetlinkException {
        Map<String, List<NftRule>> rules = new TreeMap<>();
        each(GET_RULES, rules::clear, things -> rules.computeIfAbsent(text(things, NAME), _ -> new ArrayList<>()).add(rule(things)));
        return rules;
    }

    private static NftRule rule(Map<Integer, Attribute> things) {
        Attribute expressions = things.get(EXPRESSIONS);
        Attribute userData = things.get(USER_DATA);
        return new NftRule(userData == null ? "" : comment(userData.bytes()),
                expressions == null ? 0 : RuleComment.sum(expressions.bytes()));
    }

    /** The comment among the notes that nft puts to a rule: each has a kind, its length and a content. */
    private static String comment(byte[] notes) {
        for (int at = 0; at + 2 <= notes.length; at += 2 + (notes[at + 1] & 0xff)) {
            int length = Math.min(notes[at + 1] & 0xff, notes.length - at - 2);
            if (notes[at] == COMMENT && length > 0) {
                return new String(notes, at + 2, length - 1, StandardCharsets.UTF_8);   // without the zero at its end
            }
        }
        return "";
    }

    private void each(int type, Runnable restart, Consumer<Map<Integer, Attribute>> reader) throws NetlinkException {
        socket.dump("reading a table", NftElements.message(type, 0, family).text(TABLE, Table.NAME), restart, (_, payload) -> {
            Map<Integer, Attribute> things = things(payload);
            if (text(things, TABLE).equals(Table.NAME)) {
                reader.accept(things);
            }
        });
    }

    private static Map<Integer, Attribute> things(ByteBuffer payload) {
        Map<Integer, Attribute> things = new HashMap<>();
        Attribute.list(payload, HEAD).forEach(attribute -> things.put(attribute.type(), attribute));
        return things;
    }

    /** A number in the order of the network. */
    private static int number(Map<Integer, Attribute> things, int type, int otherwise) {
        Attribute attribute = things.get(type);
        return attribute == null ? otherwise : Integer.reverseBytes(attribute.number());
    }

    private static String text(Map<Integer, Attribute> things, int type) {
        Attribute attribute = things.get(type);
        return attribute == null ? "" : attribute.text();
    }

    private static void set(Map<Integer, Attribute> things, Set<NftSet> ours, Set<String> others) {
        String name = text(things, NAME);
        int flags = number(things, SET_FLAGS, 0);
        for (NftSet set : NftSet.values()) {
            if (set.text().equals(name)) {
                ours.add(set);
                return;
            }
        }
        if ((flags & ANONYMOUS) == 0 && !name.equals(StaticRules.AFFINITY)) {
            others.add(((flags & MAP) == 0 ? "set " : "map ") + name);
        }
    }

    private Map<Packed, Packed> elements(NftSet set) throws NetlinkException {
        Map<Packed, Packed> elements = new HashMap<>();
        NavigableSet<BigInteger> ends = new TreeSet<>();
        Message question = NftElements.message(GET_ELEMENTS, 0, family).text(NftElements.LIST_TABLE, Table.NAME)
                .text(NftElements.LIST_SET, set.text());
        Runnable restart = () -> {
            elements.clear();
            ends.clear();
        };
        socket.dump("reading elements", question, restart, (_, payload) -> {
            int list = find(payload, HEAD, payload.limit(), NftElements.LIST_ELEMENTS);
            int to = list < 0 ? 0 : end(payload, list);
            for (int at = list; at >= 0 && at + 4 <= to; at += length(payload, at) + 3 & ~3) {
                element(payload, at + 4, at + length(payload, at), set, elements, ends);
            }
        });
        return set.isOnlyRange() ? paired(elements, ends) : elements;
    }

    private void element(ByteBuffer from, int begin, int to, NftSet set, Map<Packed, Packed> elements, NavigableSet<BigInteger> ends) {
        byte[] key = value(from, find(from, begin, to, NftElements.KEY));
        int flags = find(from, begin, to, NftElements.FLAGS);
        if (flags >= 0 && (Integer.reverseBytes(from.getInt(flags)) & NftElements.INTERVAL_END) != 0) {
            ends.add(new BigInteger(1, key));
            return;
        }
        Packed whole = Packed.of(key);
        if (set.hasRanges() && !set.isOnlyRange()) {
            whole = whole.and(Packed.of(value(from, find(from, begin, to, NftElements.KEY_END))));
        }
        int data = find(from, begin, to, NftElements.DATA);
        Packed value = !set.isMap() || data < 0 ? Packed.EMPTY : set.isVerdict() ? verdict(from, data) : Packed.of(value(from, data));
        elements.put(whole, value);
    }

    private Packed verdict(ByteBuffer from, int data) {
        int verdict = find(from, data, end(from, data), NftElements.VERDICT);
        int chain = verdict < 0 ? -1 : find(from, verdict, end(from, verdict), NftElements.VERDICT_CHAIN);
        if (chain < 0) {
            return Packed.EMPTY;
        }
        byte[] name = new byte[end(from, chain) - chain - 1];   // without the zero at its end
        from.get(chain, name);
        return verdicts.computeIfAbsent(Packed.of(name), known -> known);
    }

    /** Gives each first address of a range the last one before the next end. */
    private static Map<Packed, Packed> paired(Map<Packed, Packed> firsts, NavigableSet<BigInteger> ends) {
        Map<Packed, Packed> ranges = new HashMap<>();
        firsts.keySet().forEach(first -> {
            @Nullable BigInteger end = ends.higher(new BigInteger(1, first.bytes()));
            BigInteger last = (end == null ? BigInteger.ONE.shiftLeft(8 * first.length()) : end).subtract(BigInteger.ONE);
            byte[] bytes = last.toByteArray();
            byte[] key = new byte[first.length()];
            int length = Math.min(bytes.length, key.length);
            System.arraycopy(bytes, bytes.length - length, key, key.length - length, length);
            ranges.put(first.and(Packed.of(key)), Packed.EMPTY);
        });
        return ranges;
    }

    /** Where the content of an attribute begins; -1 if it is not there. There are too many elements to make objects of all their parts. */
    private static int find(ByteBuffer from, int begin, int to, int type) {
        for (int at = begin; at + 4 <= to; at += Math.max(4, length(from, at) + 3 & ~3)) {
            if ((from.getShort(at + 2) & 0x3fff) == type) {
                return at + 4;
            }
        }
        return -1;
    }

    private static int length(ByteBuffer from, int at) {
        return from.getShort(at) & 0xffff;
    }

    /** Where an attribute ends whose content begins at a place. */
    private static int end(ByteBuffer from, int content) {
        return content - 4 + length(from, content - 4);
    }

    /** The bytes in an attribute that holds a value. */
    private static byte[] value(ByteBuffer from, int content) {
        int value = content < 0 ? -1 : find(from, content, end(from, content), NftElements.VALUE);
        byte[] bytes = new byte[value < 0 ? 0 : end(from, value) - value];
        if (value >= 0) {
            from.get(value, bytes);
        }
        return bytes;
    }
}
