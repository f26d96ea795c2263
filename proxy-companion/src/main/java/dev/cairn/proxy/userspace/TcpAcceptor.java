package dev.cairn.proxy.userspace;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.socket.SocketChannel;

/** Takes the clients of a listener. */
@Sharable
final class TcpAcceptor extends ChannelInitializer<SocketChannel> {
    private final Relay relay;
    private final Balancer balancer;

    TcpAcceptor(Relay relay, Balancer balancer) {
        this.relay = relay;
        this.balancer = balancer;
    }

    @Override
    protected void initChannel(SocketChannel client) {
        if (relay.metrics().connected(relay.limits().connections())) {
            client.closeFuture().addListener(_ -> relay.metrics().disconnected());
            client.pipeline().addLast(new TcpConnection(relay, balancer, client).clientSide());
        } else {
            Relay.reset(client);
        }
    }
}
