package dev.cairn.proxy.ipvs;

import dev.cairn.proxy.netlink.Attribute;
import dev.cairn.proxy.netlink.Message;
import dev.cairn.proxy.netlink.NetlinkException;
import dev.cairn.proxy.sync.ApplyFailure;
import java.util.HashMap;
import java.util.Map;

/**
 * Asks for the number of elements of each set of ours in ipset, without them. Numbers are those of linux/netfilter/ipset/ip_set.h. Used by one
 * thread.
 */
final class SetSizes {
    private static final int LIST = 6 << 8 | 7;
    private static final int PROTOCOL = 1;
    private static final int VERSION = 6;
    private static final int SET_NAME = 2;
    private static final int FLAGS = 6;
    private static final int WITHOUT_ELEMENTS = 4;
    private static final int DATA = 7;
    private static final int ELEMENTS = 24;
    private static final int NETWORK_ORDER = 0x4000;
    private static final int HEAD = 4;

    private final ElementWriter.Sockets sockets;

    SetSizes(ElementWriter.Sockets sockets) {
        this.sockets = sockets;
    }

    /** The sizes by name. */
    Map<String, Integer> read() throws ApplyFailure {
        Map<String, Integer> sizes = new HashMap<>();
        Message question = new Message(LIST, 0).u8(2).u8(0).u16(0).number8(PROTOCOL, VERSION)
                .attribute(NETWORK_ORDER | FLAGS, new byte[] {0, 0, 0, WITHOUT_ELEMENTS});
        try {
            sockets.get().dump("listing sets of ipset", question, sizes::clear, (_, payload) -> {
                String name = "";
                for (Attribute attribute : Attribute.list(payload, HEAD)) {
                    if (attribute.type() == SET_NAME) {
                        name = attribute.text();
                    } else if (attribute.type() == DATA && name.startsWith("cairn")) {
                        sizes.put(name, elements(attribute));
                    }
                }
            });
        } catch (NetlinkException e) {
            throw Kernel.failure(e);
        }
        return sizes;
    }

    private static int elements(Attribute data) {
        return data.parts().stream().filter(part -> part.type() == ELEMENTS)
                .mapToInt(part -> Integer.reverseBytes(part.number())).findFirst().orElse(-1);
    }
}
