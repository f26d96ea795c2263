package dev.cairn.listen.http;

import dev.cairn.chain.Dispatcher;
import dev.cairn.chain.Exchange;
import dev.cairn.chain.Protocol;
import dev.cairn.chain.ReplySink;
import dev.cairn.listen.connection.ConnectionTimer;
import dev.cairn.listen.connection.Finish;
import dev.cairn.listen.connection.Peer;
import dev.cairn.plugin.ListenSettings;
import dev.cairn.wire.Verdict;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerExpectContinueHandler;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP connection: the last handler of its pipeline, and what its requests share. Puts the handlers for the version of HTTP before
 * itself when the handshake has told it.
 */
final class HttpConnection extends ChannelInboundHandlerAdapter {
    static final String MEDIA_TYPE = "application/dns-message";

    /** The type of what is said where there is no reply. */
    static final String TEXT = "text/plain; charset=utf-8";

    /** Instead of a length: what came is no query. */
    static final int REFUSED = Integer.MIN_VALUE;

    /** A request line or header section may have this many bytes, which is room for a query of 12 KiB in base64. */
    private static final int MAX_HEADERS = 16 << 10;

    /** What the unfinished requests of a connection may hold together. */
    private static final int MAX_RECEIVED = 128 << 10;

    /** What a connection may leave unread of replies. */
    private static final int MAX_UNSENT = 256 << 10;

    /** How long the open requests of a connection that is told to go away may take. */
    private static final long GO_AWAY_MILLIS = TimeUnit.SECONDS.toMillis(5);

    private final HttpService http;
    private final ListenSettings settings;
    private final boolean encrypted;
    private Exchange exchange = new Exchange();
    private @Nullable Peer peer;
    private @Nullable ConnectionTimer timer;
    private @Nullable ChannelHandlerContext context;
    private int pending;
    private int received;
    private int unsent;

    HttpConnection(HttpService http, ListenSettings settings, boolean encrypted) {
        this.http = http;
        this.settings = settings;
        this.encrypted = encrypted;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
        timer = new ConnectionTimer(added, () -> pending > 0);
        if (!encrypted) {
            addHttp1(added);
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext active) {
        endIn(settings.readTimeout());
        active.fireChannelActive();
    }

    private void endIn(Duration fromNow) {
        if (timer != null) {
            timer.endIn(fromNow);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext active, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake) {
            if (!handshake.isSuccess()) {
                active.close();
            } else {
                SslHandler tls = active.pipeline().get(SslHandler.class);
                boolean http2 = tls != null && "h2".equals(tls.applicationProtocol());
                endIn(settings.idleTimeout());
                if (http2) {
                    addHttp2(active);
                } else {
                    addHttp1(active);
                }
            }
        } else if (event == Finish.EVENT && (pending == 0 || active.pipeline().get(Http2ConnectionHandler.class) != null)) {
            active.close(); // HTTP/2 says farewell and waits for its open requests; the other closes after its reply
        }
    }

    private void addHttp1(ChannelHandlerContext own) {
        HttpDecoderConfig config = new HttpDecoderConfig().setMaxInitialLineLength(MAX_HEADERS).setMaxHeaderSize(MAX_HEADERS);
        ChannelPipeline pipeline = own.pipeline();
        pipeline.addBefore(own.name(), null, new HttpServerCodec(config));
        pipeline.addBefore(own.name(), null, new HttpServerExpectContinueHandler());
        pipeline.addBefore(own.name(), null, new FlowControlHandler()); // so that one request is answered before the next is looked at
        pipeline.addBefore(own.name(), null, new HttpExchange(this));
    }

    private void addHttp2(ChannelHandlerContext own) {
        Http2Settings initial = Http2Settings.defaultSettings()
                .maxConcurrentStreams(settings.https().streams())
                .maxHeaderListSize(MAX_HEADERS);
        own.pipeline().addBefore(own.name(), null, Http2Requests.handler(this, initial, GO_AWAY_MILLIS));
    }

    @Override
    public void channelInactive(ChannelHandlerContext active) {
        if (timer != null) {
            timer.cancel();
        }
    }

    /** Resets, broken pipes, failed handshakes and frames that make no sense: a client that leaves, or should. */
    @Override
    public void exceptionCaught(ChannelHandlerContext active, Throwable cause) {
        active.close();
        if (cause instanceof Error) {
            active.fireExceptionCaught(cause);
        }
    }

    // What follows is for the requests.

    HttpService http() {
        return http;
    }

    ListenSettings settings() {
        return settings;
    }

    private Peer peer() {
        ChannelHandlerContext own = context;
        if (peer == null && own != null) {
            peer = Peer.of(own.channel());
        }
        return peer == null ? Peer.of(null, null) : peer;
    }

    /**
     * Has a query answered. Returns the length of the reply in the worker's buffer, nothing positive if there is none, {@link Dispatcher#LATER}
     * if {@code later} will have it, or {@link #REFUSED}.
     */
    int answer(ReceivedQuery query, Dispatcher.Worker worker, ReplySink later) {
        int size = query.size();
        if (query.refusal() != null || size > ReceivedQuery.MAX_SIZE) {
            return REFUSED;
        }
        query.copyTo(exchange.query().buffer(size));
        Verdict verdict = exchange.query().read(size);
        if (verdict != Verdict.ANSWER && verdict != Verdict.BAD_VERSION) {
            return REFUSED;
        }
        peer().describe(exchange, Protocol.TCP);
        exchange.encrypted(true);
        int length = http.service().dispatcher().handle(exchange, size, http.service().router(), worker, later);
        if (length == Dispatcher.LATER) {
            exchange = new Exchange();
            pending++;
        }
        return length;
    }

    /** What to say with a status other than 200; CoreDNS says the same. */
    static String text(HttpResponseStatus status) {
        if (status.equals(HttpResponseStatus.INTERNAL_SERVER_ERROR)) {
            return "No response\n";
        }
        return status.equals(HttpResponseStatus.BAD_REQUEST) ? "invalid request\n" : "\n";
    }

    /** A kept exchange was answered. */
    void answered() {
        pending--;
    }

    /** A request has begun: whoever asks is not idle, unless it never reads. */
    void asked() {
        if (unsent == 0) {
            endIn(settings.idleTimeout());
        }
    }

    /** Whether this many more bytes of unfinished requests may be kept; they count until {@link #forget}. */
    boolean keep(int bytes) {
        if (received + bytes > MAX_RECEIVED) {
            return false;
        }
        received += bytes;
        return true;
    }

    void forget(int bytes) {
        received -= bytes;
    }

    /** Counts a reply until the client has taken it; one who leaves too much, or nothing taken for too long, is cut off. */
    void sent(int bytes, ChannelFuture written) {
        if (written.isDone()) {
            endIn(settings.idleTimeout());
            return;
        }
        unsent += bytes;
        endIn(settings.writeTimeout());
        written.addListener(_ -> {
            unsent -= bytes;
            endIn(unsent == 0 ? settings.idleTimeout() : settings.writeTimeout());
        });
        if (unsent > MAX_UNSENT && context != null) {
            context.channel().close();
        }
    }
}
