package dev.cairn.plugin.forward;

import dev.cairn.testing.ScriptedUpstream;
import dev.cairn.testing.TestCertificates;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.handler.codec.quic.InsecureQuicTokenHandler;
import io.netty.handler.codec.quic.QuicServerCodecBuilder;
import io.netty.handler.codec.quic.QuicSslContextBuilder;
import io.netty.handler.codec.quic.QuicStreamChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.xbill.DNS.Message;

/** DNS over QUIC (RFC 9250) as a server. */
final class QuicUpstream implements AutoCloseable {
    private final MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final Channel socket;
    private final List<Message> queries = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();

    QuicUpstream(TestCertificates.Leaf certificate, ScriptedUpstream.Script script) throws Exception {
        socket = new Bootstrap().group(group).channel(NioDatagramChannel.class).handler(new QuicServerCodecBuilder()
                .sslContext(QuicSslContextBuilder.forServer(certificate.key().toFile(), null, certificate.certificate().toFile()).applicationProtocols("doq").build())
                .maxIdleTimeout(1, TimeUnit.HOURS)
                .initialMaxData(1 << 20)
                .initialMaxStreamDataBidirectionalRemote(1 << 16)
                .initialMaxStreamsBidirectional(100)
                .tokenHandler(InsecureQuicTokenHandler.INSTANCE)
                .handler(new ChannelInboundHandlerAdapter() {
                    @Override
                    public void channelActive(ChannelHandlerContext context) {
                        connections.incrementAndGet();
                    }

                    @Override
                    public boolean isSharable() {
                        return true;
                    }
                })
                .streamHandler(new ChannelInitializer<QuicStreamChannel>() {
                    @Override
                    protected void initChannel(QuicStreamChannel stream) {
                        stream.pipeline().addLast(new Responder(script));
                    }
                })
                .build()).bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)).sync().channel();
    }

    int port() {
        return ((InetSocketAddress) socket.localAddress()).getPort();
    }

    List<Message> queries() {
        return queries;
    }

    int connections() {
        return connections.get();
    }

    private final class Responder extends ChannelInboundHandlerAdapter {
        private final ScriptedUpstream.Script script;
        private final ByteBuf in = Unpooled.buffer();

        Responder(ScriptedUpstream.Script script) {
            this.script = script;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf more = (ByteBuf) message;
            in.writeBytes(more);
            more.release();
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
            if (event == ChannelInputShutdownReadComplete.INSTANCE) {
                byte[] bytes = new byte[in.readUnsignedShort()];
                in.readBytes(bytes);
                Message query = new Message(bytes);
                queries.add(query);
                byte[] reply = script.answer(new ScriptedUpstream.Asked(query, true, 0)).getFirst();
                context.writeAndFlush(Unpooled.buffer().writeShort(reply.length).writeBytes(reply)).addListener(QuicStreamChannel.SHUTDOWN_OUTPUT);
            }
        }
    }

    @Override
    public void close() {
        socket.close().awaitUninterruptibly();
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(1, TimeUnit.MINUTES);
    }
}
