package dev.cairn.listen.http;

import dev.cairn.chain.Dispatcher;
import dev.cairn.chain.Exchange;
import dev.cairn.chain.ReplySink;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The requests of an HTTP/1.1 connection, one after the other, and their responses. */
final class HttpExchange extends ChannelInboundHandlerAdapter implements ReplySink {
    private final HttpConnection connection;
    private final ReceivedQuery query;
    private @Nullable ChannelHandlerContext context;
    private boolean keepAlive = true;
    private boolean receiving;
    private @Nullable ScheduledFuture<?> slow;

    HttpExchange(HttpConnection connection) {
        this.connection = connection;
        query = new ReceivedQuery(connection);
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
                query.take(content.content());
                if (content.decoderResult().isFailure()) {
                    query.refuse(HttpResponseStatus.BAD_REQUEST);
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
        keepAlive = HttpUtil.isKeepAlive(request) && !connection.http().isClosing();
        if (request.decoderResult().isFailure()) {
            query.refuse(HttpResponseStatus.BAD_REQUEST);
            keepAlive = false;
            received(active);
            return;
        }
        query.begin(request.method().asciiName(), request.uri());
        if (!whole) {
            slow = active.executor().schedule(() -> active.channel().close(), connection.settings().readTimeout().toMillis(),
                    TimeUnit.MILLISECONDS);
        }
    }

    private void received(ChannelHandlerContext active) {
        receiving = false;
        endBody();
        active.channel().config().setAutoRead(false); // until this one has its response
        Dispatcher.Worker worker = Dispatcher.worker();
        int length = connection.answer(query, worker, this);
        if (length == HttpConnection.REFUSED) {
            HttpResponseStatus status = query.refusal();
            respond(active, error(status == null ? HttpResponseStatus.BAD_REQUEST : status));
        } else if (length != Dispatcher.LATER) {
            respond(active, response(worker.out(), length));
        }
    }

    private void endBody() {
        if (slow != null) {
            slow.cancel(false);
            slow = null;
        }
        query.forget();
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
            return error(HttpResponseStatus.INTERNAL_SERVER_ERROR);
        }
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.copiedBuffer(reply, 0, length));
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, HttpConnection.MEDIA_TYPE)
                .set(HttpHeaderNames.CACHE_CONTROL, "max-age=" + MaxAge.of(reply, length));
        return response;
    }

    private static FullHttpResponse error(HttpResponseStatus status) {
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, status, Unpooled.copiedBuffer(HttpConnection.text(status), StandardCharsets.US_ASCII));
        response.headers().set(HttpHeaderNames.CONTENT_TYPE, HttpConnection.TEXT).set("x-content-type-options", "nosniff");
        return response;
    }

    private void respond(ChannelHandlerContext active, FullHttpResponse response) {
        int size = response.content().readableBytes();
        HttpUtil.setContentLength(response, size);
        connection.http().count(response.status());
        boolean close = !keepAlive || connection.http().isClosing();
        if (close) {
            response.headers().set(HttpHeaderNames.CONNECTION, "close");
        } else {
            HttpUtil.setKeepAlive(response, true);
        }
        ChannelFuture written = active.writeAndFlush(response);
        connection.sent(size, written);
        if (close) {
            written.addListener(ChannelFutureListener.CLOSE);
        } else {
            active.channel().config().setAutoRead(true);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext active) {
        endBody();
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
