package dev.cairn.plugin.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Plugin;
import dev.cairn.chain.Step;
import dev.cairn.plugin.Forwarding;
import dev.cairn.testing.CairnProcess;
import dev.cairn.testing.TestChain;
import dev.cairn.testing.TestServer;
import dev.cairn.wire.WireName;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

class LoopTest {
    @TempDir
    Path directory;

    /** A server over UDP that hands every query on to another port once that is told, or answers NXDOMAIN if it is told that there is none. */
    private static final class Relay implements AutoCloseable {
        private final DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        private final CompletableFuture<Integer> target = new CompletableFuture<>();
        private final List<String> names = new CopyOnWriteArrayList<>();

        Relay() throws Exception {
            Thread.ofVirtual().start(() -> {
                while (!socket.isClosed()) {
                    try {
                        DatagramPacket packet = new DatagramPacket(new byte[4096], 4096);
                        socket.receive(packet);
                        Thread.ofVirtual().start(() -> answer(packet));
                    } catch (IOException e) {
                        return; // the end
                    }
                }
            });
        }

        private void answer(DatagramPacket packet) {
            try {
                Message query = new Message(Arrays.copyOf(packet.getData(), packet.getLength()));
                names.add(query.getQuestion().getName().toString());
                Message reply;
                if (target.join() > 0) {
                    reply = TestServer.ask(target.join(), query, false);
                } else {
                    reply = new Message(query.getHeader().getID());
                    reply.getHeader().setFlag(Flags.QR);
                    reply.getHeader().setRcode(Rcode.NXDOMAIN);
                    reply.addRecord(query.getQuestion(), Section.QUESTION);
                }
                byte[] wire = reply.toWire();
                socket.send(new DatagramPacket(wire, wire.length, packet.getSocketAddress()));
            } catch (IOException e) {
                // no answer is an answer too
            }
        }

        static Relay toNobody() throws Exception {
            Relay relay = new Relay();
            relay.target.complete(0);
            return relay;
        }

        String address() {
            return "127.0.0.1:" + socket.getLocalPort();
        }

        @Override
        public void close() {
            target.complete(0);
            socket.close();
        }
    }

    @Test
    void anUpstreamThatSendsQueriesBackIsNamedAndAskedNoMoreWhileTheRestIsServed() throws Exception {
        Path hosts = Files.writeString(directory.resolve("hosts"), "192.0.2.9 known.test\n");
        try (Relay relay = new Relay();
                TestServer server = TestServer.start(". {\n errors\n loop\n hosts " + hosts + " {\n fallthrough\n }\n forward . " + relay.address() + "\n}")) {
            relay.target.complete(server.port());
            Awaitility.await().until(() -> server.logLinesWith("plugin/loop: Loop (").count() == 1);
            assertThat(server.logLinesWith("plugin/loop").findFirst().orElseThrow())
                    .contains("detected for zone \".\"", relay.address(), "Query: \"HINFO ");
            Message reply = server.ask("a.org.", Type.A);
            assertThat(reply.getRcode()).isEqualTo(Rcode.SERVFAIL);
            Awaitility.await().until(() -> server.logLinesWith("a.org. A: Loop (").count() == 1);
            assertThat(TestServer.answers(server.ask("known.test.", Type.A))).hasSize(1);
            assertThat(relay.names).doesNotContain("a.org.");
        }
    }

    @Test
    void otherUpstreamsGoOn() throws Exception {
        try (Relay back = new Relay();
                Relay good = Relay.toNobody();
                TestServer server = TestServer.start(". {\n loop\n forward . " + back.address() + " " + good.address() + "\n}")) {
            back.target.complete(server.port());
            Awaitility.await().until(() -> server.logLinesWith("plugin/loop: Loop (").count() == 1);
            for (int i = 0; i < 10; i++) {
                assertThat(server.ask("a" + i + ".org.", Type.A).getRcode()).isEqualTo(Rcode.NXDOMAIN);
            }
            assertThat(back.names).noneMatch(name -> name.endsWith(".org."));
        }
    }

    @Test
    void anUpstreamIsAskedOnceForANameOfTheForwardedZone() throws Exception {
        try (Relay relay = Relay.toNobody(); TestServer server = TestServer.start(". {\n loop\n forward lab.test " + relay.address() + "\n whoami\n}")) {
            Awaitility.await().until(() -> relay.names.size() == 1);
            assertThat(relay.names.getFirst()).matches("[0-9]+\\.[0-9]+\\.lab\\.test\\.");
            assertThat(server.logLinesWith("plugin/loop")).isEmpty();
        }
    }

    @Test
    void withExitTheProcessEndsAsCoreDnsDoes() throws Exception {
        String address = "127.0.53.1"; // where no client of another test gets the port in between
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.ofLiteral(address))) {
            port = free.getLocalPort();
        }
        Files.writeString(directory.resolve("Corefile"), ".:" + port + " {\n bind " + address + "\n loop exit\n forward . " + address + ":" + port + "\n}\n");
        try (CairnProcess cairn = CairnProcess.start(directory, "-conf", "Corefile")) {
            assertThat(cairn.awaitExit()).isEqualTo(1);
            assertThat(cairn.output()).anyMatch(line -> line.contains("plugin/loop: Loop (127.0.0.1:") && line.contains(address + ":" + port));
        }
    }

    @Test
    void aForwardThatTakesLongToStartIsWaitedFor() throws Exception {
        SlowToStart forward = new SlowToStart();
        try (TestChain _ = new TestChain("loop", List.of(new LoopSetup()), forward)) {
            Awaitility.await().until(() -> forward.looks.get() > 0);
            forward.destinations = List.of("192.0.2.1:53");
            Awaitility.await().until(() -> forward.probes.get() > 0);
        }
    }

    /** Its upstreams are known when the test says so. */
    private static final class SlowToStart implements Plugin, Forwarding {
        private final AtomicInteger looks = new AtomicInteger();
        private final AtomicInteger probes = new AtomicInteger();
        private volatile List<String> destinations = List.of();

        @Override
        public String name() {
            return "forward";
        }

        @Override
        public Step query(Exchange exchange) {
            return Step.NEXT;
        }

        @Override
        public WireName zone() {
            return WireName.ROOT;
        }

        @Override
        public List<String> destinations() {
            List<String> now = destinations;
            looks.incrementAndGet();
            return now;
        }

        @Override
        public void probe(int destination, WireName name, int type, Consumer<Boolean> answered) {
            probes.incrementAndGet();
            answered.accept(true);
        }

        @Override
        public void exclude(int destination, String reason) {
            throw new AssertionError(reason);
        }
    }

    @Test
    void mistakesAreExplained() throws Exception {
        assertThat(TestServer.errorsOf(". {\n loop maybe\n forward . 127.0.0.1:9\n}")).singleElement().asString().contains("exit");
        assertThat(TestServer.errorsOf(". {\n loop\n loop\n forward . 127.0.0.1:9\n}")).singleElement().asString().contains("once");
    }
}
