package dev.cairn.listen;

import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.TimeUnit;

/** Netty's event loops, one group per process, on epoll where there is such and else on NIO. */
final class Loops implements AutoCloseable {
    private final boolean epoll;
    private final IoEventLoopGroup group;

    Loops(boolean epoll, int threads) {
        this.epoll = epoll;
        // Not daemon threads: they keep the process alive until the listeners are closed.
        DefaultThreadFactory names = new DefaultThreadFactory(epoll ? "cairn-epoll" : "cairn-nio", true);
        this.group = new MultiThreadIoEventLoopGroup(threads, names, epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    }

    static boolean epollAvailable() {
        return Epoll.isAvailable();
    }

    boolean isEpoll() {
        return epoll;
    }

    IoEventLoopGroup group() {
        return group;
    }

    Class<? extends DatagramChannel> datagramChannel() {
        return epoll ? EpollDatagramChannel.class : NioDatagramChannel.class;
    }

    Class<? extends ServerChannel> serverChannel() {
        return epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    }

    @Override
    public void close() {
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
    }
}
