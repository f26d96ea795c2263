package dev.cairn.listen.connection;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Protocol;
import dev.cairn.chain.Relay;
import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The two ends of a connection, as a load balancer told them if there is one. The addresses are of the same length.
 *
 * @param relay the load balancer, null if the client itself is connected
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Peer(byte[] client, int clientPort, byte[] local, int localPort, @Nullable Relay relay) {
    private static final AttributeKey<Peer> TOLD = AttributeKey.valueOf(Peer.class, "told");

    static void tell(Channel channel, Peer peer) {
        channel.attr(TOLD).set(peer);
    }

    /** Who is connected; known for good once the first byte of a query has come. */
    public static Peer of(Channel channel) {
        Peer told = channel.attr(TOLD).get();
        return told != null ? told : of(channel.remoteAddress(), channel.localAddress());
    }

    /** The ends as the sockets have them. */
    public static Peer of(@Nullable SocketAddress remote, @Nullable SocketAddress own) {
        byte[] client = remote instanceof InetSocketAddress address ? address.getAddress().getAddress() : new byte[4];
        byte[] local = own instanceof InetSocketAddress address ? address.getAddress().getAddress() : new byte[client.length];
        return new Peer(
                client,
                remote instanceof InetSocketAddress address ? address.getPort() : 0,
                local.length == client.length ? local : new byte[client.length],
                own instanceof InetSocketAddress address ? address.getPort() : 0,
                null);
    }

    /** Says who asks. */
    public void describe(Exchange exchange, Protocol protocol) {
        exchange.from(protocol, client, clientPort, local, localPort, client.length);
        exchange.relayedBy(relay);
    }
}
