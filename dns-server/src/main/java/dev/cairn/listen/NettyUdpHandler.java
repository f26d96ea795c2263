package dev.cairn.listen;

import dev.cairn.chain.Dispatcher;
import dev.cairn.chain.Exchange;
import dev.cairn.chain.Protocol;
import dev.cairn.chain.Relay;
import dev.cairn.chain.ReplySink;
import dev.cairn.listen.connection.DatagramRelay;
import dev.cairn.listen.connection.Service;
import dev.cairn.metrics.Counter;
import dev.cairn.plugin.ProxyProtocol;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DatagramPacket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Serves one datagram channel on its event loop, which owns all fields. Replies are written as they are made and flushed per batch. */
final class NettyUdpHandler extends ChannelInboundHandlerAdapter implements ReplySink {
    /** How long no packet must have come for a closing socket to count as quiet. */
    static final Duration QUIET = Duration.ofMillis(200);

    private final Service service;
    private final DatagramRelay relay = new DatagramRelay();
    private final Kept kept = new Kept();
    private final Counter unsent;
    private final ChannelFutureListener whenSent = this::sent;
    private Exchange exchange = new Exchange();
    private Dispatcher.@Nullable Worker worker;
    private @Nullable Channel channel;
    private byte[] local = new byte[4];
    private int localPort;
    private long lastPacketNanos;

    NettyUdpHandler(Service service) {
        this.service = service;
        this.unsent = UdpEngine.unsentReplies(service);
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        InetSocketAddress address = (InetSocketAddress) context.channel().localAddress();
        channel = context.channel();
        local = address.getAddress().getAddress();
        localPort = address.getPort();
        lastPacketNanos = System.nanoTime();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        DatagramPacket packet = (DatagramPacket) message;
        try {
            serve(context, packet.content(), packet.sender());
        } finally {
            packet.release();
        }
    }

    private void serve(ChannelHandlerContext context, ByteBuf content, InetSocketAddress sender) {
        if (worker == null) {
            worker = Dispatcher.worker();
        }
        int size = content.readableBytes();
        content.readBytes(exchange.query().buffer(size), 0, size);
        describe(sender);
        ProxyProtocol proxy = service.proxy();
        if (proxy != null) {
            size = relay.unwrap(exchange, size, proxy);
            if (size == DatagramRelay.DROP) {
                return;
            }
        }
        int length = service.dispatcher().handle(exchange, size, service.router(), worker, this);
        lastPacketNanos = exchange.startNanos();
        if (length == Dispatcher.LATER) {
            exchange = new Exchange();
            kept.begin();
        } else if (length > 0 && context.channel().isWritable()) {
            ByteBuf reply = context.alloc().directBuffer(length).writeBytes(worker.out(), 0, length);
            context.write(new DatagramPacket(reply, sender)).addListener(whenSent);
        } else if (length > 0) {
            unsent.increment();
        }
    }

    private void describe(InetSocketAddress sender) {
        byte[] client = sender.getAddress().getAddress();
        // A wildcard socket does not know which address was asked; it is not used for those that existed when it was opened.
        byte[] asked = local.length == client.length ? local : new byte[client.length];
        exchange.from(Protocol.UDP, client, sender.getPort(), asked, localPort, client.length);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        context.flush();
    }

    @Override
    public void send(Exchange done, byte[] reply, int length) {
        Channel to = channel;
        if (length > 0 && to != null && to.isWritable()) {
            ByteBuf buffer = to.alloc().directBuffer(length).writeBytes(reply, 0, length);
            // Only then has it left: until now it may wait behind a look whether the socket can be closed.
            to.writeAndFlush(new DatagramPacket(buffer, receiver(done))).addListener(whenSent).addListener(_ -> kept.end());
        } else {
            if (length > 0) {
                unsent.increment();
            }
            kept.end();
        }
    }

    private void sent(ChannelFuture reply) {
        if (!reply.isSuccess()) {
            unsent.increment();
        }
    }

    private static InetSocketAddress receiver(Exchange done) {
        Relay by = done.relay();
        if (by == null) {
            return new InetSocketAddress(done.client(), done.clientPort());
        }
        try {
            return new InetSocketAddress(InetAddress.getByAddress(by.sender()), by.senderPort());
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address has 4 or 16 bytes", e);
        }
    }

    /** An unreachable client is told to us by ICMP; nothing is to be done about it, and the socket goes on. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof Error) {
            context.fireExceptionCaught(cause);
        }
    }

    ChannelFuture closeWhenQuiet(Channel closing, Duration grace) {
        long deadline = System.nanoTime() + grace.toNanos();
        closing.eventLoop().execute(() -> check(closing, deadline));
        return closing.closeFuture();
    }

    private void check(Channel closing, long deadline) {
        long now = System.nanoTime();
        if ((now - lastPacketNanos > QUIET.toNanos() && kept.isEmpty()) || now - deadline > 0) {
            closing.close();
        } else {
            closing.eventLoop().schedule(() -> check(closing, deadline), QUIET.toMillis() / 4, TimeUnit.MILLISECONDS);
        }
    }
}
