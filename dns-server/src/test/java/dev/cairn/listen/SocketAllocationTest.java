package dev.cairn.listen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.Garbage;
import dev.cairn.testing.TestServer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** From socket to socket a query makes no garbage, with the plugins on that run everywhere. */
class SocketAllocationTest {
    private static final int QUERIES = 5_000;
    private static final int WINDOW = 50;
    private static final String COREFILE = """
            . {
                errors
                prometheus 127.0.0.1:0
                loadbalance
                hosts {
                    10.0.0.1 web.example
                    10.0.0.2 web.example
                    10.0.0.3 web.example
                    fallthrough
                }
            }
            """;

    @Test
    void aQueryAllocatesNothingBetweenSocketAndSocket() throws Exception {
        try (TestServer server = TestServer.start(COREFILE, Engines.Choice.FFM);
                DatagramSocket client = new DatagramSocket()) {
            client.connect(InetAddress.getLoopbackAddress(), server.port());
            client.setSoTimeout(120_000);
            long[] serving = serving(server.port());
            assertThat(serving).isNotEmpty();
            Garbage.assertNone(() -> askMany(client), serving);
        }
    }

    private static long[] serving(int port) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return java.util.Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
                .filter(info -> info != null && info.getThreadName().startsWith("cairn-udp-" + port + "-"))
                .mapToLong(info -> info.getThreadId())
                .toArray();
    }

    private static void askMany(DatagramSocket client) throws IOException {
        Message plain = TestServer.query("web.example", Type.A);
        Message edns = TestServer.query("WEB.example", Type.A);
        edns.addRecord(new OPTRecord(1232, 0, 0), Section.ADDITIONAL);
        List<byte[]> packets = List.of(plain.toWire(), edns.toWire());
        DatagramPacket reply = new DatagramPacket(new byte[1500], 1500);
        for (int sent = 0; sent < QUERIES; sent += WINDOW) {
            for (int i = 0; i < WINDOW; i++) {
                byte[] packet = packets.get(i % packets.size());
                client.send(new DatagramPacket(packet, packet.length));
            }
            for (int i = 0; i < WINDOW; i++) {
                client.receive(reply);
            }
        }
    }
}
