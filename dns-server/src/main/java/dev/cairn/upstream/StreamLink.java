package dev.cairn.upstream;

import dev.cairn.wire.Bytes;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A connection by TCP or TLS that carries several questions at once, whose replies may come in any order (RFC 7766 section 6.2.1.1, RFC
 * 7858).
 */
final class StreamLink extends Link {
    private @Nullable Channel channel;

    StreamLink(Pool pool) {
        super(pool);
    }

    @Override
    void open() {
        channel = connect(this, pool(), new Frames());
    }

    /** Opens a connection to the pool's upstream, with TLS if its carrier has that. */
    static Channel connect(Link link, Pool pool, ChannelHandler handler) {
        Upstream upstream = pool.upstream();
        TlsContexts tls = pool.carrier() == Carrier.TCP ? null : upstream.tls();
        Bootstrap bootstrap = pool.lane().streams()
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 0) // the link has a timer of its own
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel opening) {
                        if (tls != null) {
                            opening.pipeline().addLast(tls.handler(opening.alloc(), upstream, pool.carrier()));
                        }
                        opening.pipeline().addLast(handler);
                    }
                });
        ChannelFuture connecting = bootstrap.connect(upstream.address(), UdpLink.localAddress(upstream));
        connecting.addListener(done -> {
            if (!done.isSuccess()) {
                link.broke(Failures.describe(done.cause()));
            } else if (tls == null) {
                link.opened();
            }
        });
        return connecting.channel();
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
            to.writeAndFlush(to.alloc().directBuffer(2 + length).writeShort(length).writeBytes(lane().out(), 0, length), to.voidPromise());
        }
    }

    @Override
    void shut() {
        if (channel != null) {
            channel.close();
        }
    }

    private final class Frames extends ByteToMessageDecoder {
        @Override
        protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> unused) {
            if (in.readableBytes() < 2) {
                return;
            }
            int length = in.getUnsignedShort(in.readerIndex());
            if (in.readableBytes() >= 2 + length) {
                in.skipBytes(2);
                in.readBytes(lane().in(), 0, length);
                received(length < 2 ? null : attempt(Bytes.u16(lane().in(), 0)), length);
            }
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event instanceof SslHandshakeCompletionEvent handshake) {
                if (handshake.isSuccess()) {
                    opened();
                } else {
                    broke(Failures.describe(handshake.cause()));
                }
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            broke("the connection was closed");
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            broke(Failures.describe(cause));
        }
    }
}
