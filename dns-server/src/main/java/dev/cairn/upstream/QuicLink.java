package dev.cairn.upstream;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.quic.QuicChannel;
import io.netty.handler.codec.quic.QuicClientCodecBuilder;
import io.netty.handler.codec.quic.QuicStreamChannel;
import io.netty.handler.codec.quic.QuicStreamType;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A QUIC connection that carries each question in a stream of its own (RFC 9250). */
final class QuicLink extends Link {
    private static final int MAX_MESSAGE = 2 + 0xffff;

    /** DOQ_NO_ERROR and DOQ_REQUEST_CANCELLED (RFC 9250 section 8.4). */
    private static final int NO_ERROR = 0;

    private static final int CANCELLED = 3;

    private @Nullable Channel socket;
    private @Nullable QuicChannel connection;
    private int keys;

    QuicLink(Pool pool) {
        super(pool);
    }

    @Override
    void open() {
        Upstream upstream = pool().upstream();
        TlsContexts tls = upstream.tls();
        if (tls == null) {
            throw new IllegalStateException("an upstream by QUIC has TLS");
        }
        ChannelHandler codec = new QuicClientCodecBuilder()
                .sslEngineProvider(channel -> tls.engine(channel.alloc(), upstream))
                .maxIdleTimeout(upstream.settings().expireNanos() + upstream.settings().readNanos(), TimeUnit.NANOSECONDS)
                .initialMaxData(1 << 22)
                .initialMaxStreamDataBidirectionalLocal(MAX_MESSAGE)
                .build();
        InetSocketAddress local = UdpLink.localAddress(upstream);
        ChannelFuture binding = lane().datagrams(upstream.address())
                .handler(codec)
                .bind(local == null ? new InetSocketAddress(0) : local);
        socket = binding.channel();
        binding.addListener(done -> {
            if (done.isSuccess()) {
                connect(binding.channel(), upstream);
            } else {
                broke(Failures.describe(done.cause()));
            }
        });
    }

    private void connect(Channel over, Upstream upstream) {
        QuicChannel.newBootstrap(over)
                .handler(new ChannelInboundHandlerAdapter() {
                    @Override
                    public void channelInactive(ChannelHandlerContext context) {
                        broke("the connection was closed");
                    }

                    @Override
                    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
                        broke(Failures.describe(cause));
                    }
                })
                .streamHandler(new ChannelInboundHandlerAdapter()) // servers open none
                .remoteAddress(upstream.address())
                .connect()
                .addListener(done -> {
                    if (done.isSuccess()) {
                        connection = (QuicChannel) done.getNow();
                        opened();
                    } else {
                        broke(Failures.describe(done.cause()));
                    }
                });
    }

    @Override
    int newKey() {
        return keys++;
    }

    @Override
    void transmit(Attempt attempt) {
        QuicChannel over = connection;
        if (over == null) {
            return;
        }
        int length = attempt.write(0); // RFC 9250 section 4.2.1
        ByteBuf query = over.alloc().directBuffer(2 + length).writeShort(length).writeBytes(lane().out(), 0, length);
        over.createStream(QuicStreamType.BIDIRECTIONAL, new Reply(attempt)).addListener(done -> {
            if (done.isSuccess()) {
                QuicStreamChannel stream = (QuicStreamChannel) done.getNow();
                stream.writeAndFlush(query).addListener(QuicStreamChannel.SHUTDOWN_OUTPUT);
            } else {
                query.release();
                fail(attempt, Failures.describe(done.cause()));
            }
        });
    }

    private void fail(Attempt attempt, String reason) {
        if (attempt(attempt.key) == attempt) {
            done(attempt);
            attempt.failed(reason);
        }
    }

    @Override
    void shut() {
        Channel bound = socket;
        if (connection != null) {
            connection.close(true, NO_ERROR, Unpooled.EMPTY_BUFFER).addListener(_ -> {
                if (bound != null) {
                    bound.close();
                }
            });
        } else if (bound != null) {
            bound.close();
        }
    }

    /** Gathers the reply on its stream. */
    private final class Reply extends ChannelInboundHandlerAdapter {
        private final Attempt attempt;
        private final ByteBuf bytes = Unpooled.buffer(512, MAX_MESSAGE);

        Reply(Attempt attempt) {
            this.attempt = attempt;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf more = (ByteBuf) message;
            try {
                if (attempt(attempt.key) != attempt || bytes.readableBytes() + more.readableBytes() > MAX_MESSAGE) {
                    ((QuicStreamChannel) context.channel()).shutdown(CANCELLED);
                    return;
                }
                bytes.writeBytes(more);
            } finally {
                more.release();
            }
            int length = bytes.readableBytes() < 2 ? MAX_MESSAGE : bytes.getUnsignedShort(0);
            if (bytes.readableBytes() >= 2 + length) {
                bytes.getBytes(2, lane().in(), 0, length);
                receivedAlone(attempt, length);
                context.close();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            fail(attempt, "the server ended the stream without a reply");
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            fail(attempt, Failures.describe(cause));
        }
    }
}
