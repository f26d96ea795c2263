package dev.cairn.proxy.userspace;

import io.netty.channel.Channel;
import java.net.InetSocketAddress;

/** A port for TCP. */
final class TcpListener implements RelayListener {
    private final Channel channel;
    private final Balancer balancer;
    private final int port;

    TcpListener(Channel channel, Balancer balancer) {
        this.channel = channel;
        this.balancer = balancer;
        port = ((InetSocketAddress) channel.localAddress()).getPort();
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public void update(Targets targets) {
        balancer.update(targets);
    }

    @Override
    public void close() {
        channel.close().awaitUninterruptibly();
    }
}
