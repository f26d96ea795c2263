package dev.cairn.proxy.userspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.facts.Address;
import dev.cairn.facts.Protocol;
import dev.cairn.proxy.plan.Endpoint;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** UDP through the relay, with sockets of this machine. */
class RelayUdpTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final RelayMetrics metrics = new RelayMetrics();
    private final AtomicLong clock = new AtomicLong();
    private final Relay relay = new Relay(new RelayLimits(10, 3, Duration.ofSeconds(10)), metrics, clock::get, 0);
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : open.reversed()) {
            one.close();
        }
        relay.close();
    }

    private DatagramSocket socket() throws IOException {
        DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        socket.setSoTimeout((int) PATIENCE.toMillis());
        open.add(socket);
        return socket;
    }

    private static Targets targets(DatagramSocket... servers) {
        List<Endpoint> endpoints = Stream.of(servers)
                .map(server -> new Endpoint(Objects.requireNonNull(Address.parse("127.0.0.1")), server.getLocalPort()))
                .toList();
        return new Targets(endpoints, endpoints, 0);
    }

    private RelayListener listen(Targets targets) throws IOException {
        RelayListener listener = relay.listen(Protocol.UDP, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), targets);
        open.add(listener);
        return listener;
    }

    private static void send(DatagramSocket from, int port, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        from.send(new DatagramPacket(bytes, bytes.length, InetAddress.getLoopbackAddress(), port));
    }

    private static DatagramPacket receive(DatagramSocket at) throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[65_535], 65_535);
        at.receive(packet);
        return packet;
    }

    private static String text(DatagramPacket packet) {
        return new String(packet.getData(), 0, packet.getLength(), StandardCharsets.US_ASCII);
    }

    @Test
    void a_client_keeps_its_endpoint_and_hears_its_answers() throws IOException {
        DatagramSocket a = socket();
        DatagramSocket b = socket();
        RelayListener listener = listen(targets(a, b));
        DatagramSocket client = socket();
        DatagramSocket other = socket();
        send(client, listener.port(), "1");
        DatagramPacket first = receive(a);
        send(client, listener.port(), "2");
        DatagramPacket second = receive(a);
        assertThat(List.of(text(first), text(second))).containsExactly("1", "2");
        assertThat(second.getPort()).as("the session's own port").isEqualTo(first.getPort());
        send(a, first.getPort(), "answer");
        DatagramPacket answer = receive(client);
        assertThat(text(answer)).isEqualTo("answer");
        assertThat(answer.getPort()).isEqualTo(listener.port());
        send(other, listener.port(), "3");
        assertThat(text(receive(b))).isEqualTo("3");
        assertThat(metrics.sessions()).isEqualTo(2);
    }

    @Test
    void large_datagrams_are_not_cut() throws IOException {
        DatagramSocket server = socket();
        RelayListener listener = listen(targets(server));
        DatagramSocket client = socket();
        String large = "x".repeat(60_000);
        send(client, listener.port(), large);
        DatagramPacket got = receive(server);
        assertThat(text(got)).isEqualTo(large);
        send(server, got.getPort(), large + "y");
        assertThat(text(receive(client))).isEqualTo(large + "y");
    }

    @Test
    void a_silent_client_is_forgotten() throws IOException {
        DatagramSocket server = socket();
        RelayListener listener = listen(targets(server));
        DatagramSocket client = socket();
        send(client, listener.port(), "1");
        DatagramPacket first = receive(server);
        clock.addAndGet(Duration.ofSeconds(9).toNanos());
        send(server, first.getPort(), "an answer counts as a sign of life");
        receive(client);
        clock.addAndGet(Duration.ofSeconds(9).toNanos());
        send(client, listener.port(), "2");
        assertThat(receive(server).getPort()).isEqualTo(first.getPort());
        clock.addAndGet(Duration.ofSeconds(10).toNanos());
        await().atMost(PATIENCE).until(() -> metrics.sessions() == 0);
        send(client, listener.port(), "3");
        assertThat(text(receive(server))).isEqualTo("3");
    }

    @Test
    void a_session_ends_with_its_endpoint() throws IOException {
        DatagramSocket a = socket();
        DatagramSocket b = socket();
        RelayListener listener = listen(targets(a));
        DatagramSocket client = socket();
        send(client, listener.port(), "1");
        receive(a);
        listener.update(targets(b));
        await().atMost(PATIENCE).until(() -> metrics.sessions() == 0);
        send(client, listener.port(), "2");
        assertThat(text(receive(b))).isEqualTo("2");
        listener.update(new Targets(targets(a).endpoints(), targets(a, b).endpoints(), 0));
        send(client, listener.port(), "3");
        assertThat(text(receive(b))).as("what still serves keeps its sessions").isEqualTo("3");
        listener.close();
        await().atMost(PATIENCE).until(() -> metrics.sessions() == 0);
    }

    @Test
    void a_client_whose_endpoint_refuses_finds_another() throws IOException {
        DatagramSocket b = socket();
        // At another address of this machine the port is free and stays so.
        Endpoint refusing = new Endpoint(Objects.requireNonNull(Address.parse("127.0.0.77")), b.getLocalPort());
        List<Endpoint> endpoints = List.of(refusing, targets(b).endpoints().getFirst());
        RelayListener listener = listen(new Targets(endpoints, endpoints, 3600));
        DatagramSocket client = socket();
        send(client, listener.port(), "1");
        await().atMost(PATIENCE).until(() -> metrics.text().contains("udp_sessions_total 1\n") && metrics.sessions() == 0);
        send(client, listener.port(), "2");
        assertThat(text(receive(b))).isEqualTo("2");
    }

    @Test
    void beyond_the_limit_the_client_that_was_silent_for_longest_makes_room() throws IOException {
        DatagramSocket server = socket();
        RelayListener listener = listen(targets(server));
        List<DatagramSocket> clients = List.of(socket(), socket(), socket(), socket());
        List<Integer> ports = new ArrayList<>();
        for (DatagramSocket client : clients) {
            send(client, listener.port(), "hello");
            ports.add(receive(server).getPort());
        }
        assertThat(metrics.sessions()).isEqualTo(3);
        send(clients.get(1), listener.port(), "again");
        assertThat(receive(server).getPort()).isEqualTo(ports.get(1));
        assertThat(metrics.text()).contains("cairn_proxy_userspace_udp_sessions_total 4\n");
        send(clients.get(0), listener.port(), "again");
        receive(server);   // by another session, to which the kernel may give the same port
        assertThat(metrics.text()).contains("cairn_proxy_userspace_udp_sessions_total 5\n");
    }

    @Test
    void without_endpoints_datagrams_are_dropped() throws IOException {
        RelayListener listener = listen(targets());
        send(socket(), listener.port(), "1");
        await().atMost(PATIENCE).until(() -> metrics.text().contains("cairn_proxy_userspace_udp_dropped_total 1\n"));
    }
}
