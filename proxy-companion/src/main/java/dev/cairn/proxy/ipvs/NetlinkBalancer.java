package dev.cairn.proxy.ipvs;

import dev.cairn.facts.Address;
import dev.cairn.facts.Protocol;
import dev.cairn.proxy.netlink.Attribute;
import dev.cairn.proxy.netlink.GenericFamily;
import dev.cairn.proxy.netlink.Message;
import dev.cairn.proxy.netlink.NetlinkException;
import dev.cairn.proxy.netlink.NetlinkSocket;
import dev.cairn.proxy.plan.Endpoint;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The kernel's IPVS by generic netlink. Numbers are those of linux/ip_vs.h. Used by one thread. */
final class NetlinkBalancer implements Balancer {
    private static final int VERSION = 1;
    private static final int NEW_SERVICE = 1;
    private static final int SET_SERVICE = 2;
    private static final int DEL_SERVICE = 3;
    private static final int GET_SERVICE = 4;
    private static final int NEW_DEST = 5;
    private static final int SET_DEST = 6;
    private static final int DEL_DEST = 7;
    private static final int GET_DEST = 8;
    private static final int SET_CONFIG = 12;
    private static final int SERVICE = 1;
    private static final int DEST = 2;
    private static final int[] TIMEOUTS = {4, 5, 6};
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;

    private final NetlinkSocket generic;
    private final GenericFamily family;
    private final AddressLink link;

    private NetlinkBalancer(NetlinkSocket generic, GenericFamily family, AddressLink link) {
        this.generic = generic;
        this.family = family;
        this.link = link;
    }

    /** Opens the kernel of the calling thread's namespace; {@code ENOENT} if it has no IPVS. */
    static NetlinkBalancer open() throws NetlinkException {
        NetlinkSocket generic = new NetlinkSocket(NetlinkSocket.GENERIC);
        try {
            return new NetlinkBalancer(generic, GenericFamily.find(generic, "IPVS"), new AddressLink(LINK));
        } catch (NetlinkException e) {
            generic.close();
            throw e;
        }
    }

    @Override
    public void close() {
        generic.close();
        link.close();
    }

    @Override
    public void makeLink() throws NetlinkException {
        link.make();
    }

    @Override
    public boolean removeLink() throws NetlinkException {
        return link.remove();
    }

    @Override
    public Set<Address> addresses() throws NetlinkException {
        return link.addresses();
    }

    static int number(Protocol protocol) {
        return switch (protocol) {
            case TCP -> 6;
            case UDP -> 17;
            case SCTP -> 132;
        };
    }

    private static @Nullable Protocol protocol(int number) {
        return switch (number) {
            case 6 -> Protocol.TCP;
            case 17 -> Protocol.UDP;
            case 132 -> Protocol.SCTP;
            default -> null;
        };
    }

    /** The request for a change to a virtual or real server. */
    static Message message(GenericFamily family, Change change) {
        return switch (change) {
            case Change.PutServer(ServerKey key, Server server, boolean isNew) ->
                    server(family.request(isNew ? NEW_SERVICE : SET_SERVICE, VERSION, 0), key, server);
            case Change.DeleteServer(ServerKey key) -> server(family.request(DEL_SERVICE, VERSION, 0), key, null);
            case Change.PutReal(ServerKey key, Endpoint endpoint, int weight, boolean isNew) -> {
                Message message = server(family.request(isNew ? NEW_DEST : SET_DEST, VERSION, 0), key, null);
                int begun = real(message, endpoint);
                // Masquerading forwarding, and no limits to connections.
                yield message.number32(3, 0).number32(4, weight).number32(5, 0).number32(6, 0).end(begun);
            }
            case Change.DeleteReal(ServerKey key, Endpoint endpoint) -> {
                Message message = server(family.request(DEL_DEST, VERSION, 0), key, null);
                yield message.end(real(message, endpoint));
            }
            case Change.AddAddress _, Change.DeleteAddress _ -> throw new IllegalArgumentException(change + " is not for IPVS");
        };
    }

    private static Message server(Message message, ServerKey key, @Nullable Server server) {
        int begun = message.begin(SERVICE);
        message.number16(1, key.isIpv4() ? AF_INET : AF_INET6).number16(2, number(key.protocol()));
        message.attribute(3, key.at().address().bytes()).port(4, key.at().port());
        if (server != null) {
            byte[] flags = new byte[8];
            ByteBuffer.wrap(flags).order(ByteOrder.nativeOrder()).putInt(server.flags()).putInt(-1);
            message.text(6, server.scheduler()).attribute(7, flags).number32(8, server.seconds()).number32(9, key.isIpv4() ? -1 : 128);
        }
        return message.end(begun);
    }

    private static int real(Message message, Endpoint endpoint) {
        int begun = message.begin(DEST);
        message.attribute(1, endpoint.address().bytes()).port(2, endpoint.port());
        return begun;
    }

    @Override
    public Map<ServerKey, Server> servers() throws NetlinkException {
        Map<ServerKey, Server> servers = new HashMap<>();
        generic.dump("listing virtual servers", family.request(GET_SERVICE, VERSION, 0), servers::clear,
                (_, payload) -> servers(payload, servers));
        return servers;
    }

    @Override
    public Map<ServerKey, Server> servers(List<ServerKey> keys) throws NetlinkException {
        Map<ServerKey, Server> servers = new HashMap<>();
        List<Message> questions = keys.stream().map(key -> server(family.request(GET_SERVICE, VERSION, 0), key, null)).toList();
        generic.askAll(questions, (_, payload) -> servers(payload, servers));
        return servers;
    }

    private static void servers(ByteBuffer payload, Map<ServerKey, Server> servers) {
        for (Attribute attribute : Attribute.list(payload, GenericFamily.HEAD)) {
            if (attribute.type() == SERVICE) {
                server(attribute.parts(), servers);
            }
        }
    }

    @Override
    public boolean areLocal(Set<Address> addresses) throws NetlinkException {
        return link.areLocal(addresses);
    }

    /** One that goes by a mark has no protocol, and is none of ours. */
    private static void server(List<Attribute> parts, Map<ServerKey, Server> servers) {
        boolean ipv4 = true;
        Protocol protocol = null;
        byte[] address = {};
        int port = 0;
        String scheduler = "";
        int flags = 0;
        int seconds = 0;
        for (Attribute part : parts) {
            switch (part.type()) {
                case 1 -> ipv4 = part.number() == AF_INET;
                case 2 -> protocol = protocol(part.number());
                case 3 -> address = part.bytes();
                case 4 -> port = part.port();
                case 6 -> scheduler = part.text();
                case 7 -> flags = part.number() & ~Server.HASHED;
                case 8 -> seconds = part.number();
                default -> {}
            }
        }
        if (protocol != null && address.length >= (ipv4 ? 4 : 16)) {
            // The kernel fills in a time for those that do not use it.
            int used = (flags & Server.PERSISTENT) != 0 ? seconds : 0;
            servers.put(new ServerKey(protocol, new Endpoint(address(address, ipv4), port)), new Server(scheduler, flags, used));
        }
    }

    private static Address address(byte[] bytes, boolean ipv4) {
        return Address.of(Arrays.copyOf(bytes, ipv4 ? 4 : 16));
    }

    @Override
    public Map<Endpoint, RealServer> reals(ServerKey key) throws NetlinkException {
        Map<Endpoint, RealServer> reals = new HashMap<>();
        Message question = server(family.request(GET_DEST, VERSION, 0), key, null);
        generic.dump("listing real servers", question, reals::clear, (_, payload) -> {
            for (Attribute attribute : Attribute.list(payload, GenericFamily.HEAD)) {
                if (attribute.type() == DEST) {
                    real(attribute.parts(), key.isIpv4(), reals);
                }
            }
        });
        return reals;
    }

    private static void real(List<Attribute> parts, boolean ipv4, Map<Endpoint, RealServer> reals) {
        byte[] address = {};
        int port = 0;
        int weight = 0;
        int connections = 0;
        for (Attribute part : parts) {
            switch (part.type()) {
                case 1 -> address = part.bytes();
                case 2 -> port = part.port();
                case 4 -> weight = part.number();
                case 7, 8 -> connections += part.number();
                default -> {}
            }
        }
        if (address.length >= (ipv4 ? 4 : 16)) {
            reals.put(new Endpoint(address(address, ipv4), port), new RealServer(weight, connections));
        }
    }

    @Override
    public void make(List<? extends Change> changes) throws NetlinkException, Refusal {
        Refusal first = null;
        int from = 0;
        while (from < changes.size()) {
            boolean address = isAddress(changes.get(from));
            int to = from;
            List<Message> messages = new ArrayList<>();
            while (to < changes.size() && isAddress(changes.get(to)) == address) {
                messages.add(address ? link.message(changes.get(to)) : message(family, changes.get(to)));
                to++;
            }
            int[] errors = address ? link.requestAll(messages) : generic.requestAll(messages);
            for (int i = 0; i < errors.length && first == null; i++) {
                first = isRefusal(changes.get(from + i), errors[i]) ? new Refusal(changes.get(from + i), errors[i]) : null;
            }
            from = to;
        }
        if (first != null) {
            throw first;
        }
    }

    private static boolean isAddress(Change change) {
        return change instanceof Change.AddAddress || change instanceof Change.DeleteAddress;
    }

    private static boolean isRefusal(Change change, int errno) {
        return errno != 0 && switch (change) {
            case Change.AddAddress _ -> errno != NetlinkException.EEXIST;
            case Change.DeleteAddress _ -> errno != NetlinkException.EADDRNOTAVAIL;
            case Change.DeleteServer _ -> errno != NetlinkException.ESRCH;
            case Change.DeleteReal _ -> errno != NetlinkException.ENOENT && errno != NetlinkException.ESRCH;
            case Change.PutServer _, Change.PutReal _ -> true;
        };
    }

    @Override
    public void timeouts(int tcpSeconds, int tcpFinSeconds, int udpSeconds) throws NetlinkException {
        if (tcpSeconds + tcpFinSeconds + udpSeconds > 0) {
            generic.request("setting timeouts of IPVS", family.request(SET_CONFIG, VERSION, 0)
                    .number32(TIMEOUTS[0], tcpSeconds).number32(TIMEOUTS[1], tcpFinSeconds).number32(TIMEOUTS[2], udpSeconds));
        }
    }
}
