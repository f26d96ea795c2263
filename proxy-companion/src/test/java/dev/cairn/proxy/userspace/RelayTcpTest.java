package dev.cairn.proxy.userspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cairn.facts.Address;
import dev.cairn.facts.Protocol;
import dev.cairn.proxy.plan.Endpoint;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** TCP through the relay, with sockets of this machine. */
class RelayTcpTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int LIMIT = 400;

    private final RelayMetrics metrics = new RelayMetrics();
    private final AtomicLong clock = new AtomicLong();
    private final Relay relay = new Relay(new RelayLimits(LIMIT, 10, Duration.ofSeconds(10)), metrics, clock::get, 0);
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : open.reversed()) {
            one.close();
        }
        relay.close();
    }

    private ServerSocket server() throws IOException {
        ServerSocket server = new ServerSocket(0, 500, InetAddress.getLoopbackAddress());
        server.setSoTimeout((int) PATIENCE.toMillis());
        open.add(server);
        return server;
    }

    private static Endpoint endpoint(ServerSocket server) {
        return new Endpoint(Objects.requireNonNull(Address.parse("127.0.0.1")), server.getLocalPort());
    }

    /** Another address of this machine, where the port is free and stays so. */
    private Endpoint refusing() throws IOException {
        return new Endpoint(Objects.requireNonNull(Address.parse("127.0.0.77")), server().getLocalPort());
    }

    private static Targets targets(int affinity, ServerSocket... servers) {
        List<Endpoint> endpoints = Stream.of(servers).map(RelayTcpTest::endpoint).toList();
        return new Targets(endpoints, endpoints, affinity);
    }

    private RelayListener listen(Targets targets) throws IOException {
        RelayListener listener = relay.listen(Protocol.TCP, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), targets);
        open.add(listener);
        return listener;
    }

    private Socket connect(RelayListener to) throws IOException {
        return kept(new Socket(InetAddress.getLoopbackAddress(), to.port()));
    }

    private Socket accept(ServerSocket server) throws IOException {
        return kept(server.accept());
    }

    private Socket kept(Socket socket) throws IOException {
        socket.setSoTimeout((int) PATIENCE.toMillis());
        open.add(socket);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String receive(Socket socket, int length) throws IOException {
        return new String(socket.getInputStream().readNBytes(length), StandardCharsets.US_ASCII);
    }

    /** A server that says its name to each client and hangs up. */
    private ServerSocket named(String name) throws IOException {
        ServerSocket server = server();
        Thread.ofVirtual().start(() -> {
            try {
                while (true) {
                    try (Socket socket = server.accept()) {
                        send(socket, name);
                    }
                }
            } catch (IOException _) {
                // closed
            }
        });
        return server;
    }

    private String ask(RelayListener at) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), at.port())) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    @Test
    void a_client_that_has_said_all_still_hears_the_answer() throws IOException {
        ServerSocket server = server();
        Socket client = connect(listen(targets(0, server)));
        send(client, "question");
        client.shutdownOutput();
        Socket served = accept(server);
        assertThat(served.getInputStream().readAllBytes()).as("all, and then the end").asString().isEqualTo("question");
        send(served, "answer");
        assertThat(receive(client, 6)).isEqualTo("answer");
        send(served, "more");
        served.close();
        assertThat(client.getInputStream().readAllBytes()).asString().isEqualTo("more");
        await().atMost(PATIENCE).until(() -> metrics.connections() == 0);
    }

    @Test
    void an_endpoint_that_has_said_all_still_hears_the_client() throws IOException {
        ServerSocket server = server();
        Socket client = connect(listen(targets(0, server)));
        Socket served = accept(server);
        send(served, "greeting");
        served.shutdownOutput();
        assertThat(client.getInputStream().readAllBytes()).asString().isEqualTo("greeting");
        send(client, "one");
        assertThat(receive(served, 3)).isEqualTo("one");
        send(client, "two");
        client.close();
        assertThat(served.getInputStream().readAllBytes()).asString().isEqualTo("two");
        await().atMost(PATIENCE).until(() -> metrics.connections() == 0);
    }

    @Test
    void a_reset_of_the_client_resets_the_endpoint() throws IOException {
        ServerSocket server = server();
        Socket client = connect(listen(targets(0, server)));
        Socket served = accept(server);
        send(served, "x");
        receive(client, 1);
        client.setSoLinger(true, 0);
        client.close();
        assertThatThrownBy(() -> served.getInputStream().read()).isInstanceOf(SocketException.class).hasMessageContaining("reset");
        await().atMost(PATIENCE).until(() -> metrics.connections() == 0);
    }

    @Test
    void a_reset_of_the_endpoint_resets_the_client() throws IOException {
        ServerSocket server = server();
        Socket client = connect(listen(targets(0, server)));
        Socket served = accept(server);
        send(client, "x");
        receive(served, 1);
        served.setSoLinger(true, 0);
        served.close();
        assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketException.class).hasMessageContaining("reset");
        await().atMost(PATIENCE).until(() -> metrics.connections() == 0);
    }

    @Test
    void while_the_reader_is_slow_the_writer_waits_and_little_is_held() throws Exception {
        ServerSocket server = server();
        Socket client = connect(listen(targets(0, server)));
        Socket served = accept(server);
        long total = 256L << 20;
        AtomicLong written = new AtomicLong();
        CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> {
            byte[] chunk = new byte[1 << 16];
            try (OutputStream out = served.getOutputStream()) {
                for (long at = 0; at < total; at += chunk.length) {
                    for (int i = 0; i < chunk.length; i += 8) {
                        chunk[i] = (byte) ((at + i) >> 13);
                    }
                    out.write(chunk);
                    written.addAndGet(chunk.length);
                }
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }, task -> Thread.ofVirtual().start(task));
        // Nobody reads: what is written fills the buffers of the kernel and then stands.
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(500)).until(() -> {
            long before = written.get();
            return await().pollDelay(Duration.ofMillis(400)).until(written::get, now -> now > 0) == before;
        });
        assertThat(written.get()).isLessThan(total);
        long held = ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT).metric().usedDirectMemory();
        assertThat(held).as("bytes of buffers, of %d written", written.get()).isPositive().isLessThan(32L << 20);
        long read = 0;
        try (InputStream in = client.getInputStream()) {
            byte[] chunk = new byte[1 << 16];
            for (int count = in.readNBytes(chunk, 0, chunk.length); count > 0; count = in.readNBytes(chunk, 0, chunk.length)) {
                for (int i = 0; i < count; i += 8) {
                    assertThat(chunk[i]).isEqualTo((byte) ((read + i) >> 13));
                }
                read += count;
            }
        }
        writing.join();
        assertThat(read).isEqualTo(total);
    }

    @Test
    void an_endpoint_that_refuses_is_passed_over() throws IOException {
        List<Endpoint> endpoints = List.of(refusing(), endpoint(named("b")));
        RelayListener listener = listen(new Targets(endpoints, endpoints, 3600));
        assertThat(ask(listener)).isEqualTo("b");
        assertThat(ask(listener)).as("with affinity it stays").isEqualTo("b");
        assertThat(metrics.text()).contains("cairn_proxy_userspace_connect_retries_total 1\n");
    }

    @Test
    void a_client_that_no_endpoint_takes_is_reset() throws IOException {
        RelayListener listener = listen(new Targets(List.of(refusing()), List.of(), 0));
        assertThatThrownBy(() -> ask(listener)).isInstanceOf(SocketException.class).hasMessageContaining("reset");
        listener.update(targets(0));
        assertThatThrownBy(() -> ask(listener)).isInstanceOf(SocketException.class).hasMessageContaining("reset");
        assertThat(metrics.text()).contains("cairn_proxy_userspace_connect_failures_total 2\n");
    }

    @Test
    void a_client_with_affinity_stays_until_its_time_is_over() throws IOException {
        RelayListener listener = listen(targets(60, named("a"), named("b")));
        assertThat(ask(listener) + ask(listener) + ask(listener)).isEqualTo("aaa");
        clock.addAndGet(Duration.ofSeconds(60).toNanos());
        assertThat(ask(listener) + ask(listener)).isEqualTo("bb");
    }

    @Test
    void connections_outlive_their_endpoint_and_their_listener() throws IOException {
        ServerSocket server = server();
        RelayListener listener = listen(targets(0, server));
        Socket client = connect(listener);
        Socket served = accept(server);
        listener.update(targets(0, named("b")));
        assertThat(ask(listener)).isEqualTo("b");
        send(client, "still");
        assertThat(receive(served, 5)).isEqualTo("still");
        listener.close();
        assertThatThrownBy(() -> connect(listener)).isInstanceOf(IOException.class);
        send(served, "here");
        assertThat(receive(client, 4)).isEqualTo("here");
    }

    @Test
    void many_connections_at_a_time_are_carried_and_one_too_many_is_refused() throws IOException {
        ServerSocket server = server();
        RelayListener listener = listen(targets(0, server));
        List<Socket> clients = new ArrayList<>();
        List<Socket> served = new ArrayList<>();
        for (int i = 0; i < LIMIT; i++) {
            clients.add(connect(listener));
            served.add(accept(server));
            send(clients.get(i), "%04d".formatted(i));
        }
        assertThat(metrics.connections()).isEqualTo(LIMIT);
        for (int i = 0; i < LIMIT; i++) {
            assertThat(receive(served.get(i), 4)).isEqualTo("%04d".formatted(i));
        }
        Socket extra = connect(listener);
        assertThatThrownBy(() -> extra.getInputStream().read()).isInstanceOf(SocketException.class);
        assertThat(metrics.text()).contains("cairn_proxy_userspace_connections_refused_total 1\n");
        for (Socket client : clients) {
            client.close();
        }
        for (Socket socket : served) {
            socket.close();
        }
        await().atMost(PATIENCE).until(() -> metrics.connections() == 0);
        assertThat(metrics.text()).contains("cairn_proxy_userspace_bytes_total{protocol=\"tcp\",to=\"endpoint\"} " + 4 * LIMIT + "\n");
    }
}
