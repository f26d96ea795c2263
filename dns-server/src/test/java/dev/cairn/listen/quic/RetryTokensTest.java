package dev.cairn.listen.quic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.chain.Dispatcher;
import dev.cairn.chain.Router;
import dev.cairn.listen.connection.Service;
import dev.cairn.metrics.MetricRegistry;
import dev.cairn.plugin.ListenSettings;
import dev.cairn.testing.QuicTestClient;
import dev.cairn.testing.TcpClient;
import dev.cairn.testing.TestCertificates;
import dev.cairn.testing.TestServer;
import dev.cairn.tls.ClientAuth;
import dev.cairn.tls.TlsFiles;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDatagramChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Type;

class RetryTokensTest {
    private static final InetSocketAddress CLIENT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 4711);

    private final AtomicLong now = new AtomicLong(1_000_000);
    private final RetryTokens tokens = new RetryTokens(() -> true, now::get);

    private ByteBuf token() {
        ByteBuf token = Unpooled.buffer(tokens.maxTokenLength());
        assertThat(tokens.writeToken(token, Unpooled.wrappedBuffer(new byte[] {1, 2, 3, 4, 5, 6, 7, 8}), CLIENT)).isTrue();
        return token;
    }

    @Test
    void aTokenCarriesTheConnectionId() {
        ByteBuf token = token();
        int at = tokens.validateToken(token, CLIENT);
        byte[] id = new byte[8];
        token.getBytes(at, id);
        assertThat(id).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
    }

    @Test
    void aTokenIsForOneAddressAndPort() {
        assertThat(tokens.validateToken(token(), new InetSocketAddress(InetAddress.getLoopbackAddress(), 4712))).isEqualTo(-1);
        assertThat(tokens.validateToken(token(), new InetSocketAddress("192.0.2.1", 4711))).isEqualTo(-1);
    }

    @Test
    void aTokenGetsOld() {
        ByteBuf token = token();
        now.addAndGet(TimeUnit.SECONDS.toNanos(11));
        assertThat(tokens.validateToken(token, CLIENT)).isEqualTo(-1);
    }

    @Test
    void aTokenCannotBeMadeUp() {
        ByteBuf token = token();
        for (int i = 0; i < token.readableBytes(); i++) {
            ByteBuf changed = token.copy();
            changed.setByte(i, changed.getByte(i) ^ 1);
            assertThat(tokens.validateToken(changed, CLIENT)).as("byte %s", i).isEqualTo(-1);
        }
        assertThat(tokens.validateToken(Unpooled.buffer().writeLong(5), CLIENT)).isEqualTo(-1);
        assertThat(tokens.validateToken(Unpooled.buffer().writeZero(100), CLIENT)).isEqualTo(-1);
    }

    @Test
    void noneIsAskedForWhileHandshakesAreFew() {
        ByteBuf out = Unpooled.buffer();
        assertThat(new RetryTokens(() -> false).writeToken(out, Unpooled.buffer().writeLong(1), CLIENT)).isFalse();
        assertThat(out.readableBytes()).isZero();
    }

    @Test
    void aClientThatProvesItsAddressIsServed(@TempDir Path directory) throws Exception {
        TestCertificates certificates = new TestCertificates(directory);
        TestCertificates.Leaf leaf = certificates.leaf("server", "EC");
        TlsFiles files = new TlsFiles(new TlsFiles.Names(leaf.certificate(), leaf.key(), null, ClientAuth.NOCERT));
        files.load();
        MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        try (Dispatcher dispatcher = new Dispatcher((_, thrown) -> {
            throw thrown;
        })) {
            QuicService always = new QuicService(
                    new Service("quic://test", dispatcher, new MetricRegistry(), Router.empty("test"),
                            ListenSettings.DEFAULT.withTls(files)), 0);
            Channel socket = new Bootstrap().group(group).channel(NioDatagramChannel.class).handler(always.newSocket(Runnable::run))
                    .bind(InetAddress.getLoopbackAddress(), 0).sync().channel();
            try (QuicTestClient client = new QuicTestClient(((InetSocketAddress) socket.localAddress()).getPort(),
                    certificates.authority())) {
                Message query = TestServer.query("example.org", Type.A);
                query.getHeader().setID(0);
                byte[] reply = client.send(TcpClient.frames(query), true).reply();
                assertThat(new Message(Arrays.copyOfRange(reply, 2, reply.length)).getRcode()).isEqualTo(Rcode.REFUSED);
            }
            always.drain(Duration.ofSeconds(1));
        } finally {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(1, TimeUnit.MINUTES);
        }
    }
}
