package dev.cairn.proxy.iptables;

import dev.cairn.proxy.netlink.Attribute;
import dev.cairn.proxy.netlink.Message;
import dev.cairn.proxy.netlink.NetlinkException;
import dev.cairn.proxy.netlink.NetlinkSocket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The kernel's counters that rules count packets in by name. Numbers are those of linux/netfilter/nfnetlink_acct.h. */
final class PacketCounters {
    private static final int SUBSYSTEM = 7;
    private static final int NEW = SUBSYSTEM << 8;
    private static final int GET = SUBSYSTEM << 8 | 1;
    private static final int NAME = 1;
    private static final int PACKETS = 2;
    private static final int HEAD = 4;

    private PacketCounters() {}

    private static Message message(int type, int flags) {
        return new Message(type, flags).u8(0).u8(0).u16(0);
    }

    /** The number of packets of each counter. */
    static Map<String, Long> read() throws NetlinkException {
        Map<String, Long> counts = new HashMap<>();
        try (NetlinkSocket socket = new NetlinkSocket(NetlinkSocket.NETFILTER)) {
            socket.dump("reading packet counters", message(GET, 0), counts::clear, (_, answer) -> {
                List<Attribute> attributes = Attribute.list(answer, HEAD);
                attributes.stream().filter(name -> name.type() == NAME).forEach(name -> attributes.stream()
                        .filter(packets -> packets.type() == PACKETS)
                        .forEach(packets -> counts.put(name.text(), number(packets.content()))));
            });
        }
        return counts;
    }

    private static long number(ByteBuffer content) {
        return content.remaining() < Long.BYTES ? 0 : content.duplicate().order(ByteOrder.BIG_ENDIAN).getLong();
    }

    /** Makes a counter unless it is there. */
    static void make(String name) throws NetlinkException {
        try (NetlinkSocket socket = new NetlinkSocket(NetlinkSocket.NETFILTER)) {
            socket.request("making packet counter " + name, message(NEW, Message.CREATE | Message.EXCL).text(NAME, name));
        } catch (NetlinkException e) {
            if (e.errno() != NetlinkException.EEXIST) {
                throw e;
            }
        }
    }
}
