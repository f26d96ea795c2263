package dev.cairn.listen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.CairnProcess;
import dev.cairn.testing.RawClient;
import dev.cairn.testing.TestServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Type;

/** More than the server can answer is shed; memory stays where it was. */
class OverloadTest {
    private static final int FLOOD = 150_000;

    /** What is kept for sockets, threads and compiled code may grow a little between two floods; a queue of packets would be far above. */
    private static final long GROWTH_KILOBYTES = 24 << 10;

    /** What the buffers of a hundred connections come to at most, with what the allocator keeps of them; what the clients send would come to much more. */
    private static final long BUFFERS_KILOBYTES = 64 << 10;

    /** The heap is in memory from the start, so that what is seen to grow is beside it; how much of it has been used so far depends on collections. */
    private static final List<String> WHOLE_HEAP = List.of("env", "JDK_JAVA_OPTIONS=-Xms64m -XX:+AlwaysPreTouch");

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"ffm", "epoll", "nio"})
    void aFloodOfDatagramsIsShed(String engine) throws Exception {
        Files.writeString(directory.resolve("Corefile"), ".:0 {\n whoami\n}\n");
        try (CairnProcess cairn = CairnProcess.startBy(WHOLE_HEAP, directory, "--udp-engine", engine)) {
            int port = cairn.port();
            flood(port);
            assertAnswers(port);
            long before = cairn.residentKilobytes();
            flood(port);
            assertAnswers(port);
            assertThat(cairn.residentKilobytes()).isLessThan(before + GROWTH_KILOBYTES);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = "ffm")
    void clientsThatNeverReadAreNotBufferedFor(String engine) throws Exception {
        Files.writeString(directory.resolve("Corefile"), ".:0 {\n whoami\n}\n");
        try (CairnProcess cairn = CairnProcess.startBy(WHOLE_HEAP, directory, "--udp-engine", engine)) {
            int port = cairn.port();
            assertAnswers(port);
            long atFirst = cairn.residentKilobytes();
            serveDeafClients(port);
            assertAnswers(port);
            assertThat(cairn.residentKilobytes()).isLessThan(atFirst + BUFFERS_KILOBYTES);
            serveDeafClients(port);
            assertAnswers(port);
            assertThat(cairn.residentKilobytes()).isLessThan(atFirst + BUFFERS_KILOBYTES);
        }
    }

    private static void serveDeafClients(int port) throws IOException {
        List<Socket> deaf = new ArrayList<>();
        try {
            byte[] packet = TestServer.query("a-rather-long-name-to-have-large-answers.example.org", Type.A).toWire();
            byte[] many = new byte[(packet.length + 2) * 5000];
            for (int at = 0; at < many.length; at += packet.length + 2) {
                many[at + 1] = (byte) packet.length;
                System.arraycopy(packet, 0, many, at + 2, packet.length);
            }
            List<Thread> writers = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                Socket socket = new Socket();
                deaf.add(socket);
                // Before it is connected, or the kernel takes megabytes of replies for each client, which takes a busy machine a minute to make.
                socket.setReceiveBufferSize(4096);
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                writers.add(Thread.ofVirtual().start(() -> writeUntilCutOff(socket, many)));
            }
            Awaitility.await().until(() -> writers.stream().noneMatch(Thread::isAlive));
        } finally {
            for (Socket socket : deaf) {
                socket.close();
            }
        }
    }

    /** The server stops reading, so this blocks, until the server closes the connection. */
    private static void writeUntilCutOff(Socket socket, byte[] queries) {
        try {
            OutputStream out = socket.getOutputStream();
            while (true) {
                out.write(queries);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageMatching("(?i).*(broken pipe|reset|closed).*");
        }
    }

    private static void flood(int port) throws InterruptedException {
        List<Thread> senders = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            senders.add(Thread.ofPlatform().start(() -> sendMany(port)));
        }
        for (Thread sender : senders) {
            sender.join();
        }
    }

    private static void sendMany(int port) {
        try (DatagramSocket socket = new DatagramSocket()) {
            byte[] packet = TestServer.query("example.org", Type.A).toWire();
            DatagramPacket datagram = new DatagramPacket(packet, packet.length, InetAddress.getLoopbackAddress(), port);
            for (int i = 0; i < FLOOD; i++) {
                socket.send(datagram);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Right after a flood the kernel's buffer may still be full and drop a query, and on a busy machine the server may be at it for longer than
     * one query waits, so a client asks again, as stub resolvers do.
     */
    private static void assertAnswers(int port) throws IOException {
        byte[] query = TestServer.query("example.org", Type.A).toWire();
        for (boolean tcp : new boolean[] {true, false}) {
            Awaitility.await().ignoreException(SocketTimeoutException.class).until(() -> {
                try (RawClient client = new RawClient(InetAddress.getLoopbackAddress(), port, 5000)) {
                    return new Message(client.ask(tcp, query)).getRcode() == Rcode.NOERROR;
                }
            });
        }
    }
}
