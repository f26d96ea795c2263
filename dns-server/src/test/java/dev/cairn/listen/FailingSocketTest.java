package dev.cairn.listen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.testing.TestServer;
import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.management.ManagementFactory;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Type;

/** Sockets from which nothing can be received any more, as the kernel has it when something else was put in their place, or by which nothing can be sent. */
@EnabledOnOs(OS.LINUX)
class FailingSocketTest {
    private static final long WHILE = TimeUnit.MILLISECONDS.toNanos(600);
    private static final MethodHandle DUP = call("dup", ValueLayout.JAVA_INT);
    private static final MethodHandle DUP2 = call("dup2", ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
    private static final MethodHandle CLOSE = call("close", ValueLayout.JAVA_INT);
    private static final MethodHandle SHUTDOWN = call("shutdown", ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
    private static final int SHUT_WR = 1;

    private static MethodHandle call(String name, ValueLayout... arguments) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), FunctionDescriptor.of(ValueLayout.JAVA_INT, arguments));
    }

    private static int made(MethodHandle call, Object... arguments) {
        try {
            int result = (int) call.invokeWithArguments(arguments);
            assertThat(result).isNotNegative();
            return result;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** The file descriptor of this process's datagram socket on a port. */
    private static int descriptor(int port) throws IOException {
        String local = String.format(Locale.ROOT, ":%04X", port);
        for (String table : List.of("/proc/net/udp", "/proc/net/udp6")) {
            for (String line : Files.readAllLines(Path.of(table))) {
                String[] fields = line.strip().split("\\s+", -1);
                if (fields[1].endsWith(local)) {
                    return descriptor("socket:[" + fields[9] + "]");
                }
            }
        }
        throw new AssertionError("no socket on port " + port);
    }

    private static int descriptor(String target) throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            Path found = open.filter(link -> {
                try {
                    return Files.readSymbolicLink(link).toString().equals(target);
                } catch (IOException e) {
                    return false; // closed meanwhile
                }
            }).findFirst().orElseThrow();
            return Integer.parseInt(found.getFileName().toString());
        }
    }

    /** The processor time that the thread of a socket has used. */
    private static long used(int port) {
        Thread serving = Thread.getAllStackTraces().keySet().stream().filter(thread -> thread.getName().equals("cairn-udp-" + port + "-0"))
                .findFirst().orElseThrow();
        return ManagementFactory.getThreadMXBean().getThreadCpuTime(serving.threadId());
    }

    private static void answers(int port) throws IOException {
        assertThat(TestServer.ask(port, TestServer.query("a.example", Type.A), false).getRcode()).isEqualTo(Rcode.NOERROR);
    }

    @Test
    void aSocketThatFailsIsToldOfTakesNoProcessorAndServesAgainWhenItCan() throws Exception {
        try (TestServer failing = TestServer.start(". {\n multisocket 1\n whoami\n}", Engines.Choice.FFM);
                TestServer other = TestServer.start(". {\n whoami\n}")) {
            int port = failing.port();
            answers(port);
            int socket = descriptor(port);
            int kept = made(DUP, socket);
            Path nothing = Files.createTempFile("cairn", "nothing");
            try (var file = Files.newByteChannel(nothing)) {
                assertThat(file.isOpen()).isTrue();
                made(DUP2, descriptor(nothing.toString()), socket);
                await().until(() -> other.logLinesWith("recvmmsg on port " + port + ": errno 88").findAny().isPresent());

                long begun = System.nanoTime();
                long before = used(port);
                while (System.nanoTime() - begun < WHILE) {
                    answers(other.port());
                }
                assertThat(used(port) - before).as("the processor time of %d ns", System.nanoTime() - begun).isLessThan(WHILE / 10);
                await("then told now and then").until(() -> other.logLinesWith("recvmmsg").count() == 3);
            } finally {
                made(DUP2, kept, socket);
                made(CLOSE, kept);
                Files.delete(nothing);
            }
            answers(port);
            assertThat(other.logLinesWith("recvmmsg")).hasSize(3);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FFM", "EPOLL", "NIO"})
    void aReplyThatCannotBeSentIsCounted(Engines.Choice engine) throws Throwable {
        try (TestServer server = TestServer.start("""
                . {
                    bind 127.0.0.1
                    multisocket 1
                    prometheus 127.0.0.1:0
                    whoami
                }
                """, engine); DatagramSocket client = new DatagramSocket()) {
            int port = server.port();
            answers(port);
            assertThat(server.metrics()).containsPattern("cairn_dns_unsent_replies_total\\{server=\"[^\"]+\"\\} 0\n");
            int told = (int) SHUTDOWN.invokeExact(descriptor(port), SHUT_WR);
            assertThat(told).as("refused, since the socket has no peer, and done all the same").isEqualTo(-1);
            byte[] query = TestServer.query("a.example", Type.A).toWire();
            for (int i = 0; i < 2; i++) {
                client.send(new DatagramPacket(query, query.length, InetAddress.getLoopbackAddress(), port));
            }
            await().untilAsserted(() -> assertThat(server.metrics()).containsPattern("cairn_dns_unsent_replies_total\\{server=\"[^\"]+\"\\} 2\n"));
        }
    }
}
