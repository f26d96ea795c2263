package dev.cairn.proxy.nft;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.proxy.netlink.Message;
import dev.cairn.proxy.netlink.NetlinkException;
import dev.cairn.proxy.netlink.NetlinkSocket;
import dev.cairn.proxy.sync.ApplyFailure;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Changes and reads elements by netlink: there are many of them, and {@code nft} takes most of its time to read and print them as text. Numbers
 * are those of linux/netfilter/nfnetlink.h and nf_tables.h.
 */
class NftElements {
    static final int SUBSYSTEM = 10 << 8;
    static final int NESTED = 0x8000;
    static final int LIST_TABLE = 1;
    static final int LIST_SET = 2;
    static final int LIST_ELEMENTS = 3;
    static final int LIST_ELEMENT = 1;
    static final int KEY = 1;
    static final int DATA = 2;
    static final int FLAGS = 3;
    static final int KEY_END = 10;
    static final int VALUE = 1;
    static final int VERDICT = 2;
    static final int VERDICT_CODE = 1;
    static final int VERDICT_CHAIN = 2;
    static final int GOTO = -4;
    static final int DROP = 0;
    static final int INTERVAL_END = 1;

    private static final int BATCH_BEGIN = 0x10;
    private static final int BATCH_END = 0x11;
    private static final int NEW_ELEMENTS = SUBSYSTEM | 12;
    private static final int DELETE_ELEMENTS = SUBSYSTEM | 14;
    private static final int GET_GENERATION = SUBSYSTEM | 16;
    /** The length of an attribute, such as that of all elements of a message, has two bytes. */
    private static final int FULL = 48_000;

    private final Sockets sockets;
    private int transactions;
    private long changed;

    /** Opens sockets. */
    interface Sockets {
        NetlinkSocket open() throws NetlinkException;
    }

    NftElements() {
        this(() -> new NetlinkSocket(NetlinkSocket.NETFILTER));
    }

    /** With sockets of another namespace. */
    NftElements(Sockets sockets) {
        this.sockets = sockets;
    }

    /** A number that is another one after each change that anybody makes to tables. */
    int generation() throws ApplyFailure {
        AtomicInteger generation = new AtomicInteger();
        try (NetlinkSocket socket = sockets.open()) {
            socket.ask("asking for the generation", message(GET_GENERATION, 0, IpFamily.IPV4),
                    (_, payload) -> generation.set(TableReader.generation(payload)));
        } catch (NetlinkException e) {
            throw failure(e);
        }
        return generation.get();
    }

    /** What a table holds; null if there is none. */
    @Nullable NftListing read(IpFamily family) throws ApplyFailure {
        try (NetlinkSocket socket = sockets.open()) {
            return new TableReader(socket, family).read();
        } catch (NetlinkException e) {
            throw failure(e);
        }
    }

    /** The rules of a table by chain. */
    Map<String, List<NftRule>> rules(IpFamily family) throws ApplyFailure {
        try (NetlinkSocket socket = sockets.open()) {
            return new TableReader(socket, family).rules();
        } catch (NetlinkException e) {
            throw failure(e);
        }
    }

    /** Makes changes in one transaction: all of them or none. */
    void change(List<ElementChange> changes) throws ApplyFailure {
        List<Message> messages = new ArrayList<>();
        messages.add(batch(BATCH_BEGIN));
        changes.forEach(change -> messages(change, messages));
        messages.add(batch(BATCH_END));
        try (NetlinkSocket socket = sockets.open()) {
            socket.requestTogether("changing elements", messages);
            transactions++;
            changed += changes.stream().mapToLong(change -> change.elements().size()).sum();
        } catch (NetlinkException e) {
            throw failure(e);
        }
    }

    /** How many transactions have been applied. */
    int transactions() {
        return transactions;
    }

    /** How many elements they added or removed. */
    long changed() {
        return changed;
    }

    private static ApplyFailure failure(NetlinkException e) {
        return e.errno() == NetlinkException.EPERM ? NftRunner.forbidden() : new ApplyFailure("nftables refused: " + e.getMessage(), false);
    }

    private static Message batch(int type) {
        // The subsystem stands there in the order of the network.
        return new Message(type, 0).u8(0).u8(0).u8(0).u8(SUBSYSTEM >> 8);
    }

    /** Begins a message about something of a family. */
    static Message message(int type, int flags, IpFamily family) {
        return new Message(type, flags).u8(family == IpFamily.IPV4 ? 2 : 10).u8(0).u16(0);
    }

    private static void messages(ElementChange change, List<Message> to) {
        @Nullable Message message = null;
        int list = 0;
        for (var element : change.elements().entrySet()) {
            if (message == null) {
                message = message(change.adds() ? NEW_ELEMENTS : DELETE_ELEMENTS, change.adds() ? Message.CREATE : 0, change.family())
                        .text(LIST_TABLE, Table.NAME).text(LIST_SET, change.set().text());
                list = message.begin(NESTED | LIST_ELEMENTS);
            }
            element(message, change, element.getKey(), element.getValue());
            if (message.length() > FULL) {
                to.add(message.end(list));
                message = null;
            }
        }
        if (message != null) {
            to.add(message.end(list));
        }
    }

    private static void element(Message message, ElementChange change, Packed key, Packed value) {
        int element = message.begin(NESTED | LIST_ELEMENT);
        int half = key.length() / 2;
        value(message, KEY, change.set().hasRanges() ? key.bytes(0, half) : key.bytes());
        if (change.set().hasRanges() && !change.set().isOnlyRange()) {
            value(message, KEY_END, key.bytes(half, 2 * half));
        }
        if (change.adds() && change.set().isVerdict()) {
            verdict(message, value);
        } else if (change.adds() && change.set().isMap()) {
            value(message, DATA, value.bytes());
        }
        message.end(element);
        if (change.set().isOnlyRange()) {
            end(message, key.bytes(half, 2 * half));
        }
    }

    /** In a set of ranges of a single field, what comes after a range is an element of its own. */
    private static void end(Message message, byte[] last) {
        byte[] next = new BigInteger(1, last).add(BigInteger.ONE).toByteArray();
        byte[] key = new byte[last.length];
        System.arraycopy(next, Math.max(0, next.length - key.length), key, Math.max(0, key.length - next.length), Math.min(next.length, key.length));
        if (Arrays.equals(key, new byte[key.length])) {
            return;   // nothing comes after it
        }
        int element = message.begin(NESTED | LIST_ELEMENT);
        value(message, KEY, key);
        message.attribute(FLAGS, big(INTERVAL_END)).end(element);
    }

    private static void value(Message message, int type, byte[] bytes) {
        int value = message.begin(NESTED | type);
        message.attribute(VALUE, bytes).end(value);
    }

    private static void verdict(Message message, Packed chain) {
        int data = message.begin(NESTED | DATA);
        int verdict = message.begin(NESTED | VERDICT);
        message.attribute(VERDICT_CODE, big(chain.equals(Packed.EMPTY) ? DROP : GOTO));
        if (!chain.equals(Packed.EMPTY)) {
            message.text(VERDICT_CHAIN, chain.text());
        }
        message.end(verdict).end(data);
    }

    /** A number in the order of the network. */
    private static byte[] big(int number) {
        return new byte[] {(byte) (number >> 24), (byte) (number >> 16), (byte) (number >> 8), (byte) number};
    }
}
