package dev.cairn.listen;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.cairn.testing.TestServer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** From socket to socket a query makes no garbage, with the plugins on that run everywhere. */
class SocketAllocationTest {
    private static final int MAX_ROUNDS = 60;
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

    /**
     * The leanest round must take exactly nothing: early rounds run interpreted code, and the JVM itself charges a thread now and then, when it
     * compiles or deoptimizes something; an allocation of ours would be there in every round.
     */
    @Test
    void aQueryAllocatesNothingBetweenSocketAndSocket() throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (TestServer server = TestServer.start(COREFILE, Engines.Choice.FFM);
                DatagramSocket client = new DatagramSocket()) {
            client.connect(InetAddress.getLoopbackAddress(), server.port());
            client.setSoTimeout(5000);
            long[] serving = serving(threads, server.port());
            assertThat(serving).isNotEmpty();
            long leanest = Long.MAX_VALUE;
            for (int round = 0; round < MAX_ROUNDS && leanest > 0; round++) {
                long before = IntStream.range(0, serving.length).mapToLong(i -> threads.getThreadAllocatedBytes(serving[i])).sum();
                askMany(client);
                long after = IntStream.range(0, serving.length).mapToLong(i -> threads.getThreadAllocatedBytes(serving[i])).sum();
                leanest = Math.min(leanest, after - before);
            }
            assertThat(leanest).as("bytes allocated for %d queries in the leanest round", QUERIES).isZero();
        }
    }

    private static long[] serving(ThreadMXBean threads, int port) {
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
