package dev.cairn.proxy.conntrack;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Address;
import dev.cairn.facts.Protocol;
import dev.cairn.proxy.plan.Endpoint;
import dev.cairn.proxy.plan.StaleFlows.Flow;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The flows of the connection tracker. Numbers are those of linux/netlink.h, nfnetlink.h and nfnetlink_conntrack.h. */
final class FlowTable implements AutoCloseable {
    private static final int NEW = 0x100;
    private static final int GET = 0x101;
    private static final int DELETE = 0x102;
    private static final int NLMSG_ERROR = 2;
    private static final int NLMSG_DONE = 3;
    private static final int REQUEST_DUMP = 0x301;
    private static final int REQUEST_ACK = 5;
    private static final int HEADER = 16;
    private static final int GENERIC = 4;
    private static final int TUPLE_ORIG = 1;
    private static final int TUPLE_REPLY = 2;
    private static final int TUPLE_IP = 1;
    private static final int TUPLE_PROTO = 2;
    private static final int UDP = 17;
    private static final int ENOENT = 2;

    private final Netlink netlink;
    private int sequence;

    /**
     * A UDP flow.
     *
     * @param original its tuple as the kernel gave it, by which it is deleted
     */
    record Entry(IpFamily family, Flow flow, ByteBuffer original) {}

    private record Tuple(int protocol, @Nullable Address from, int fromPort, @Nullable Address to, int toPort) {}

    FlowTable() throws IOException {
        netlink = new Netlink();
    }

    private static int family(IpFamily family) {
        return family == IpFamily.IPV4 ? 2 : 10;
    }

    private ByteBuffer message(int type, int flags, IpFamily family, ByteBuffer attributes) {
        ByteBuffer message = ByteBuffer.allocateDirect(HEADER + GENERIC + attributes.remaining()).order(ByteOrder.nativeOrder());
        message.putInt(message.capacity()).putShort((short) type).putShort((short) flags).putInt(++sequence).putInt(0);
        return message.put((byte) family(family)).put((byte) 0).putShort((short) 0).put(attributes.duplicate()).flip();
    }

    /** All UDP flows of a family. */
    List<Entry> list(IpFamily family) throws IOException {
        netlink.send(message(GET, REQUEST_DUMP, family, ByteBuffer.allocate(0)));
        List<Entry> entries = new ArrayList<>();
        while (true) {
            ByteBuffer messages = netlink.receive();
            while (messages.remaining() >= HEADER) {
                int at = messages.position();
                int length = messages.getInt(at);
                int type = messages.getShort(at + 4) & 0xffff;
                if (type == NLMSG_DONE) {
                    return entries;
                }
                if (type == NLMSG_ERROR) {
                    throw new IOException("listing flows: errno " + -messages.getInt(at + HEADER));
                }
                Entry entry = type == NEW ? entry(family, messages.slice(at + HEADER + GENERIC, length - HEADER - GENERIC)) : null;
                if (entry != null) {
                    entries.add(entry);
                }
                messages.position(Math.min(messages.limit(), at + (length + 3 & ~3)));
            }
        }
    }

    private static @Nullable Entry entry(IpFamily family, ByteBuffer attributes) {
        ByteBuffer original = ByteBuffer.allocate(0);
        Tuple sent = null;
        Tuple answered = null;
        for (Attribute attribute : attributes(attributes)) {
            if (attribute.type() == TUPLE_ORIG) {
                original = attribute.whole();
                sent = tuple(attribute.content());
            } else if (attribute.type() == TUPLE_REPLY) {
                answered = tuple(attribute.content());
            }
        }
        if (sent == null || answered == null || sent.protocol() != UDP || sent.to() == null || answered.from() == null) {
            return null;
        }
        return new Entry(family, new Flow(Protocol.UDP, sent.to(), sent.toPort(), new Endpoint(answered.from(), answered.fromPort())), original);
    }

    private static Tuple tuple(ByteBuffer content) {
        int protocol = 0;
        int fromPort = 0;
        int toPort = 0;
        Address from = null;
        Address to = null;
        for (Attribute part : attributes(content)) {
            for (Attribute field : attributes(part.content())) {
                boolean ip = part.type() == TUPLE_IP;
                switch (ip ? field.type() : part.type() == TUPLE_PROTO ? field.type() + 10 : 0) {
                    case 1, 3 -> from = Address.of(field.bytes());
                    case 2, 4 -> to = Address.of(field.bytes());
                    case 11 -> protocol = field.bytes()[0];
                    case 12 -> fromPort = port(field.bytes());
                    case 13 -> toPort = port(field.bytes());
                    default -> {}
                }
            }
        }
        return new Tuple(protocol, from, fromPort, to, toPort);
    }

    private static int port(byte[] bytes) {
        return (bytes[0] & 0xff) << 8 | (bytes[1] & 0xff);
    }

    private record Attribute(int type, ByteBuffer content, ByteBuffer around) {
        byte[] bytes() {
            byte[] bytes = new byte[content.remaining()];
            content.duplicate().get(bytes);
            return bytes;
        }

        /** A copy with its head, for a message of ours. */
        ByteBuffer whole() {
            return ByteBuffer.allocate(around.remaining()).put(around.duplicate()).flip();
        }
    }

    private static List<Attribute> attributes(ByteBuffer buffer) {
        ByteBuffer from = buffer.duplicate().order(ByteOrder.nativeOrder());
        List<Attribute> all = new ArrayList<>();
        while (from.remaining() >= 4) {
            int at = from.position();
            int length = from.getShort(at) & 0xffff;
            if (length < 4 || length > from.remaining()) {
                break;
            }
            int padded = Math.min(from.remaining(), length + 3 & ~3);
            // The highest two bits say that it is nested, and its byte order.
            all.add(new Attribute(from.getShort(at + 2) & 0x3fff, from.slice(at + 4, length - 4), from.slice(at, padded)));
            from.position(at + padded);
        }
        return all;
    }

    /** Deletes a flow; one that is gone is as good. */
    void delete(Entry entry) throws IOException {
        netlink.send(message(DELETE, REQUEST_ACK, entry.family(), entry.original()));
        ByteBuffer answer = netlink.receive();
        int error = (answer.getShort(4) & 0xffff) == NLMSG_ERROR ? -answer.getInt(HEADER) : 0;
        if (error != 0 && error != ENOENT) {
            throw new IOException("deleting a flow: errno " + error);
        }
    }

    @Override
    public void close() {
        netlink.close();
    }
}
