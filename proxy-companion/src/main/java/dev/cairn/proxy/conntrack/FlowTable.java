package dev.cairn.proxy.conntrack;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Address;
import dev.cairn.facts.Protocol;
import dev.cairn.proxy.netlink.Attribute;
import dev.cairn.proxy.netlink.Message;
import dev.cairn.proxy.netlink.NetlinkException;
import dev.cairn.proxy.netlink.NetlinkSocket;
import dev.cairn.proxy.plan.Endpoint;
import dev.cairn.proxy.plan.StaleFlows.Flow;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The flows of the connection tracker. Numbers are those of linux/nfnetlink.h and nfnetlink_conntrack.h. */
final class FlowTable implements AutoCloseable {
    private static final int NEW = 0x100;
    private static final int GET = 0x101;
    private static final int DELETE = 0x102;
    private static final int GENERIC = 4;
    private static final int TUPLE_ORIG = 1;
    private static final int TUPLE_REPLY = 2;
    private static final int TUPLE_IP = 1;
    private static final int TUPLE_PROTO = 2;
    private static final int TCP = 6;
    private static final int UDP = 17;
    private static final int SCTP = 132;

    private final NetlinkSocket netlink;

    /**
     * A flow.
     *
     * @param original its tuple as the kernel gave it, by which it is deleted
     */
    record Entry(IpFamily family, Flow flow, ByteBuffer original) {}

    private record Tuple(int protocol, @Nullable Address from, int fromPort, @Nullable Address to, int toPort) {}

    FlowTable() throws IOException {
        netlink = new NetlinkSocket(NetlinkSocket.NETFILTER);
    }

    private static int family(IpFamily family) {
        return family == IpFamily.IPV4 ? 2 : 10;
    }

    private static Message message(int type, IpFamily family) {
        return new Message(type, 0).u8(family(family)).u8(0).u16(0);
    }

    /** All flows of a family and some protocols. */
    List<Entry> list(IpFamily family, Set<Protocol> protocols) throws IOException {
        List<Entry> entries = new ArrayList<>();
        netlink.dump("listing flows", message(GET, family), entries::clear, (type, payload) -> {
            Entry entry = type == NEW ? entry(family, protocols, payload) : null;
            if (entry != null) {
                entries.add(entry);
            }
        });
        return entries;
    }

    private static @Nullable Entry entry(IpFamily family, Set<Protocol> protocols, ByteBuffer payload) {
        ByteBuffer original = ByteBuffer.allocate(0);
        Tuple sent = null;
        Tuple answered = null;
        for (Attribute attribute : Attribute.list(payload, GENERIC)) {
            if (attribute.type() == TUPLE_ORIG) {
                original = attribute.whole();
                sent = tuple(attribute);
            } else if (attribute.type() == TUPLE_REPLY) {
                answered = tuple(attribute);
            }
        }
        @Nullable Protocol protocol = sent == null ? null : protocol(sent.protocol());
        if (sent == null || answered == null || protocol == null || !protocols.contains(protocol)
                || sent.to() == null || answered.from() == null) {
            return null;
        }
        return new Entry(family, new Flow(protocol, sent.to(), sent.toPort(), new Endpoint(answered.from(), answered.fromPort())), original);
    }

    private static @Nullable Protocol protocol(int number) {
        return switch (number) {
            case TCP -> Protocol.TCP;
            case UDP -> Protocol.UDP;
            case SCTP -> Protocol.SCTP;
            default -> null;
        };
    }

    private static Tuple tuple(Attribute tuple) {
        int protocol = 0;
        int fromPort = 0;
        int toPort = 0;
        Address from = null;
        Address to = null;
        for (Attribute part : tuple.parts()) {
            for (Attribute field : part.parts()) {
                boolean ip = part.type() == TUPLE_IP;
                switch (ip ? field.type() : part.type() == TUPLE_PROTO ? field.type() + 10 : 0) {
                    case 1, 3 -> from = Address.of(field.bytes());
                    case 2, 4 -> to = Address.of(field.bytes());
                    case 11 -> protocol = field.number();
                    case 12 -> fromPort = field.port();
                    case 13 -> toPort = field.port();
                    default -> {}
                }
            }
        }
        return new Tuple(protocol, from, fromPort, to, toPort);
    }

    /** Deletes a flow; one that is gone is as good. */
    void delete(Entry entry) throws IOException {
        try {
            netlink.request("deleting a flow", message(DELETE, entry.family()).copy(entry.original()));
        } catch (NetlinkException e) {
            if (e.errno() != NetlinkException.ENOENT) {
                throw e;
            }
        }
    }

    @Override
    public void close() {
        netlink.close();
    }
}
