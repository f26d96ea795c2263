package dev.cairn.proxy.ipvs;

import dev.cairn.facts.Address;
import dev.cairn.proxy.netlink.Attribute;
import dev.cairn.proxy.netlink.Message;
import dev.cairn.proxy.netlink.NetlinkException;
import dev.cairn.proxy.netlink.NetlinkSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A dummy link with addresses. It stays down: what is sent to an address of a link that is down is sent to the node all the same. Numbers
 * are those of linux/rtnetlink.h, if_link.h and if_addr.h. Used by one thread.
 */
final class AddressLink implements AutoCloseable {
    private static final int NEW_LINK = 16;
    private static final int DEL_LINK = 17;
    private static final int GET_LINK = 18;
    private static final int NEW_ADDRESS = 20;
    private static final int DEL_ADDRESS = 21;
    private static final int GET_ADDRESS = 22;
    private static final int NEW_ROUTE = 24;
    private static final int GET_ROUTE = 26;
    private static final int ROUTE_TO = 1;
    /** Where the kind of a route stands, and that of an address of the node. */
    private static final int ROUTE_KIND = 7;
    private static final int LOCAL = 2;
    private static final int IFLA_IFNAME = 3;
    private static final int IFLA_LINKINFO = 18;
    private static final int IFLA_INFO_KIND = 1;
    private static final int IFA_ADDRESS = 1;
    private static final int IFA_LOCAL = 2;
    /** Nobody else has the address, so nobody need be asked. */
    private static final int NO_DETECTION = 2;
    private static final int ADDRESS_HEAD = 8;

    private final NetlinkSocket socket;
    private final String name;
    /** 0 as long as it is not known. */
    private int index;

    AddressLink(String name) throws NetlinkException {
        this.name = name;
        socket = new NetlinkSocket(NetlinkSocket.ROUTE);
    }

    private static Message link(int type, int flags, int index) {
        return new Message(type, flags).u8(0).u8(0).u16(0).u32(index).u32(0).u32(0);
    }

    static Message makeMessage(String name) {
        Message message = link(NEW_LINK, Message.CREATE | Message.EXCL, 0).text(IFLA_IFNAME, name);
        int begun = message.begin(IFLA_LINKINFO);
        return message.attribute(IFLA_INFO_KIND, "dummy".getBytes(StandardCharsets.US_ASCII)).end(begun);
    }

    void make() throws NetlinkException {
        try {
            socket.request("making the link " + name, makeMessage(name));
        } catch (NetlinkException e) {
            if (e.errno() != NetlinkException.EEXIST) {
                throw e;
            }
        }
        index = 0;
    }

    /** The number of the link; 0 if there is none. */
    private int find() throws NetlinkException {
        AtomicInteger found = new AtomicInteger();
        try {
            socket.ask("finding the link " + name, link(GET_LINK, 0, 0).text(IFLA_IFNAME, name), (type, payload) -> {
                if (type == NEW_LINK) {
                    found.set(payload.getInt(4));
                }
            });
        } catch (NetlinkException e) {
            if (e.errno() != NetlinkException.ENODEV) {
                throw e;
            }
        }
        index = found.get();
        return index;
    }

    boolean remove() throws NetlinkException {
        if (find() == 0) {
            return false;
        }
        socket.request("removing the link " + name, link(DEL_LINK, 0, index));
        index = 0;
        return true;
    }

    Set<Address> addresses() throws NetlinkException {
        Set<Address> addresses = new HashSet<>();
        if (find() == 0) {
            return addresses;
        }
        // One dump for all links: to ask for those of one link makes the kernel go through all of them for each part of the answer.
        Message question = new Message(GET_ADDRESS, 0).u8(0).u8(0).u8(0).u8(0).u32(0);
        socket.dump("listing addresses", question, addresses::clear, (type, payload) -> {
            boolean linkLocal = payload.get(0) == 10 && payload.get(3) == (byte) 253;
            if (type == NEW_ADDRESS && payload.getInt(4) == index && !linkLocal) {
                Attribute.list(payload, ADDRESS_HEAD).stream()
                        .filter(attribute -> attribute.type() == IFA_ADDRESS)
                        .forEach(attribute -> addresses.add(Address.of(attribute.bytes())));
            }
        });
        return addresses;
    }

    /** Asks for the way to each. */
    boolean areLocal(Set<Address> addresses) throws NetlinkException {
        List<Message> questions = new ArrayList<>();
        for (Address address : addresses) {
            byte[] bytes = address.bytes();
            questions.add(new Message(GET_ROUTE, 0).u8(address.isIpv4() ? 2 : 10).u8(8 * bytes.length).u16(0).u32(0).u32(0)
                    .attribute(ROUTE_TO, bytes));
        }
        AtomicInteger local = new AtomicInteger();
        socket.askAll(questions, (type, payload) -> {
            if (type == NEW_ROUTE && payload.get(ROUTE_KIND) == LOCAL) {
                local.incrementAndGet();
            }
        });
        return local.get() == addresses.size();
    }

    Message message(Change change) throws NetlinkException {
        if (index == 0) {
            find();
        }
        return change instanceof Change.AddAddress(Address address) ? message(NEW_ADDRESS, Message.CREATE | Message.EXCL, address, index)
                : change instanceof Change.DeleteAddress(Address gone) ? message(DEL_ADDRESS, 0, gone, index)
                : notForUs(change);
    }

    private static Message notForUs(Change change) {
        throw new IllegalArgumentException(change + " is not for a link");
    }

    static Message message(int type, int flags, Address address, int index) {
        byte[] bytes = address.bytes();
        return new Message(type, flags)
                .u8(address.isIpv4() ? 2 : 10).u8(8 * bytes.length).u8(address.isIpv4() ? 0 : NO_DETECTION).u8(0).u32(index)
                .attribute(IFA_LOCAL, bytes).attribute(IFA_ADDRESS, bytes);
    }

    int[] requestAll(List<Message> messages) throws NetlinkException {
        return socket.requestAll(messages);
    }

    @Override
    public void close() {
        socket.close();
    }
}
