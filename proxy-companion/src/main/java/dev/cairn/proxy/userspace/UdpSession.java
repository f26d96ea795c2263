package dev.cairn.proxy.userspace;

import dev.cairn.facts.Protocol;
import dev.cairn.proxy.plan.Endpoint;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.DatagramPacket;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;

/** A UDP client and its endpoint. Owned by the event loop of its listener. */
final class UdpSession extends SimpleChannelInboundHandler<DatagramPacket> {
    /** Datagrams that wait for the socket to be there. */
    private static final int WAITING = 16;

    private final UdpListener listener;
    private final Relay relay;
    private final Channel toClient;
    private final InetSocketAddress client;
    private final Endpoint endpoint;
    private final ArrayDeque<ByteBuf> waiting = new ArrayDeque<>();
    private final ChannelFuture connected;
    private long lastUsed;
    private boolean ready;

    UdpSession(UdpListener listener, Relay relay, Channel toClient, InetSocketAddress client, Endpoint endpoint) {
        this.listener = listener;
        this.relay = relay;
        this.toClient = toClient;
        this.client = client;
        this.endpoint = endpoint;
        connected = relay.connectDatagrams(toClient.eventLoop(), endpoint, this);
    }

    void start() {
        connected.addListener(done -> {
            if (done.isSuccess()) {
                ready = true;
                waiting.forEach(this::write);
                waiting.clear();
            } else {
                listener.refused(this);
            }
        });
    }

    InetSocketAddress client() {
        return client;
    }

    Endpoint endpoint() {
        return endpoint;
    }

    long lastUsed() {
        return lastUsed;
    }

    void used(long now) {
        lastUsed = now;
    }

    /** Sends on a datagram, which is released. */
    void send(ByteBuf bytes) {
        if (ready) {
            write(bytes);
        } else if (waiting.size() < WAITING) {
            waiting.add(bytes);
        } else {
            drop(bytes);
        }
    }

    private void write(ByteBuf bytes) {
        if (connected.channel().isWritable()) {
            relay.metrics().carried(Protocol.UDP, true, bytes.readableBytes());
            connected.channel().writeAndFlush(bytes);
        } else {
            drop(bytes);
        }
    }

    private void drop(ByteBuf bytes) {
        bytes.release();
        relay.metrics().dropped();
    }

    void close() {
        waiting.forEach(this::drop);
        waiting.clear();
        connected.channel().close();
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, DatagramPacket packet) {
        listener.answered(this);
        if (toClient.isWritable()) {
            relay.metrics().carried(Protocol.UDP, false, packet.content().readableBytes());
            toClient.writeAndFlush(new DatagramPacket(packet.content().retain(), client));
        } else {
            relay.metrics().dropped();
        }
    }

    /** As when the endpoint's machine says that nobody listens. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        listener.refused(this);
    }
}
