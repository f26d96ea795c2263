package dev.cairn.plugin.forward;

import dev.cairn.testing.ScriptedUpstream;
import dev.cairn.testing.TestCertificates;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2StreamFrame;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.xbill.DNS.Message;

/** DNS over HTTPS (RFC 8484) as a server, with the status it is told. */
final class HttpUpstream implements AutoCloseable {
    private final MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final Channel listener;
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<Message> queries = new CopyOnWriteArrayList<>();
    private final List<Channel> connections = new CopyOnWriteArrayList<>();
    private volatile String status = "200";

    HttpUpstream(TestCertificates.Leaf certificate, String protocol, ScriptedUpstream.Script script) throws Exception {
        SslContext tls = SslContextBuilder.forServer(certificate.certificate().toFile(), certificate.key().toFile())
                .applicationProtocolConfig(new ApplicationProtocolConfig(ApplicationProtocolConfig.Protocol.ALPN,
                        ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                        ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT, protocol))
                .build();
        listener = new ServerBootstrap().group(group).channel(NioServerSocketChannel.class).childHandler(new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                connections.add(channel);
                channel.pipeline().addLast(tls.newHandler(channel.alloc()), Http2FrameCodecBuilder.forServer().build(),
                        new Http2MultiplexHandler(new ChannelInitializer<>() {
                            @Override
                            protected void initChannel(Channel stream) {
                                stream.pipeline().addLast(new Responder(script));
                            }
                        }));
            }
        }).bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)).sync().channel();
    }

    int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    void status(String next) {
        status = next;
    }

    /** Method, authority and path, as they came. */
    List<String> requests() {
        return requests;
    }

    List<Message> queries() {
        return queries;
    }

    int connections() {
        return connections.size();
    }

    private final class Responder extends SimpleChannelInboundHandler<Http2StreamFrame> {
        private final ScriptedUpstream.Script script;
        private final ByteBuf body = Unpooled.buffer();

        Responder(ScriptedUpstream.Script script) {
            this.script = script;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, Http2StreamFrame frame) throws Exception {
            if (frame instanceof Http2HeadersFrame headers) {
                String path = headers.headers().path().toString();
                requests.add(headers.headers().method() + " " + headers.headers().authority() + " " + path.replaceFirst("=.*", "=..."));
                if (headers.isEndStream()) {
                    body.writeBytes(Base64.getUrlDecoder().decode(path.substring(path.indexOf('=') + 1)));
                    respond(context);
                }
            } else if (frame instanceof Http2DataFrame data) {
                body.writeBytes(data.content());
                if (data.isEndStream()) {
                    respond(context);
                }
            }
        }

        private void respond(ChannelHandlerContext context) throws Exception {
            byte[] bytes = new byte[body.readableBytes()];
            body.readBytes(bytes);
            Message query = new Message(bytes);
            queries.add(query);
            context.write(new DefaultHttp2HeadersFrame(new DefaultHttp2Headers().status(status).set("content-type", "application/dns-message")));
            byte[] reply = script.answer(new ScriptedUpstream.Asked(query, true, 0)).getFirst();
            int half = reply.length / 2; // a message may come in pieces
            context.write(new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(reply, 0, half)));
            context.writeAndFlush(new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(reply, half, reply.length - half), true));
        }
    }

    @Override
    public void close() {
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(1, TimeUnit.MINUTES);
    }
}
