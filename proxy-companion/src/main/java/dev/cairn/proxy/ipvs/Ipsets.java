package dev.cairn.proxy.ipvs;

import dev.cairn.cluster.control.AddressRange;
import dev.cairn.proxy.netlink.Message;
import dev.cairn.proxy.netlink.NetlinkException;
import dev.cairn.proxy.sync.ApplyFailure;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Writes elements of ipset by netlink. Numbers are those of linux/netfilter/ipset/ip_set.h. Used by one thread. */
final class Ipsets implements ElementWriter {
    private static final int SUBSYSTEM = 6 << 8;
    private static final int ADD = 9;
    private static final int DELETE = 10;
    private static final int PROTOCOL = 1;
    private static final int VERSION = 6;
    private static final int SET_NAME = 2;
    private static final int DATA = 7;
    private static final int IP = 1;
    private static final int PORT = 4;
    private static final int PROTO = 7;
    private static final int IP2 = 20;
    private static final int CIDR2 = 21;
    private static final int NESTED = 0x8000;
    private static final int NETWORK_ORDER = 0x4000;

    private final Sockets sockets;

    Ipsets(Sockets sockets) {
        this.sockets = sockets;
    }

    /** What is there already, or gone already, is as good: so the kernel takes it if it is not told to be exact. */
    @Override
    public void write(boolean add, Collection<Element> elements) throws ApplyFailure {
        if (elements.isEmpty()) {
            return;
        }
        List<Message> messages = new ArrayList<>();
        elements.forEach(element -> messages.add(message(add, element)));
        try {
            for (int error : sockets.get().requestAll(messages)) {
                if (error != 0) {
                    throw new NetlinkException("changing a set of ipset", error);
                }
            }
        } catch (NetlinkException e) {
            throw Kernel.failure(e);
        }
    }

    private static Message message(boolean add, Element element) {
        Message message = new Message(SUBSYSTEM | (add ? ADD : DELETE), 0).u8(2).u8(0).u16(0)
                .number8(PROTOCOL, VERSION).text(SET_NAME, IptablesHelper.name(element.set(), element.family()));
        List<String> fields = element.fields();
        int data = message.begin(NESTED | DATA);
        switch (element.set().kind()) {
            case ADDRESS -> address(message, IP, fields.getFirst());
            case PORT -> port(message, fields.getFirst());
            case PLACE -> place(message, fields);
            case PLACE_ADDRESS -> {
                place(message, fields);
                address(message, IP2, fields.get(3));
            }
            case PLACE_RANGE -> {
                place(message, fields);
                String range = fields.get(3);
                int slash = range.indexOf('/');
                address(message, IP2, slash < 0 ? range : AddressRange.parse(range).first().toString());
                message.number8(CIDR2, slash < 0 ? (range.indexOf(':') < 0 ? 32 : 128) : AddressRange.parse(range).prefix());
            }
        }
        return message.end(data);
    }

    private static void place(Message message, List<String> fields) {
        address(message, IP, fields.get(0));
        message.number8(PROTO, ElementWriter.number(fields.get(1)));
        port(message, fields.get(2));
    }

    private static void port(Message message, String port) {
        message.port(NETWORK_ORDER | PORT, Integer.parseInt(port));
    }

    private static void address(Message message, int type, String text) {
        byte[] bytes = ElementWriter.address(text);
        int begun = message.begin(NESTED | type);
        message.attribute(NETWORK_ORDER | (bytes.length == 4 ? 1 : 2), bytes).end(begun);
    }
}
