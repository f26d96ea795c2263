package dev.cairn.upstream;

import dev.cairn.wire.ReplyReader;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.EventLoop;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.Inet4Address;
import java.net.InetSocketAddress;

/** One event loop for asking upstreams, and what its thread uses again and again. Except for {@link #execute}, for that thread only. */
public final class Lane {
    private final int index;
    private final EventLoop loop;
    private final boolean epoll;
    private final Wheel wheel;
    private final Unguessable random = new Unguessable();
    private final ReplyReader reader = new ReplyReader();
    private final byte[] in = new byte[0x10000];
    private final byte[] out = new byte[Question.MAX_SIZE];

    Lane(int index, EventLoop loop, boolean epoll) {
        this.index = index;
        this.loop = loop;
        this.epoll = epoll;
        this.wheel = new Wheel(loop);
    }

    /** Counts the lanes from 0. */
    public int index() {
        return index;
    }

    /** Runs a task on the lane's thread; from any thread. */
    public void execute(Runnable task) {
        loop.execute(task);
    }

    /** Has {@code timed} told at a time of {@link System#nanoTime}, rounded up to some milliseconds. */
    public void at(long nanos, Timed timed) {
        wheel.set(timed, nanos);
    }

    public void cancel(Timed timed) {
        wheel.cancel(timed);
    }

    /** For replies that came on this lane. */
    public ReplyReader reader() {
        return reader;
    }

    /** A random number below {@code bound}, at most 65536. */
    public int random(int bound) {
        return random.next(bound);
    }

    Unguessable random() {
        return random;
    }

    /** Where links put a message for the time of its handling. */
    byte[] in() {
        return in;
    }

    /** Where links write a query before it goes into a buffer of the network. */
    byte[] out() {
        return out;
    }

    Bootstrap datagrams(InetSocketAddress to) {
        SocketProtocolFamily family = to.getAddress() instanceof Inet4Address ? SocketProtocolFamily.INET : SocketProtocolFamily.INET6;
        return bootstrap(epoll ? () -> new EpollDatagramChannel(family) : () -> new NioDatagramChannel(family));
    }

    Bootstrap streams() {
        return bootstrap(epoll ? EpollSocketChannel::new : NioSocketChannel::new);
    }

    private Bootstrap bootstrap(ChannelFactory<Channel> channels) {
        return new Bootstrap().group(loop).channelFactory(channels);
    }
}
