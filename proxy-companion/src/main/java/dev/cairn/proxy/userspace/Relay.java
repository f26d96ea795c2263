package dev.cairn.proxy.userspace;

import dev.cairn.facts.Protocol;
import dev.cairn.proxy.plan.Endpoint;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.unix.IntegerUnixChannelOption;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The event loops and how sockets are made. Any thread may use it. */
final class Relay implements AutoCloseable {
    private static final int CONNECT_MILLIS = 3000;
    private static final int BACKLOG = 4096;
    /** The largest datagram; a smaller buffer would cut it. */
    private static final int DATAGRAM = 65_535;
    /** SOL_SOCKET and SO_MARK of Linux, for which Netty has no names. */
    private static final ChannelOption<Integer> MARK = new IntegerUnixChannelOption("SO_MARK", 1, 36);

    private final boolean epoll;
    private final int mark;
    private final IoEventLoopGroup group;
    private final RelayLimits limits;
    private final RelayMetrics metrics;
    private final LongSupplier clock;

    /**
     * Starts the loops.
     *
     * @param mark what packets to endpoints are marked with, so that no gate leads them back here; 0 for nothing
     */
    Relay(RelayLimits limits, RelayMetrics metrics, LongSupplier clock, int mark) {
        this.limits = limits;
        this.metrics = metrics;
        this.clock = clock;
        epoll = Epoll.isAvailable();
        this.mark = epoll ? mark : 0;
        group = new MultiThreadIoEventLoopGroup(Runtime.getRuntime().availableProcessors(), new DefaultThreadFactory("cairn-relay", true),
                epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    }

    RelayLimits limits() {
        return limits;
    }

    RelayMetrics metrics() {
        return metrics;
    }

    LongSupplier clock() {
        return clock;
    }

    /** Listens at an address; at a port that the kernel chooses if it has none. */
    RelayListener listen(Protocol protocol, InetSocketAddress at, Targets targets) throws IOException {
        Balancer balancer = new Balancer(clock);
        balancer.update(targets);
        if (protocol == Protocol.UDP) {
            UdpListener listener = new UdpListener(this, balancer);
            listener.bound(await(datagrams(at.getAddress(), listener).group(group).bind(at)));
            return listener;
        }
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(group)
                .channelFactory(epoll ? EpollServerSocketChannel::new : NioServerSocketChannel::new)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childHandler(new TcpAcceptor(this, balancer))
                .childOption(ChannelOption.AUTO_READ, false)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.TCP_NODELAY, true);
        return new TcpListener(await(bootstrap.bind(at)), balancer);
    }

    private static Channel await(ChannelFuture bound) throws IOException {
        bound.awaitUninterruptibly();
        if (bound.cause() instanceof IOException e) {
            throw e;
        }
        if (bound.cause() != null) {
            throw new IOException(bound.cause());
        }
        return bound.channel();
    }

    /** Begins to connect to an endpoint. The channel reads when told to, and is owned by a loop that is there already. */
    ChannelFuture connect(EventLoop loop, Endpoint endpoint, ChannelHandler handler) {
        Bootstrap bootstrap = new Bootstrap()
                .group(loop)
                .channelFactory(epoll ? EpollSocketChannel::new : NioSocketChannel::new)
                .disableResolver()
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
                .option(ChannelOption.AUTO_READ, false)
                .option(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(handler);
        return marked(bootstrap).connect(address(endpoint));
    }

    /** Begins to connect a UDP socket, which hears of refusals and of nobody but the endpoint. */
    ChannelFuture connectDatagrams(EventLoop loop, Endpoint endpoint, ChannelHandler handler) {
        InetSocketAddress to = address(endpoint);
        return marked(datagrams(to.getAddress(), handler).group(loop)).connect(to);
    }

    private Bootstrap datagrams(InetAddress at, ChannelHandler handler) {
        SocketProtocolFamily family = at.getAddress().length == 4 ? SocketProtocolFamily.INET : SocketProtocolFamily.INET6;
        return new Bootstrap()
                .channelFactory(() -> epoll ? new EpollDatagramChannel(family) : new NioDatagramChannel(family))
                .disableResolver()
                .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(DATAGRAM))
                .handler(handler);
    }

    private Bootstrap marked(Bootstrap bootstrap) {
        return mark == 0 ? bootstrap : bootstrap.option(MARK, mark);
    }

    private static InetSocketAddress address(Endpoint endpoint) {
        try {
            return new InetSocketAddress(InetAddress.getByAddress(endpoint.address().bytes()), endpoint.port());
        } catch (UnknownHostException e) {
            throw new AssertionError("an address has 4 or 16 bytes", e);
        }
    }

    /** Closes a connection so that the other end hears of a failure and not of an end. */
    static void reset(SocketChannel channel) {
        if (channel.isOpen()) {
            channel.config().setSoLinger(0);
            channel.close();
        }
    }

    /** Ends all that is carried. */
    @Override
    public void close() {
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
    }
}
