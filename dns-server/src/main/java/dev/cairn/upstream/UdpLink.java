package dev.cairn.upstream;

import dev.cairn.wire.Bytes;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.socket.DatagramPacket;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** A UDP socket that is connected, so that the kernel lets in only what comes from the upstream's address and port. */
final class UdpLink extends Link {
    /** More than we say we take; some send more than they should. */
    private static final int RECEIVE_SIZE = 4096;

    private @Nullable Channel channel;

    UdpLink(Pool pool) {
        super(pool);
    }

    @Override
    void open() {
        Upstream upstream = pool().upstream();
        ChannelFuture connecting = lane().datagrams(upstream.address())
                .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(RECEIVE_SIZE))
                .handler(new Handler())
                .connect(upstream.address(), localAddress(upstream));
        channel = connecting.channel();
        connecting.addListener(done -> {
            if (done.isSuccess()) {
                opened();
            } else {
                broke(Failures.describe(done.cause()));
            }
        });
    }

    static @Nullable InetSocketAddress localAddress(Upstream upstream) {
        return upstream.settings().source() == null ? null : new InetSocketAddress(upstream.settings().source(), 0);
    }

    @Override
    int newKey() {
        return randomKey();
    }

    @Override
    void transmit(Attempt attempt) {
        Channel to = channel;
        if (to != null) {
            int length = attempt.write(attempt.key);
            to.writeAndFlush(to.alloc().directBuffer(length).writeBytes(lane().out(), 0, length), to.voidPromise());
        }
    }

    @Override
    void shut() {
        if (channel != null) {
            channel.close();
        }
    }

    private final class Handler extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            DatagramPacket packet = (DatagramPacket) message;
            int length = 0;
            try {
                ByteBuf content = packet.content();
                length = content.readableBytes();
                content.readBytes(lane().in(), 0, length);
            } finally {
                packet.release();
            }
            if (length >= 2) {
                received(attempt(Bytes.u16(lane().in(), 0)), length);
            }
        }

        /** Such as an ICMP message that nobody listens there: all questions of this socket went to the same place. */
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            broke(Failures.describe(cause));
        }
    }
}
