package dev.cairn.listen;

import dev.cairn.chain.Dispatcher;
import dev.cairn.listen.connection.Service;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollChannelOption;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Datagrams by Netty: epoll with recvmmsg and sendmmsg, or NIO with one packet a call. Netty cannot tell a socket which source address to
 * use, so the wildcard is opened as one socket per local address, from which replies leave by themselves with the address that was asked,
 * and one for addresses that come later.
 */
final class NettyUdpEngine implements UdpEngine {
    private static final int BATCH = 32;
    private static final int RECEIVE_BUFFER = 4 << 20;

    /** Replies that wait for the socket's buffer beyond this many bytes are dropped. */
    private static final WriteBufferWaterMark UNSENT = new WriteBufferWaterMark(256 << 10, 512 << 10);

    /** Of what the kernel says of an address that the machine does not have. */
    private static final String NOT_HERE = "assign";

    private final Loops loops;

    NettyUdpEngine(Loops loops) {
        this.loops = loops;
    }

    @Override
    public String name() {
        return loops.isEpoll() ? "epoll" : "nio";
    }

    @Override
    public Sockets open(ListenAddress address, int port, int sockets, Service service) throws IOException {
        // NIO has no portable way to share an address between sockets.
        int copies = loops.isEpoll() ? sockets : 1;
        List<Channel> open = bindAll(address, port, copies, place -> bind(place, service));
        return new NettySockets(open, port(open), copies);
    }

    /** Opens a socket. */
    @FunctionalInterface
    interface Binder {
        Channel bind(InetSocketAddress place) throws IOException;
    }

    /**
     * Opens sockets for an address; if that is the wildcard, for all that the machine has. One of those may be gone by then, or not be there yet, as IPv6 addresses while the kernel looks for
     * duplicates: what comes to it is the wildcard socket's, which is the first.
     */
    static List<Channel> bindAll(ListenAddress address, int port, int copies, Binder binder) throws IOException {
        List<Channel> open = new ArrayList<>();
        try {
            for (InetAddress host : hosts(address)) {
                bind(open, host, port, copies, binder);
            }
            return open;
        } catch (IOException e) {
            open.forEach(channel -> channel.close().syncUninterruptibly());
            throw e;
        }
    }

    private static void bind(List<Channel> open, InetAddress host, int port, int copies, Binder binder) throws IOException {
        try {
            for (int i = 0; i < copies; i++) {
                open.add(binder.bind(new InetSocketAddress(host, open.isEmpty() ? port : port(open))));
            }
        } catch (IOException e) {
            if (open.isEmpty() || !String.valueOf(e.getMessage()).contains(NOT_HERE)) {
                throw e;
            }
        }
    }

    private static int port(List<Channel> open) {
        return ((InetSocketAddress) open.getFirst().localAddress()).getPort();
    }

    /** The wildcard first, so that a port chosen by the kernel is free on all addresses. */
    private static List<InetAddress> hosts(ListenAddress address) throws IOException {
        List<InetAddress> hosts = new ArrayList<>();
        hosts.add(address.socketAddress(0).getAddress());
        if (address.isWildcard()) {
            NetworkInterface.networkInterfaces().flatMap(NetworkInterface::inetAddresses).distinct().forEach(hosts::add);
        }
        return hosts;
    }

    private Channel bind(InetSocketAddress address, Service service) throws IOException {
        Bootstrap bootstrap = new Bootstrap()
                .group(loops.group())
                .channel(loops.datagramChannel())
                .option(ChannelOption.SO_RCVBUF, RECEIVE_BUFFER)
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, UNSENT)
                .handler(new NettyUdpHandler(service));
        if (loops.isEpoll()) {
            // Both are needed for recvmmsg: the size of one datagram, and a buffer that holds many.
            bootstrap.option(EpollChannelOption.SO_REUSEPORT, true)
                    .option(EpollChannelOption.MAX_DATAGRAM_PAYLOAD_SIZE, Dispatcher.MAX_UDP_SIZE)
                    .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(Dispatcher.MAX_UDP_SIZE * BATCH));
        } else {
            bootstrap.option(ChannelOption.SO_REUSEADDR, true)
                    .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(Dispatcher.MAX_UDP_SIZE));
        }
        return await(bootstrap.bind(address));
    }

    static Channel await(ChannelFuture bind) throws IOException {
        bind.awaitUninterruptibly();
        if (bind.isSuccess()) {
            return bind.channel();
        }
        throw bind.cause() instanceof IOException e ? e : (IOException) new BindException(String.valueOf(bind.cause()))
                .initCause(bind.cause());
    }

    private record NettySockets(List<Channel> channels, int port, int count) implements Sockets {
        @Override
        public void awaitTurn(long deadlineNanos) {}

        @Override
        public void drain(Duration grace) {
            List<ChannelFuture> closing = new ArrayList<>();
            for (Channel channel : channels) {
                NettyUdpHandler handler = channel.pipeline().get(NettyUdpHandler.class);
                if (handler != null) { // null if the channel is closed already
                    closing.add(handler.closeWhenQuiet(channel, grace));
                }
            }
            closing.forEach(ChannelFuture::awaitUninterruptibly);
        }
    }
}
