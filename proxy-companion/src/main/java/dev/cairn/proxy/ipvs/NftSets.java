package dev.cairn.proxy.ipvs;

import dev.cairn.cluster.control.AddressRange;
import dev.cairn.cluster.control.IpFamily;
import dev.cairn.proxy.netlink.Message;
import dev.cairn.proxy.netlink.NetlinkException;
import dev.cairn.proxy.sync.ApplyFailure;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Writes elements of nftables by netlink, all in one transaction. Numbers are those of linux/netfilter/nfnetlink.h and nf_tables.h. Used by
 * one thread.
 */
final class NftSets implements ElementWriter {
    private static final int SUBSYSTEM = 10 << 8;
    private static final int BATCH_BEGIN = 0x10;
    private static final int BATCH_END = 0x11;
    private static final int NEW_ELEMENTS = SUBSYSTEM | 12;
    private static final int DELETE_ELEMENTS = SUBSYSTEM | 14;
    private static final int NESTED = 0x8000;
    private static final int LIST_TABLE = 1;
    private static final int LIST_SET = 2;
    private static final int LIST_ELEMENTS = 3;
    private static final int ELEMENT = 1;
    private static final int KEY = 1;
    private static final int KEY_END = 10;
    private static final int VALUE = 1;
    /** Elements of a message: the length of an attribute has two bytes. */
    private static final int MANY = 400;

    private final Sockets sockets;

    NftSets(Sockets sockets) {
        this.sockets = sockets;
    }

    @Override
    public void write(boolean add, Collection<Element> elements) throws ApplyFailure {
        if (elements.isEmpty()) {
            return;
        }
        Map<IpFamily, Map<HelperSet, List<Element>>> all = new EnumMap<>(IpFamily.class);
        elements.forEach(element -> all.computeIfAbsent(element.family(), _ -> new EnumMap<>(HelperSet.class))
                .computeIfAbsent(element.set(), _ -> new ArrayList<>()).add(element));
        List<Message> messages = new ArrayList<>();
        messages.add(batch(BATCH_BEGIN));
        all.forEach((family, sets) -> sets.forEach((set, those) -> {
            for (int from = 0; from < those.size(); from += MANY) {
                messages.add(message(add, family, set, those.subList(from, Math.min(from + MANY, those.size()))));
            }
        }));
        messages.add(batch(BATCH_END));
        try {
            sockets.get().requestTogether("changing sets of nftables", messages);
        } catch (NetlinkException e) {
            throw Kernel.failure(e);
        }
    }

    private static Message batch(int type) {
        // The subsystem stands there in the order of the network.
        return new Message(type, 0).u8(0).u8(0).u8(0).u8(SUBSYSTEM >> 8);
    }

    private static Message message(boolean add, IpFamily family, HelperSet set, List<Element> elements) {
        Message message = new Message(add ? NEW_ELEMENTS : DELETE_ELEMENTS, add ? Message.CREATE : 0)
                .u8(family == IpFamily.IPV4 ? 2 : 10).u8(0).u16(0)
                .text(LIST_TABLE, NftHelper.TABLE).text(LIST_SET, set.text());
        int list = message.begin(NESTED | LIST_ELEMENTS);
        for (Element element : elements) {
            int one = message.begin(NESTED | ELEMENT);
            key(message, KEY, element, false);
            if (set.kind() == HelperSet.Kind.PLACE_RANGE) {
                key(message, KEY_END, element, true);
            }
            message.end(one);
        }
        return message.end(list);
    }

    private static void key(Message message, int type, Element element, boolean last) {
        int key = message.begin(NESTED | type);
        message.attribute(VALUE, pack(element, last)).end(key);
    }

    /** The fields one after the other, each filled up to four bytes; of a range its first or its last address. */
    private static byte[] pack(Element element, boolean last) {
        List<String> fields = element.fields();
        ByteBuffer packed = ByteBuffer.allocate(64);
        switch (element.set().kind()) {
            case ADDRESS -> packed.put(ElementWriter.address(fields.getFirst()));
            case PORT -> packed.putShort((short) Integer.parseInt(fields.getFirst()));
            case PLACE -> place(packed, fields);
            case PLACE_ADDRESS -> place(packed, fields).put(ElementWriter.address(fields.get(3)));
            case PLACE_RANGE -> place(packed, fields).put(end(fields.get(3), last));
        }
        return Arrays.copyOf(packed.array(), packed.position());
    }

    private static ByteBuffer place(ByteBuffer packed, List<String> fields) {
        return packed.put(ElementWriter.address(fields.get(0))).put((byte) ElementWriter.number(fields.get(1))).put(new byte[3])
                .putShort((short) Integer.parseInt(fields.get(2))).put(new byte[2]);
    }

    private static byte[] end(String text, boolean last) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            return ElementWriter.address(text);
        }
        AddressRange range = AddressRange.parse(text);
        byte[] bytes = range.first().bytes();
        for (int bit = last ? range.prefix() : 8 * bytes.length; bit < 8 * bytes.length; bit++) {
            bytes[bit / 8] |= (byte) (0x80 >> bit % 8);
        }
        return bytes;
    }
}
