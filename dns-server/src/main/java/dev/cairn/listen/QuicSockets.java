package dev.cairn.listen;

import dev.cairn.listen.connection.Service;
import dev.cairn.listen.quic.QuicService;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.epoll.EpollChannelOption;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/** The datagram sockets that QUIC comes over: one for each address, since the packets of a connection must all come to the same. */
final class QuicSockets implements Endpoint {
    /** More than a path carries in one packet. */
    private static final int PACKET = 2048;

    private static final int RECEIVE_BUFFER = 1 << 20;

    private final QuicService service;
    private final List<Channel> sockets;

    private QuicSockets(QuicService service, List<Channel> sockets) {
        this.service = service;
        this.sockets = sockets;
    }

    static QuicSockets open(ListenAddress address, Service service, Loops loops) throws IOException {
        QuicService quic = new QuicService(service);
        return new QuicSockets(quic, NettyUdpEngine.bindAll(address, address.port(), 1, place -> bind(place, quic, loops)));
    }

    private static Channel bind(InetSocketAddress address, QuicService quic, Loops loops) throws IOException {
        Bootstrap bootstrap = new Bootstrap()
                .group(loops.group())
                .channel(loops.datagramChannel())
                .option(ChannelOption.SO_RCVBUF, RECEIVE_BUFFER)
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(PACKET))
                .handler(quic.newSocket(loops.handshakes()));
        if (loops.isEpoll()) {
            bootstrap.option(EpollChannelOption.SO_REUSEPORT, true); // for the wildcard and the addresses under it
        }
        return NettyUdpEngine.await(bootstrap.bind(address));
    }

    @Override
    public int port() {
        return ((InetSocketAddress) sockets.getFirst().localAddress()).getPort();
    }

    @Override
    public void drain(Duration grace) {
        service.drain(grace);
        sockets.forEach(socket -> socket.close().awaitUninterruptibly());
    }
}
