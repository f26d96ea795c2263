package dev.cairn.listen;

import dev.cairn.kernel.Promptness;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.nio.NioChannelOption;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.net.StandardSocketOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Netty's event loops, one group per process, on epoll where there is such and else on NIO. */
final class Loops implements AutoCloseable {
    private final boolean epoll;
    private final boolean sharedPorts;
    private final IoEventLoopGroup group;
    private final ExecutorService handshakes;

    Loops(boolean epoll, boolean sharedPorts, int threads) {
        this.epoll = epoll;
        this.sharedPorts = sharedPorts;
        // Not daemon threads: they keep the process alive until the listeners are closed.
        DefaultThreadFactory names = new DefaultThreadFactory(epoll ? "cairn-epoll" : "cairn-nio", true);
        ThreadFactory prompt = task -> names.newThread(Promptness.prompt(task));
        this.group = new MultiThreadIoEventLoopGroup(threads, prompt, epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
        int some = Math.max(1, threads / 2);
        this.handshakes = new ThreadPoolExecutor(
                some, some, 0, TimeUnit.SECONDS, new NewestFirst(), new DefaultThreadFactory("cairn-handshake", true));
    }

    static boolean epollAvailable() {
        return Epoll.isAvailable();
    }

    boolean isEpoll() {
        return epoll;
    }

    /** Lets other processes listen where this bootstrap does, if that is wanted. */
    void share(ServerBootstrap bootstrap) {
        if (sharedPorts) {
            bootstrap.option(epoll ? EpollChannelOption.SO_REUSEPORT : NioChannelOption.of(StandardSocketOptions.SO_REUSEPORT), true);
        }
    }

    IoEventLoopGroup group() {
        return group;
    }

    /** For the arithmetic of TLS handshakes; what waits for it is bounded by the number of handshakes. */
    Executor handshakes() {
        return handshakes;
    }

    Class<? extends DatagramChannel> datagramChannel() {
        return epoll ? EpollDatagramChannel.class : NioDatagramChannel.class;
    }

    Class<? extends ServerChannel> serverChannel() {
        return epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    }

    /** Waits until every loop has done what it was doing, at most until a time of {@link System#nanoTime}. */
    void awaitTurn(long deadlineNanos) {
        List<Future<?>> turns = new ArrayList<>();
        group.forEach(loop -> turns.add(loop.submit(() -> {})));
        turns.forEach(turn -> turn.awaitUninterruptibly(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS));
    }

    @Override
    public void close() {
        handshakes.shutdownNow();
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
    }
}
