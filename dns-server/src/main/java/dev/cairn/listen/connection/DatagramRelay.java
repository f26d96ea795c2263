package dev.cairn.listen.connection;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Protocol;
import dev.cairn.chain.Relay;
import dev.cairn.log.Log;
import dev.cairn.plugin.ProxyProtocol;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Takes PROXY headers off the datagrams of one socket, whose thread owns it, and remembers who sent one for the datagrams that follow
 * without, if that is wanted: some load balancers send the header once, in a datagram of its own.
 */
public final class DatagramRelay {
    /** The datagram is not to be answered. */
    public static final int DROP = -1;

    private static final Log LOG = Log.plugin("proxyproto");
    private static final byte[] LINE_START = {'P', 'R', 'O', 'X', 'Y', ' '};

    private final Map<Sender, Session> sessions = new LinkedHashMap<>(16, 0.75f, true);

    @SuppressWarnings("ArrayRecordComponent") // compared by the methods below
    private record Sender(byte[] address, int port) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Sender(byte[] its, int itsPort) && port == itsPort && Arrays.equals(address, its);
        }

        @Override
        public int hashCode() {
            return 31 * Arrays.hashCode(address) + port;
        }
    }

    private record Session(ProxyHeader header, long untilNanos) {}

    /**
     * Takes the header off the packet of {@code size} bytes in the exchange's query buffer, and has the exchange say who the client is. The
     * exchange must know the sender already. Returns the size of what is left, or {@link #DROP}.
     */
    public int unwrap(Exchange exchange, int size, ProxyProtocol protocol) {
        ProxyProtocol.Action action = protocol.action(exchange.clientAddress(), exchange.addressLength());
        if (action == ProxyProtocol.Action.SKIP) {
            return size;
        }
        byte[] packet = exchange.query().buffer(size);
        if (!ProxyHeader.startsDatagram(packet, size)) {
            return withoutHeader(exchange, packet, size, protocol, action);
        }
        try {
            ProxyHeader header = ProxyHeader.read(packet, size);
            if (action == ProxyProtocol.Action.REJECT || (header.namesClient() && !header.datagrams())) {
                return refuse(exchange, "it is not about datagrams, or of a sender that is not allowed");
            }
            int left = size - header.length();
            System.arraycopy(packet, header.length(), packet, 0, left);
            if (action == ProxyProtocol.Action.USE && header.namesClient()) {
                remember(exchange, header, protocol);
                apply(exchange, header, protocol);
            }
            return left == 0 ? DROP : left;
        } catch (ProxyHeader.BadHeader e) {
            return refuse(exchange, String.valueOf(e.getMessage()));
        }
    }

    private int withoutHeader(Exchange exchange, byte[] packet, int size, ProxyProtocol protocol, ProxyProtocol.Action action) {
        if (size > LINE_START.length && Arrays.equals(packet, 0, LINE_START.length, LINE_START, 0, LINE_START.length)) {
            return refuse(exchange, "version 1 is for connections only");
        }
        if (action == ProxyProtocol.Action.USE && protocol.sessions().isPositive()) {
            Session session = sessions.get(sender(exchange));
            if (session != null && session.untilNanos - System.nanoTime() > 0) {
                remember(exchange, session.header, protocol);
                apply(exchange, session.header, protocol);
            }
        }
        return size;
    }

    private static Sender sender(Exchange exchange) {
        return new Sender(Arrays.copyOf(exchange.clientAddress(), exchange.addressLength()), exchange.clientPort());
    }

    private void remember(Exchange exchange, ProxyHeader header, ProxyProtocol protocol) {
        if (!protocol.sessions().isPositive()) {
            return;
        }
        sessions.put(sender(exchange), new Session(header, System.nanoTime() + protocol.sessions().toNanos()));
        if (sessions.size() > protocol.maxSessions()) {
            sessions.remove(sessions.keySet().iterator().next());
        }
    }

    private static void apply(Exchange exchange, ProxyHeader header, ProxyProtocol protocol) {
        int length = exchange.addressLength();
        Relay relay = new Relay(Arrays.copyOf(exchange.clientAddress(), length), exchange.clientPort(),
                Arrays.copyOf(exchange.localAddress(), length), header.tlvs(protocol.tlvs()));
        exchange.from(Protocol.UDP, header.source(), header.sourcePort(), header.destination(), header.destinationPort(),
                header.source().length);
        exchange.relayedBy(relay);
    }

    private static int refuse(Exchange exchange, String reason) {
        if (Log.debugging()) {
            LOG.offer(Log.Level.DEBUG, "dropping a datagram of " + exchange.client() + " with a bad PROXY header: " + reason);
        }
        return DROP;
    }
}
