package dev.cairn.upstream;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2ChannelDuplexHandler;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2FrameStreamException;
import io.netty.handler.codec.http2.Http2GoAwayFrame;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A connection by HTTP/2 that carries each question in a stream of its own (RFC 8484). */
final class HttpLink extends Link {
    private static final String TYPE = "application/dns-message";
    private static final String PATH = "/dns-query";

    private final Map<Http2FrameStream, Fetch> fetches = new HashMap<>();
    private @Nullable Channel channel;
    private @Nullable Responses responses;
    private int keys;

    /** One request, and what has come of its response. */
    private static final class Fetch {
        private final Attempt attempt;
        private final ByteBuf body = Unpooled.buffer(512, 0xffff);

        Fetch(Attempt attempt) {
            this.attempt = attempt;
        }
    }

    HttpLink(Pool pool) {
        super(pool);
    }

    @Override
    void open() {
        channel = StreamLink.connect(this, pool(), new Handshake());
    }

    @Override
    int newKey() {
        return keys++;
    }

    @Override
    void transmit(Attempt attempt) {
        Channel to = channel;
        Responses http = responses;
        if (to == null || http == null) {
            return;
        }
        int length = attempt.write(0); // so that caches on the way see equal questions as equal (RFC 8484 section 4.1)
        Upstream upstream = pool().upstream();
        boolean get = upstream.settings().httpGet();
        String query = get ? "?dns=" + base64(lane().out(), length) : "";
        Http2Headers headers = new DefaultHttp2Headers()
                .method(get ? "GET" : "POST")
                .scheme("https")
                .authority(upstream.authority())
                .path(PATH + query)
                .set("accept", TYPE);
        Http2FrameStream stream = http.newStream();
        fetches.put(stream, new Fetch(attempt));
        if (!get) {
            headers.set("content-type", TYPE).setInt("content-length", length);
        }
        to.write(new DefaultHttp2HeadersFrame(headers, get).stream(stream)).addListener(done -> {
            if (!done.isSuccess()) {
                fail(stream, Failures.describe(done.cause()));
            }
        });
        if (!get) {
            ByteBuf body = to.alloc().buffer(length).writeBytes(lane().out(), 0, length);
            to.write(new DefaultHttp2DataFrame(body, true).stream(stream));
        }
        to.flush();
    }

    private static String base64(byte[] bytes, int length) {
        ByteBuffer encoded = Base64.getUrlEncoder().withoutPadding().encode(ByteBuffer.wrap(bytes, 0, length));
        return new String(encoded.array(), 0, encoded.limit(), StandardCharsets.ISO_8859_1);
    }

    @Override
    void withdrawn(Attempt attempt) {
        Channel to = channel;
        for (Map.Entry<Http2FrameStream, Fetch> entry : fetches.entrySet()) {
            if (entry.getValue().attempt == attempt && to != null) {
                fetches.remove(entry.getKey());
                to.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.CANCEL).stream(entry.getKey()));
                return;
            }
        }
    }

    private void fail(Http2FrameStream stream, String reason) {
        Fetch fetch = fetches.remove(stream);
        if (fetch != null) {
            done(fetch.attempt);
            fetch.attempt.failed(reason);
        }
    }

    @Override
    void shut() {
        fetches.clear();
        if (channel != null) {
            channel.close();
        }
    }

    private void handshaken(ChannelHandlerContext context) {
        SslHandler tls = context.pipeline().get(SslHandler.class);
        if (!"h2".equals(tls.applicationProtocol())) {
            broke("the server does not speak HTTP/2");
            return;
        }
        Http2FrameCodec codec =
                Http2FrameCodecBuilder.forClient().initialSettings(Http2Settings.defaultSettings().pushEnabled(false)).build();
        responses = new Responses();
        context.pipeline().addLast(codec, responses);
        context.pipeline().remove(context.handler());
        opened();
    }

    private final class Handshake extends ChannelInboundHandlerAdapter {
        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event instanceof SslHandshakeCompletionEvent handshake) {
                if (handshake.isSuccess()) {
                    handshaken(context);
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

    private final class Responses extends Http2ChannelDuplexHandler {
        @Override
        public void channelRead(ChannelHandlerContext context, Object frame) {
            try {
                switch (frame) {
                    case Http2HeadersFrame headers -> headers(headers);
                    case Http2DataFrame data -> data(context, data);
                    case Http2ResetFrame reset -> fail(reset.stream(), "the server gave the request up: HTTP/2 error " + reset.errorCode());
                    case Http2GoAwayFrame _ -> retire();
                    default -> {}
                }
            } finally {
                ReferenceCountUtil.release(frame);
            }
        }

        private void headers(Http2HeadersFrame frame) {
            CharSequence status = frame.headers().status();
            CharSequence type = frame.headers().get("content-type");
            if (status == null || !"200".contentEquals(status)) {
                fail(frame.stream(), "HTTP status " + status);
            } else if (type == null || !TYPE.contentEquals(type)) {
                fail(frame.stream(), "the server sent " + type + " instead of " + TYPE);
            } else if (frame.isEndStream()) {
                end(frame.stream());
            }
        }

        private void data(ChannelHandlerContext context, Http2DataFrame frame) {
            context.write(new DefaultHttp2WindowUpdateFrame(frame.initialFlowControlledBytes()).stream(frame.stream()));
            Fetch fetch = fetches.get(frame.stream());
            if (fetch == null) {
                return;
            }
            if (fetch.body.readableBytes() + frame.content().readableBytes() > 0xffff) {
                fail(frame.stream(), "the server sent more than a DNS message can have");
                return;
            }
            fetch.body.writeBytes(frame.content());
            if (frame.isEndStream()) {
                end(frame.stream());
            }
        }

        private void end(Http2FrameStream stream) {
            Fetch fetch = fetches.remove(stream);
            if (fetch != null) {
                int length = fetch.body.readableBytes();
                fetch.body.readBytes(lane().in(), 0, length);
                receivedAlone(fetch.attempt, length);
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            broke("the connection was closed");
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            if (cause instanceof Http2FrameStreamException ofStream) {
                fail(ofStream.stream(), Failures.describe(cause));
            } else {
                broke(Failures.describe(cause));
            }
        }
    }
}
