package dev.cairn.listen.http;

import dev.cairn.chain.Dispatcher;
import dev.cairn.chain.Exchange;
import dev.cairn.chain.Protocol;
import dev.cairn.chain.ReplySink;
import dev.cairn.listen.connection.Service;
import dev.cairn.wire.Verdict;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One request and its response: a stream of HTTP/2, or the requests of an HTTP/1.1 connection one after the other. Statuses are those of
 * CoreDNS: 404 for another path, 400 for what is no query, 500 if there is no reply, else 200, whatever the reply says.
 */
final class HttpExchange extends ChannelInboundHandlerAdapter implements ReplySink {
    private static final String PATH = "/dns-query";
    private static final String MEDIA_TYPE = "application/dns-message";
    private static final int MAX_QUERY = 0xffff;
    private static final byte[] NONE = {};

    private final HttpConnection connection;
    private final boolean http2;
    private @Nullable ChannelHandlerContext context;
    private @Nullable HttpResponseStatus refusal;
    private byte[] query = NONE;
    private @Nullable ByteBuf body;
    private boolean keepAlive = true;
    private boolean receiving;
    private @Nullable ScheduledFuture<?> slow;

    HttpExchange(HttpConnection connection, boolean http2) {
        this.connection = connection;
        this.http2 = http2;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
    }

    @Override
    public void channelRead(ChannelHandlerContext active, Object message) {
        if (!(message instanceof HttpObject)) {
            active.fireChannelRead(message);
            return;
        }
        try {
            if (message instanceof HttpRequest request) {
                begin(active, request, message instanceof LastHttpContent);
            }
            if (receiving && message instanceof HttpContent content) {
                take(content.content());
                if (content.decoderResult().isFailure()) {
                    refusal = HttpResponseStatus.BAD_REQUEST;
                }
                if (message instanceof LastHttpContent) {
                    received(active);
                }
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void begin(ChannelHandlerContext active, HttpRequest request, boolean whole) {
        connection.asked();
        receiving = true;
        query = NONE;
        keepAlive = HttpUtil.isKeepAlive(request) && !connection.http().isClosing();
        refusal = refusal(request);
        if (request.decoderResult().isFailure()) {
            keepAlive = false;
            received(active);
        } else if (!whole) {
            slow = active.executor().schedule(() -> active.channel().close(), connection.settings().readTimeout().toMillis(),
                    TimeUnit.MILLISECONDS);
        }
    }

    /** What is wrong with the request, null if nothing is; takes the query out of the address of a GET. */
    private @Nullable HttpResponseStatus refusal(HttpRequest request) {
        if (request.decoderResult().isFailure()) {
            return HttpResponseStatus.BAD_REQUEST;
        }
        try {
            QueryStringDecoder uri = new QueryStringDecoder(request.uri());
            if (!uri.path().equals(PATH)) {
                return HttpResponseStatus.NOT_FOUND;
            }
            if (request.method().equals(HttpMethod.POST)) {
                return null;
            }
            List<String> values = uri.parameters().getOrDefault("dns", List.of());
            // Padding is not part of the encoding (RFC 8484 section 6).
            if (!request.method().equals(HttpMethod.GET) || values.size() != 1 || values.getFirst().endsWith("=")) {
                return HttpResponseStatus.BAD_REQUEST;
            }
            query = Base64.getUrlDecoder().decode(values.getFirst());
            return null;
        } catch (IllegalArgumentException e) {
            return HttpResponseStatus.BAD_REQUEST; // neither an address nor base64
        }
    }

    private void take(ByteBuf more) {
        int size = more.readableBytes();
        if (size == 0 || refusal != null || query.length > 0) {
            return;
        }
        if (!connection.keep(size)) {
            refusal = HttpResponseStatus.SERVICE_UNAVAILABLE;
            return;
        }
        if (body == null) {
            body = Unpooled.buffer(Math.max(size, 64));
        }
        body.writeBytes(more);
        if (body.readableBytes() > MAX_QUERY) {
            refusal = HttpResponseStatus.BAD_REQUEST;
        }
    }

    private void received(ChannelHandlerContext active) {
        receiving = false;
        if (slow != null) {
            slow.cancel(false);
            slow = null;
        }
        if (body != null) {
            query = ByteBufUtil.getBytes(body);
            forgetBody();
        }
        HttpResponseStatus refused = refusal;
        if (!http2) {
            active.channel().config().setAutoRead(false); // until this one has its response
        }
        if (refused == null) {
            serve(active);
        } else {
            fail(active, refused);
        }
    }

    private void forgetBody() {
        if (body != null) {
            connection.forget(body.writerIndex());
            body = null;
        }
    }

    private void serve(ChannelHandlerContext active) {
        Service service = connection.http().service();
        Exchange exchange = connection.exchange();
        int size = query.length;
        if (size > MAX_QUERY) {
            fail(active, HttpResponseStatus.BAD_REQUEST);
            return;
        }
        System.arraycopy(query, 0, exchange.query().buffer(size), 0, size);
        query = NONE;
        Verdict verdict = exchange.query().read(size);
        if (verdict != Verdict.ANSWER && verdict != Verdict.BAD_VERSION) {
            fail(active, HttpResponseStatus.BAD_REQUEST);
            return;
        }
        connection.peer().describe(exchange, Protocol.TCP);
        exchange.encrypted(true);
        Dispatcher.Worker worker = Dispatcher.worker();
        int length = service.dispatcher().handle(exchange, size, service.router(), worker, this);
        if (length == Dispatcher.LATER) {
            connection.kept();
        } else {
            respond(active, response(worker.out(), length));
        }
    }

    @Override
    public void send(Exchange done, byte[] reply, int length) {
        ChannelHandlerContext to = context;
        if (to != null) {
            FullHttpResponse response = response(reply, length);
            to.executor().execute(() -> {
                connection.answered();
                respond(to, response);
            });
        }
    }

    private static FullHttpResponse response(byte[] reply, int length) {
        if (length <= 0) {
            return error(HttpResponseStatus.INTERNAL_SERVER_ERROR, "No response\n");
        }
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.copiedBuffer(reply, 0, length));
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, MEDIA_TYPE)
                .set(HttpHeaderNames.CACHE_CONTROL, "max-age=" + MaxAge.of(reply, length));
        return response;
    }

    private static FullHttpResponse error(HttpResponseStatus status, String text) {
        FullHttpResponse response =
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
        response.headers().set(HttpHeaderNames.CONTENT_TYPE, "text/plain; charset=utf-8").set("x-content-type-options", "nosniff");
        return response;
    }

    private void fail(ChannelHandlerContext active, HttpResponseStatus status) {
        respond(active, error(status, status.equals(HttpResponseStatus.BAD_REQUEST) ? "invalid request\n" : "\n"));
    }

    private void respond(ChannelHandlerContext active, FullHttpResponse response) {
        int size = response.content().readableBytes();
        HttpUtil.setContentLength(response, size);
        connection.http().count(response.status());
        boolean close = !http2 && (!keepAlive || connection.http().isClosing());
        if (close) {
            response.headers().set(HttpHeaderNames.CONNECTION, "close");
        } else if (!http2) {
            HttpUtil.setKeepAlive(response, true);
        }
        ChannelFuture written = active.writeAndFlush(response);
        connection.sent(size, written);
        if (close) {
            written.addListener(ChannelFutureListener.CLOSE);
        } else if (!http2) {
            active.channel().config().setAutoRead(true);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext active) {
        forgetBody();
        if (slow != null) {
            slow.cancel(false);
        }
        active.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext active, Throwable cause) {
        active.channel().close();
        if (cause instanceof Error) {
            active.fireExceptionCaught(cause);
        }
    }
}
