package dev.cairn.listen.quic;

import dev.cairn.listen.connection.Finish;
import dev.cairn.listen.connection.Handshakes;
import dev.cairn.listen.connection.Service;
import dev.cairn.listen.connection.TlsContexts;
import dev.cairn.metrics.CounterFamily;
import dev.cairn.plugin.ListenSettings;
import dev.cairn.tls.TlsFiles;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.quic.Quic;
import io.netty.handler.codec.quic.QuicChannel;
import io.netty.handler.codec.quic.QuicServerCodecBuilder;
import io.netty.handler.codec.quic.QuicSslContext;
import io.netty.handler.codec.quic.QuicSslEngine;
import io.netty.handler.codec.quic.QuicStreamChannel;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLException;

/** What the QUIC connections of a listener have in common. Safe for all threads. */
public final class QuicService {
    /** What a connection may have on its way to us unread; a stream gets more as it is read. */
    private static final int CONNECTION_WINDOW = 128 << 10;

    private static final int STREAM_WINDOW = 4 << 10;
    private static final int MANY_HANDSHAKES = Handshakes.LIMIT / 4;

    private final Service service;
    private final TlsContexts contexts = TlsContexts.quic("doq"); // RFC 9250 section 4.1.1
    private final Handshakes handshakes = new Handshakes();
    private final RetryTokens tokens;
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
    private final AtomicInteger queries = new AtomicInteger();
    private final CounterFamily responses;
    private volatile boolean closing;

    /** @throws IOException with a line for the user, if QUIC cannot be spoken here */
    public QuicService(Service service) throws IOException {
        this(service, MANY_HANDSHAKES);
    }

    /** @param manyHandshakes from how many open handshakes on clients must prove their address */
    QuicService(Service service, int manyHandshakes) throws IOException {
        this.service = service;
        tokens = new RetryTokens(() -> handshakes.size() >= manyHandshakes);
        responses = service.metrics().counter(
                "coredns_dns_quic_responses_total", "Counter of DoQ responses per server and QUIC application code.", "server", "status");
        if (!Quic.isAvailable()) {
            throw new IOException("QUIC needs a native library that does not load here (" + Quic.unavailabilityCause().getMessage()
                    + "); serve tls:// or https:// instead");
        }
        context();
    }

    private QuicSslContext context() throws IOException {
        TlsFiles files = service.settings().tls();
        if (files == null) {
            throw new IOException("quic:// needs a certificate; add 'tls CERT KEY' to the block");
        }
        try {
            return (QuicSslContext) contexts.context(files);
        } catch (SSLException | IllegalArgumentException e) {
            throw new IOException("cannot use the certificate in " + files.names().certificate() + ": " + e.getMessage(), e);
        }
    }

    /** The handler of a new datagram socket. */
    public ChannelHandler newSocket(Executor handshakeTasks) {
        ListenSettings settings = service.settings();
        return new QuicServerCodecBuilder()
                .sslEngineProvider(this::engine)
                .sslTaskExecutor(handshakeTasks)
                .maxIdleTimeout(settings.idleTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .initialMaxData(CONNECTION_WINDOW)
                .initialMaxStreamDataBidirectionalRemote(STREAM_WINDOW)
                .initialMaxStreamsBidirectional(settings.quic().streams())
                .tokenHandler(tokens)
                .handler(new ChannelInitializer<QuicChannel>() {
                    @Override
                    protected void initChannel(QuicChannel channel) {
                        accept(channel);
                    }
                })
                .streamHandler(new ChannelInitializer<QuicStreamChannel>() {
                    @Override
                    protected void initChannel(QuicStreamChannel stream) {
                        open(stream);
                    }
                })
                .build();
    }

    private QuicSslEngine engine(QuicChannel channel) {
        try {
            return context().newEngine(channel.alloc());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void accept(QuicChannel channel) {
        channel.pipeline().addLast(new QuicConnection(this, service.settings()));
        if (closing) {
            channel.close(true, DoqCode.NO_ERROR.number(), Unpooled.EMPTY_BUFFER);
            return;
        }
        connections.add(channel);
        handshakes.begin(channel);
    }

    private static void open(QuicStreamChannel stream) {
        QuicConnection connection = stream.parent().pipeline().get(QuicConnection.class);
        if (connection == null) {
            stream.close();
        } else {
            stream.pipeline().addLast(new QuicQuery(connection));
        }
    }

    Service service() {
        return service;
    }

    boolean isClosing() {
        return closing;
    }

    /** The handshake is through; whether the connection is one of those allowed. */
    boolean established(Channel channel) {
        handshakes.end(channel);
        return connections.size() - handshakes.size() <= service.settings().quic().connections();
    }

    /** Whether another query may be worked on; it counts until {@link #queryDone}. */
    boolean queryBegins() {
        if (queries.incrementAndGet() <= service.settings().quic().queries()) {
            return true;
        }
        queries.decrementAndGet();
        return false;
    }

    void queryDone() {
        queries.decrementAndGet();
    }

    void count(DoqCode code) {
        responses.with(service.server(), code.label()).increment();
    }

    /** Takes no more queries, waits for those at work, at most for {@code grace}, and closes all connections. */
    public void drain(Duration grace) {
        closing = true;
        long end = System.nanoTime() + grace.toNanos();
        connections.forEach(channel -> channel.pipeline().fireUserEventTriggered(Finish.EVENT));
        connections.newCloseFuture().awaitUninterruptibly(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
        connections.close().awaitUninterruptibly(grace.toMillis(), TimeUnit.MILLISECONDS);
    }
}
