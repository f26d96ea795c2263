package dev.cairn.listen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.testing.CairnProcess;
import dev.cairn.testing.TestServer;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.Type;

/**
 * How many system calls queries take that have come together: almost all of an answer's CPU time goes there. They are counted by strace while the server is
 * stopped until all queries wait, so that the counts do not depend on how busy the machine is.
 */
@EnabledOnOs(OS.LINUX)
class SystemCallsTest {
    private static final int QUERIES = 192;
    /** Most that are received, or answered without sending, at once. */
    private static final int BATCH = 64;
    /** Calls that were under way when the server was stopped begin anew, on each of its sockets, and the last of each waits. */
    private static final int BEGUN = 2 * Runtime.getRuntime().availableProcessors();

    @TempDir
    Path directory;

    private byte[] query;
    private Path log;

    private CairnProcess start() throws IOException {
        query = TestServer.query("web.example", Type.A).toWire();
        log = directory.resolve("calls");
        Path corefile = Files.writeString(directory.resolve("Corefile"), ". {\n hosts {\n  10.0.0.1 web.example\n }\n}\n");
        return CairnProcess.startBy(List.of("strace", "-D", "-f", "-s", "0", "-o", log.toString(),
                "-e", "trace=recvmmsg,sendmmsg,recvfrom,sendto,sendmsg,writev"), directory, "-conf", corefile.toString(), "-p", "0");
    }

    private interface Step {
        void run() throws IOException;
    }

    /** The calls from when the server goes on, after all has been sent, until all has been received. */
    private List<String> calls(CairnProcess server, Step send, Step receive) throws IOException, InterruptedException {
        server.signal("STOP");
        await().until(() -> allStopped(server.pid()));
        long before = Files.size(log);
        send.run();
        server.signal("CONT");
        receive.run();
        byte[] all = Files.readAllBytes(log);
        return new String(Arrays.copyOfRange(all, Math.toIntExact(before), all.length), StandardCharsets.ISO_8859_1).lines().toList();
    }

    private static boolean allStopped(long pid) throws IOException {
        try (Stream<Path> tasks = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
            for (Path task : tasks.toList()) {
                String stat = Files.readString(task.resolve("stat"));
                char state = stat.charAt(stat.lastIndexOf(')') + 2);
                if (state != 'T' && state != 't') {
                    return false;
                }
            }
        }
        return true;
    }

    /** How often a call was begun. */
    private static long count(List<String> calls, String name) {
        return calls.stream().filter(Pattern.compile("^[0-9]+ +" + name + "\\(").asPredicate()).count();
    }

    @Test
    void datagramsThatWaitAreReceivedAndAnsweredInBatches() throws Exception {
        try (CairnProcess server = start(); DatagramSocket client = new DatagramSocket()) {
            client.connect(InetAddress.getLoopbackAddress(), server.port());
            client.setSoTimeout(120_000);
            DatagramPacket reply = new DatagramPacket(new byte[1500], 1500);
            client.send(new DatagramPacket(query, query.length));
            client.receive(reply);
            List<String> calls = calls(server, () -> {
                for (int i = 0; i < QUERIES; i++) {
                    client.send(new DatagramPacket(query, query.length));
                }
            }, () -> {
                for (int i = 0; i < QUERIES; i++) {
                    client.receive(reply);
                }
            });
            assertThat(count(calls, "sendmmsg")).as("%s", calls).isEqualTo(QUERIES / BATCH);
            assertThat(count(calls, "recvmmsg")).as("%s", calls).isBetween((long) QUERIES / BATCH, (long) QUERIES / BATCH + BEGUN);
            assertThat(count(calls, "(recvfrom|sendto|sendmsg)")).as("%s", calls).isZero();
        }
    }

    @Test
    void queriesThatWaitOnAConnectionAreReadAndAnsweredTogether() throws Exception {
        try (CairnProcess server = start(); Socket client = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            client.setSoTimeout(120_000);
            DataInputStream replies = new DataInputStream(client.getInputStream());
            ByteBuffer queries = ByteBuffer.allocate(QUERIES * (2 + query.length));
            while (queries.hasRemaining()) {
                queries.putShort((short) query.length).put(query);
            }
            client.getOutputStream().write(queries.array(), 0, 2 + query.length);
            replies.readNBytes(replies.readUnsignedShort());
            List<String> calls = calls(server, () -> client.getOutputStream().write(queries.array()), () -> {
                for (int i = 0; i < QUERIES; i++) {
                    replies.readNBytes(replies.readUnsignedShort());
                }
            });
            assertThat(count(calls, "recvfrom")).as("%s", calls).isBetween(1L, (long) QUERIES / BATCH);
            assertThat(count(calls, "(sendto|sendmsg|writev)")).as("%s", calls).isBetween(1L, (long) QUERIES / BATCH);
        }
    }
}
