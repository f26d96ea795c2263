package dev.cairn.listen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.corefile.Transport;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDatagramChannel;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NettyUdpEngineTest {
    private static final ListenAddress EVERYWHERE = new ListenAddress(Transport.QUIC, "", 0);

    /** Opens the wildcard's socket, and meets an error with all others. */
    private static List<Channel> open(List<InetSocketAddress> tried, String error) throws IOException {
        try (MultiThreadIoEventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory())) {
            Bootstrap bootstrap = new Bootstrap().group(loop).channel(NioDatagramChannel.class).handler(new ChannelInboundHandlerAdapter());
            List<Channel> open = NettyUdpEngine.bindAll(EVERYWHERE, 0, 1, place -> {
                tried.add(place);
                if (!place.getAddress().isAnyLocalAddress()) {
                    throw new BindException(error);
                }
                return NettyUdpEngine.await(bootstrap.bind(place));
            });
            open.forEach(channel -> channel.close().syncUninterruptibly());
            return open;
        }
    }

    @Test
    void anAddressThatIsNotThereAnyMoreKeepsNobodyFromListeningOnAll() throws IOException {
        List<InetSocketAddress> tried = new ArrayList<>();
        assertThat(open(tried, "Cannot assign requested address")).hasSize(1);
        assertThat(tried).hasSizeGreaterThan(1);
    }

    @Test
    void aPortThatIsTakenOnOneAddressIsTold() {
        assertThatThrownBy(() -> open(new ArrayList<>(), "Address already in use")).isInstanceOf(BindException.class).hasMessageContaining("in use");
    }
}
