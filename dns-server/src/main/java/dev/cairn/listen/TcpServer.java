package dev.cairn.listen;

import dev.cairn.plugin.ListenSettings;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The TCP side of a listener: accepts connections up to a limit and hands each to a {@link TcpConnection}. */
final class TcpServer {
    private static final int BACKLOG = 1024;

    /** Past the upper mark a connection is not read on, until what it has not taken falls below the lower one. */
    private static final WriteBufferWaterMark UNSENT = new WriteBufferWaterMark(16 << 10, 64 << 10);

    private final Channel acceptor;
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
    private final AtomicInteger slowReaders = new AtomicInteger();
    private volatile ListenSettings settings;
    private volatile boolean closing;

    TcpServer(InetSocketAddress address, ListenSettings settings, Service service, Loops loops) throws IOException {
        this.settings = settings;
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loops.group())
                .channel(loops.serverChannel())
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, UNSENT)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        accept(channel, service);
                    }
                });
        acceptor = NettyUdpEngine.await(bootstrap.bind(address));
    }

    private void accept(Channel channel, Service service) {
        if (closing || connections.size() >= settings.maxTcpConnections()) {
            channel.close();
            return;
        }
        connections.add(channel);
        channel.pipeline().addLast(new TcpConnection(service, settings, slowReaders, () -> closing));
    }

    /** For connections that are opened from now on. */
    void settings(ListenSettings changed) {
        settings = changed;
    }

    int port() {
        return ((InetSocketAddress) acceptor.localAddress()).getPort();
    }

    /** Accepts no more, lets each connection finish the queries it has sent, then closes all. */
    void drain(Duration grace) {
        closing = true;
        acceptor.close().awaitUninterruptibly();
        connections.forEach(channel -> channel.pipeline().fireUserEventTriggered(TcpConnection.Event.FINISH));
        connections.newCloseFuture().awaitUninterruptibly(grace.toMillis(), TimeUnit.MILLISECONDS);
        connections.close().awaitUninterruptibly(grace.toMillis(), TimeUnit.MILLISECONDS);
    }
}
