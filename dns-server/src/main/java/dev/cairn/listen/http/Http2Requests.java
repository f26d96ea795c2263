package dev.cairn.listen.http;

import dev.cairn.chain.Dispatcher;
import dev.cairn.chain.Exchange;
import dev.cairn.chain.ReplySink;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2RemoteFlowController;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.codec.http2.UniformStreamByteDistributor;
import java.util.Arrays;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one HTTP/2 connection, whose event loop owns them. Netty keeps the state of the protocol; requests are taken from its frames
 * as they come, since a channel of its own for each stream would cost several times what the answer does.
 */
final class Http2Requests extends Http2FrameAdapter {
    private final HttpConnection connection;
    private final Http2ConnectionHandler handler;
    private final Http2Connection.PropertyKey bodies;
    /** For requests that come as a whole. */
    private final ReceivedQuery whole;
    private Late late = new Late();

    private Http2Requests(HttpConnection connection, Http2Settings initial, long goAwayMillis) {
        this.connection = connection;
        whole = new ReceivedQuery(connection);
        Http2Connection streams = new DefaultHttp2Connection(true);
        // No client of ours has streams that matter more than others, and weighing them takes time.
        streams.remote().flowController(new DefaultHttp2RemoteFlowController(streams, new UniformStreamByteDistributor(streams)));
        bodies = streams.newKey();
        streams.addListener(new Http2ConnectionAdapter() {
            @Override
            public void onStreamClosed(Http2Stream stream) {
                if (stream.removeProperty(bodies) instanceof Body body) {
                    body.end();
                }
            }
        });
        handler = new Http2ConnectionHandlerBuilder()
                .connection(streams)
                .initialSettings(initial)
                .gracefulShutdownTimeoutMillis(goAwayMillis)
                .frameListener(this)
                .build();
    }

    /** A handler for a connection that speaks HTTP/2; {@code goAwayMillis} is what open requests get when it is to close. */
    static Http2ConnectionHandler handler(HttpConnection connection, Http2Settings initial, long goAwayMillis) {
        return new Http2Requests(connection, initial, goAwayMillis).handler;
    }

    /** A request whose body has not come as a whole. */
    private record Body(ReceivedQuery query, ScheduledFuture<?> slow) {
        void end() {
            slow.cancel(false);
            query.forget();
        }
    }

    @Override
    public void onHeadersRead(ChannelHandlerContext active, int id, Http2Headers headers, int dependency, short weight, boolean exclusive,
            int padding, boolean last) {
        onHeadersRead(active, id, headers, padding, last);
    }

    @Override
    public void onHeadersRead(ChannelHandlerContext active, int id, Http2Headers headers, int padding, boolean last) {
        Http2Stream stream = handler.connection().stream(id);
        if (stream != null && stream.getProperty(bodies) instanceof Body body) { // these come after a body
            if (last) {
                received(active, stream, body);
            }
            return;
        }
        connection.asked();
        if (last) {
            whole.begin(headers.method(), headers.path());
            serve(active, id, whole);
        } else if (stream != null) {
            ReceivedQuery query = new ReceivedQuery(connection);
            query.begin(headers.method(), headers.path());
            stream.setProperty(bodies, new Body(query, active.executor().schedule(() -> cancel(active, id),
                    connection.settings().readTimeout().toMillis(), TimeUnit.MILLISECONDS)));
        }
    }

    @Override
    public int onDataRead(ChannelHandlerContext active, int id, ByteBuf data, int padding, boolean last) {
        int size = data.readableBytes() + padding;
        Http2Stream stream = handler.connection().stream(id);
        if (stream != null && stream.getProperty(bodies) instanceof Body body) {
            body.query.take(data);
            if (last) {
                received(active, stream, body);
            }
        }
        return size;
    }

    private void received(ChannelHandlerContext active, Http2Stream stream, Body body) {
        stream.removeProperty(bodies);
        body.end();
        serve(active, stream.id(), body.query);
    }

    private void cancel(ChannelHandlerContext active, int id) {
        handler.resetStream(active, id, Http2Error.CANCEL.code(), active.newPromise());
        active.flush();
    }

    /** Replies leave when all that was read has been looked at. */
    private void serve(ChannelHandlerContext active, int id, ReceivedQuery query) {
        Dispatcher.Worker worker = Dispatcher.worker();
        late.prepare(active, id);
        int length = connection.answer(query, worker, late);
        if (length == Dispatcher.LATER) {
            late = new Late();
        } else if (length == HttpConnection.REFUSED) {
            HttpResponseStatus status = query.refusal();
            fail(active, id, status == null ? HttpResponseStatus.BAD_REQUEST : status);
        } else {
            reply(active, id, worker.out(), length);
        }
    }

    private void reply(ChannelHandlerContext active, int id, byte[] reply, int length) {
        if (length <= 0) {
            fail(active, id, HttpResponseStatus.INTERNAL_SERVER_ERROR);
        } else {
            respond(active, id, HttpResponseStatus.OK, Http2Replies.headers(reply, length),
                    active.alloc().directBuffer(length).writeBytes(reply, 0, length));
        }
    }

    private void fail(ChannelHandlerContext active, int id, HttpResponseStatus status) {
        ByteBuf text = ByteBufUtil.writeAscii(active.alloc(), HttpConnection.text(status));
        respond(active, id, status, Http2Replies.headers(status, text.readableBytes()), text);
    }

    private void respond(ChannelHandlerContext active, int id, HttpResponseStatus status, Http2Headers headers, ByteBuf content) {
        connection.http().count(status);
        int size = content.readableBytes();
        handler.encoder().writeHeaders(active, id, headers, 0, false, active.newPromise());
        connection.sent(size, handler.encoder().writeData(active, id, content, 0, true, active.newPromise()));
    }

    /** Where the reply to a query goes that a plugin keeps. Another thread may have it sent. */
    private final class Late implements ReplySink {
        private @Nullable ChannelHandlerContext active;
        private int id;

        void prepare(ChannelHandlerContext context, int stream) {
            active = context;
            id = stream;
        }

        @Override
        public void send(Exchange done, byte[] reply, int length) {
            ChannelHandlerContext to = active;
            if (to == null) {
                return;
            }
            byte[] copy = Arrays.copyOf(reply, Math.max(0, length));
            to.executor().execute(() -> {
                connection.answered();
                if (handler.connection().stream(id) != null) { // else the client no longer wants it
                    reply(to, id, copy, length);
                    handler.flush(to);
                }
            });
        }
    }
}
