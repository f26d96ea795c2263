package dev.cairn.plugin.forward;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.listen.Engines;
import dev.cairn.testing.Garbage;
import dev.cairn.testing.TestServer;
import dev.cairn.wire.Bytes;
import dev.cairn.wire.QueryView;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Type;

/**
 * What a query for a name that is not cached makes, of which about a third is its entry in the cache: collections of it are what clients of
 * forwarded answers wait for.
 */
class ForwardAllocationTest {
    private static final int QUERIES = 2_000;
    private static final int WINDOW = 20;

    /** With headers of objects a half larger than those of the server, which the launcher has made small. */
    private static final int BYTES = 1_000;

    private int asked;

    @Test
    void aForwardedQueryMakesAKilobyteOfGarbageCacheEntryIncluded() throws Exception {
        try (DatagramSocket upstream = new DatagramSocket(0, InetAddress.getLoopbackAddress());
                TestServer server = TestServer.start("""
                        . {
                            errors
                            cache 300 {
                                success 1024
                            }
                            forward . 127.0.0.1:%d
                        }
                        """.formatted(upstream.getLocalPort()), Engines.Choice.FFM);
                DatagramSocket client = new DatagramSocket()) {
            Thread.ofPlatform().daemon().start(() -> answer(upstream));
            client.connect(InetAddress.getLoopbackAddress(), server.port());
            client.setSoTimeout(120_000);
            askMany(client); // starts the threads
            Garbage.assertAtMost((long) QUERIES * BYTES, () -> askMany(client), serving(server.port()));
        }
    }

    private static long[] serving(int port) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long[] found = Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
                .filter(info -> info != null
                        && (info.getThreadName().startsWith("cairn-udp-" + port + "-") || info.getThreadName().startsWith("cairn-upstream-")))
                .mapToLong(info -> info.getThreadId())
                .toArray();
        assertThat(found).hasSizeGreaterThan(1);
        return found;
    }

    /** Each name once. */
    private void askMany(DatagramSocket client) throws IOException {
        byte[] query = TestServer.query("n0000000.bench.example", Type.A).toWire();
        DatagramPacket reply = new DatagramPacket(new byte[1500], 1500);
        for (int sent = 0; sent < QUERIES; sent += WINDOW) {
            for (int i = 0; i < WINDOW; i++) {
                int digits = asked++;
                for (int at = QueryView.HEADER + 8; digits > 0; at--) {
                    query[at] = (byte) ('0' + digits % 10);
                    digits /= 10;
                }
                client.send(new DatagramPacket(query, query.length));
            }
            for (int i = 0; i < WINDOW; i++) {
                client.receive(reply);
                assertThat(Bytes.u16(reply.getData(), 6)).as("records").isEqualTo(1);
            }
        }
    }

    /** Answers all questions with an address. */
    private static void answer(DatagramSocket socket) {
        byte[] record = {(byte) 0xc0, QueryView.HEADER, 0, 1, 0, 1, 0, 0, 1, 0, 0, 4, 10, 0, 0, 1};
        byte[] message = new byte[1500];
        DatagramPacket packet = new DatagramPacket(message, message.length);
        while (!socket.isClosed()) {
            try {
                packet.setLength(message.length);
                socket.receive(packet);
                int end = QueryView.HEADER;
                while (message[end] != 0) {
                    end += message[end] + 1;
                }
                end += 5;
                System.arraycopy(record, 0, message, end, record.length);
                Bytes.put16(message, 2, 0x8180);
                Bytes.put16(message, 6, 1);
                Bytes.put16(message, 10, 0);
                packet.setLength(end + record.length);
                socket.send(packet);
            } catch (SocketException e) {
                return; // the test is over
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
