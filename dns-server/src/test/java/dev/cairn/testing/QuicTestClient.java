package dev.cairn.testing;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.handler.codec.quic.QuicChannel;
import io.netty.handler.codec.quic.QuicClientCodecBuilder;
import io.netty.handler.codec.quic.QuicConnectionCloseEvent;
import io.netty.handler.codec.quic.QuicSslContext;
import io.netty.handler.codec.quic.QuicSslContextBuilder;
import io.netty.handler.codec.quic.QuicStreamChannel;
import io.netty.handler.codec.quic.QuicStreamResetException;
import io.netty.handler.codec.quic.QuicStreamType;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A connection of DNS over QUIC on which a test decides about each byte and each end. */
public final class QuicTestClient implements AutoCloseable {
    private final MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final CompletableFuture<Integer> closed = new CompletableFuture<>();
    private final QuicChannel connection;

    public QuicTestClient(int port, Path authority) throws Exception {
        QuicSslContext context =
                QuicSslContextBuilder.forClient().trustManager(authority.toFile()).applicationProtocols("doq").build();
        Channel socket = new Bootstrap().group(group).channel(NioDatagramChannel.class).handler(new QuicClientCodecBuilder()
                .sslEngineProvider(channel -> context.newEngine(channel.alloc(), "localhost", port))
                .maxIdleTimeout(1, TimeUnit.HOURS)
                .initialMaxData(1 << 20)
                .initialMaxStreamDataBidirectionalLocal(1 << 18)
                .build()).bind(0).sync().channel();
        try {
            connection = QuicChannel.newBootstrap(socket).handler(new ChannelInboundHandlerAdapter() {
                @Override
                public void userEventTriggered(ChannelHandlerContext context, Object event) {
                    if (event instanceof QuicConnectionCloseEvent close) {
                        closed.complete(close.error());
                    }
                }

                @Override
                public void channelInactive(ChannelHandlerContext context) {
                    closed.complete(-1);
                }
            }).remoteAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)).connect().get(2, TimeUnit.MINUTES);
        } catch (Exception e) {
            close();
            throw e;
        }
    }

    /** After how many milliseconds without a word the server says it ends the connection. */
    public long idleMillis() {
        return Objects.requireNonNull(connection.peerTransportParameters()).maxIdleTimeout();
    }

    /** A stream and what came back on it. */
    public static final class Stream extends ChannelInboundHandlerAdapter {
        private final CompletableFuture<byte[]> reply = new CompletableFuture<>();
        private final CompletableFuture<Long> reset = new CompletableFuture<>();
        private final ByteBuf in = Unpooled.buffer();

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf more = (ByteBuf) message;
            in.writeBytes(more);
            more.release();
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event == ChannelInputShutdownReadComplete.INSTANCE) {
                byte[] all = new byte[in.readableBytes()];
                in.readBytes(all);
                reply.complete(all);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            if (cause instanceof QuicStreamResetException by) {
                reset.complete(by.applicationProtocolCode());
            }
        }

        /** All that came until the server ended its side. */
        public byte[] reply() throws Exception {
            return reply.get(2, TimeUnit.MINUTES);
        }

        /** The code by which the server gave the stream up. */
        public long resetCode() throws Exception {
            return reset.get(2, TimeUnit.MINUTES);
        }
    }

    /** Opens a stream, sends the bytes, and ends its side if {@code fin}. */
    public Stream send(byte[] bytes, boolean fin) throws Exception {
        Stream stream = new Stream();
        QuicStreamChannel channel = connection.createStream(QuicStreamType.BIDIRECTIONAL, stream).get(2, TimeUnit.MINUTES);
        var written = channel.writeAndFlush(Unpooled.wrappedBuffer(bytes));
        if (fin) {
            written.addListener(QuicStreamChannel.SHUTDOWN_OUTPUT);
        }
        return stream;
    }

    /** The code by which the server closed the connection. */
    public int closeCode() throws Exception {
        return closed.get(2, TimeUnit.MINUTES);
    }

    public boolean isClosed() {
        return closed.isDone();
    }

    @Override
    public void close() {
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(1, TimeUnit.MINUTES);
    }
}
