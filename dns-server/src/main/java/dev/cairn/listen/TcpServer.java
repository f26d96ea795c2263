package dev.cairn.listen;

import dev.cairn.corefile.Transport;
import dev.cairn.listen.connection.Finish;
import dev.cairn.listen.connection.Handshakes;
import dev.cairn.listen.connection.ProxyHeaderDecoder;
import dev.cairn.listen.connection.Service;
import dev.cairn.listen.connection.TlsContexts;
import dev.cairn.listen.http.HttpService;
import dev.cairn.log.Log;
import dev.cairn.plugin.ListenSettings;
import dev.cairn.plugin.ProxyProtocol;
import dev.cairn.tls.TlsFiles;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLException;

/**
 * The TCP side of a listener: accepts connections up to a limit, puts TLS before those that want it, and hands each to a {@link
 * TcpConnection} or to HTTP.
 */
final class TcpServer implements Endpoint {
    private static final Log LOG = Log.server();
    private static final int BACKLOG = 1024;

    /** Each holds some tens of kilobytes for its engine, and all of them must fit beside the cluster's names. */
    private static final int MAX_ENCRYPTED = 2000;

    /** Past the upper mark a connection is not read on, until what it has not taken falls below the lower one. */
    private static final WriteBufferWaterMark UNSENT = new WriteBufferWaterMark(16 << 10, 64 << 10);

    private final Transport transport;
    private final Service service;
    private final Loops loops;
    private final Channel acceptor;
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
    private final AtomicInteger slowReaders = new AtomicInteger();
    private final Handshakes handshakes = new Handshakes();
    private final TlsContexts contexts;
    private final HttpService http;
    private volatile boolean closing;

    TcpServer(Transport transport, InetSocketAddress address, Service service, Loops loops) throws IOException {
        this.transport = transport;
        this.service = service;
        this.loops = loops;
        // RFC 7858 section 3.1, RFC 8484
        contexts = transport == Transport.HTTPS ? TlsContexts.tls("h2", "http/1.1") : TlsContexts.tls("dot");
        http = new HttpService(service, () -> closing);
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loops.group())
                .channel(loops.serverChannel())
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, UNSENT)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, transport != Transport.HTTPS) // who shuts down its side gets its replies
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        accept(channel);
                    }
                });
        loops.share(bootstrap);
        acceptor = NettyUdpEngine.await(bootstrap.bind(address));
    }

    private void accept(Channel channel) {
        ListenSettings settings = service.settings();
        TlsFiles tls = transport == Transport.DNS ? null : settings.tls();
        // Who has only begun a handshake must not keep out others.
        if (closing || (connections.size() >= limit(settings, tls != null) && !handshakes.giveUpOldest())) {
            channel.close();
            return;
        }
        connections.add(channel);
        ProxyProtocol proxy = settings.proxy();
        if (proxy != null) {
            channel.pipeline().addLast(new ProxyHeaderDecoder(proxy));
        }
        if (tls != null && !encrypt(channel, tls)) {
            channel.close();
            return;
        }
        if (transport == Transport.HTTPS) {
            channel.pipeline().addLast(http.newConnection(settings, tls != null));
        } else {
            channel.pipeline().addLast(new TcpConnection(service, settings, slowReaders, () -> closing));
        }
    }

    private int limit(ListenSettings settings, boolean encrypted) {
        if (transport == Transport.HTTPS) {
            return settings.https().connections();
        }
        return encrypted ? Math.min(MAX_ENCRYPTED, settings.maxTcpConnections()) : settings.maxTcpConnections();
    }

    private boolean encrypt(Channel channel, TlsFiles files) {
        try {
            // The arithmetic of handshakes is done elsewhere: here it would keep those waiting who are through with theirs.
            SslHandler handler = contexts.handler(files, channel.alloc(), task -> loops.handshakes().execute(() -> {
                if (channel.isOpen()) { // else it was given up while it waited
                    task.run();
                }
            }));
            handler.setHandshakeTimeoutMillis(0); // the connection's timer ends it
            handshakes.begin(channel);
            handler.handshakeFuture().addListener(_ -> handshakes.end(channel));
            channel.pipeline().addLast(handler);
            return true;
        } catch (SSLException e) {
            LOG.offer(Log.Level.ERROR, "cannot encrypt with the certificate in " + files.names().certificate() + ": " + e.getMessage());
            return false;
        }
    }

    @Override
    public int port() {
        return ((InetSocketAddress) acceptor.localAddress()).getPort();
    }

    @Override
    public void drain(Duration grace) {
        closing = true;
        acceptor.close().awaitUninterruptibly();
        connections.forEach(channel -> channel.pipeline().fireUserEventTriggered(Finish.EVENT));
        connections.newCloseFuture().awaitUninterruptibly(grace.toMillis(), TimeUnit.MILLISECONDS);
        connections.close().awaitUninterruptibly(grace.toMillis(), TimeUnit.MILLISECONDS);
        contexts.close();
    }
}
