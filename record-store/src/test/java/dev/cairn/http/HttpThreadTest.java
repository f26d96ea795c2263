package dev.cairn.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.cairn.http.HttpEndpoints.Lease;
import dev.cairn.log.Log;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the server takes of the process. */
class HttpThreadTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    @TempDir
    private Path directory;

    private static List<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream().filter(thread -> thread.getName().equals("cairn-http")).toList();
    }

    private static int descriptors() {
        return Objects.requireNonNull(Path.of("/proc/self/fd").toFile().list()).length;
    }

    @Test
    void oneThreadServesAllListenersAndEndsWithTheLast() throws Exception {
        Awaitility.await().until(() -> threads().isEmpty());
        int before = descriptors();
        try (HttpEndpoints some = new HttpEndpoints(); HttpEndpoints others = new HttpEndpoints()) {
            List<Lease> leases = new ArrayList<>();
            for (HttpEndpoints endpoints : List.of(some, others, some, others)) {
                leases.add(endpoints.open(ANY_PORT, "/health", request -> HttpReply.text(200, "OK")));
            }
            for (Lease lease : leases) {
                try (RawClient client = new RawClient(lease.address())) {
                    assertThat(client.get("/health").reply().body()).isEqualTo("OK");
                }
            }
            assertThat(threads()).hasSize(1);
            leases.subList(0, 3).forEach(Lease::close);
            assertThat(threads()).hasSize(1);
            leases.getLast().close();
            Awaitility.await().until(() -> threads().isEmpty());
            Lease again = some.open(ANY_PORT, "/health", request -> HttpReply.text(200, "again"));
            try (RawClient client = new RawClient(again.address())) {
                assertThat(client.get("/health").reply().body()).isEqualTo("again");
            }
        }
        Awaitility.await().until(() -> threads().isEmpty() && descriptors() <= before);
    }

    @Test
    void listenersThatComeAndGoAtOnceAllAnswer() throws Exception {
        try (var workers = Executors.newFixedThreadPool(4)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                all.add(workers.submit(() -> {
                    for (int round = 0; round < 50; round++) {
                        HttpListener listener = HttpListener.bind(ANY_PORT);
                        listener.answer(HttpListener.ANY_PATH, request -> HttpReply.text(200, "OK"));
                        listener.start();
                        try (RawClient client = new RawClient(listener.address())) {
                            assertThat(client.get("/whatever").reply().body()).isEqualTo("OK");
                        }
                        HttpListener.stop(List.of(listener), Duration.ZERO);
                    }
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        }
    }

    @Test
    void aPathOfItsOwnComesBeforeAnyPath() throws IOException {
        HttpListener listener = HttpListener.bind(ANY_PORT);
        listener.answer(HttpListener.ANY_PATH, request -> HttpReply.text(200, "any"));
        listener.answerSlowly("/own", request -> HttpReply.text(200, "own"));
        listener.start();
        try (RawClient client = new RawClient(listener.address())) {
            assertThat(client.get("/own").reply().body()).isEqualTo("own");
            assertThat(client.get("/").reply().body()).isEqualTo("any");
            assertThat(client.get("/own/").reply().body()).isEqualTo("any");
        }
        HttpListener.stop(List.of(listener), Duration.ZERO);
        HttpListener.stop(List.of(listener), Duration.ZERO);
    }

    @Test
    void aPortThatCannotBeHadLosesNoDescriptor() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            InetSocketAddress address = (InetSocketAddress) taken.getLocalSocketAddress();
            assertThatExceptionOfType(BindException.class).isThrownBy(() -> HttpListener.bind(address));
            int before = descriptors();
            for (int i = 0; i < 100; i++) {
                assertThatExceptionOfType(BindException.class).isThrownBy(() -> HttpListener.bind(address));
            }
            assertThat(descriptors()).isLessThan(before + 50);
        }
    }

    /** What a process does that starts a listener, is asked, and tells of its threads. */
    static final class Program {
        private Program() {}

        public static void main(String[] args) throws IOException {
            Log.flush(); // whose thread is another matter
            int before = Thread.activeCount();
            HttpEndpoints endpoints = new HttpEndpoints();
            Lease first = endpoints.open(ANY_PORT, "/health", new Fixed());
            endpoints.open(ANY_PORT, "/ready", new Fixed());
            endpoints.openSlow(ANY_PORT, "/metrics", new Fixed());
            System.out.println("more threads: " + (Thread.activeCount() - before));
            try (RawClient client = new RawClient(first.address())) {
                System.out.println(client.get("/health").reply().body());
            }
        }

        private static final class Fixed implements HttpResponder {
            @Override
            public HttpReply respond(HttpRequest request) {
                return HttpReply.text(200, "answered");
            }
        }
    }

    @Test
    void aStartTakesOneThreadAndFewClasses() throws Exception {
        Path log = directory.resolve("classes");
        Process process = new ProcessBuilder(java(Program.class, "-Xlog:class+load:file=" + log)).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output.lines()).contains("more threads: 1", "answered");
        assertThat(loaded(log)).contains("dev.cairn.http.HttpLoop");
        assertThat(loaded(log)).filteredOn(name -> Stream.of("com.sun.net.httpserver.", "sun.net.httpserver.", "java.util.logging.", "jdk.internal.logger.",
                "java.util.regex.", "java.util.stream.", "java.util.ServiceLoader", "java.util.Formatter", "java.util.concurrent.ForkJoinPool")
                .anyMatch(name::startsWith)).isEmpty();
    }

    /** Uses up all file descriptors until it is told to give them back. */
    static final class Greedy {
        private Greedy() {}

        public static void main(String[] args) throws IOException {
            HttpEndpoints endpoints = new HttpEndpoints();
            System.out.println(endpoints.open(ANY_PORT, "/health", new Program.Fixed()).address().getPort());
            List<InputStream> held = new ArrayList<>();
            try {
                while (true) {
                    held.add(new FileInputStream("/dev/null"));
                }
            } catch (FileNotFoundException e) {
                System.out.println("full");
            }
            System.in.read();
            for (InputStream each : held) {
                each.close();
            }
            System.in.read();
        }
    }

    @Test
    void clientsWaitWhileThereAreNoDescriptors() throws Exception {
        List<String> command = new ArrayList<>(List.of("sh", "-c", "ulimit -n 128; exec \"$@\"", "sh"));
        command.addAll(java(Greedy.class));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (BufferedReader output = process.inputReader()) {
            int port = Integer.parseInt(output.readLine());
            assertThat(output.readLine()).isEqualTo("full");
            try (RawClient client = new RawClient(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
                client.get("/health");
                String complaint = "[ERROR] cannot accept HTTP clients at 127.0.0.1:" + port + ": Too many open files";
                assertThat(output.readLine()).isEqualTo(complaint);
                long begun = System.nanoTime();
                assertThat(output.readLine()).isEqualTo(complaint);
                assertThat(output.readLine()).isEqualTo(complaint);
                assertThat(Duration.ofNanos(System.nanoTime() - begun)).as("it tries again, but not all the time").isGreaterThan(Duration.ofMillis(800));
                process.outputWriter().append('\n').flush();
                assertThat(client.reply().body()).isEqualTo("answered");
            }
        } finally {
            process.destroy();
        }
    }

    private static List<String> loaded(Path log) throws IOException {
        try (Stream<String> lines = Files.lines(log)) {
            return lines.map(line -> line.replaceFirst("^(\\[[^]]*])*\\s*", "")).map(line -> line.split(" ", 2)[0]).toList();
        }
    }

    private static List<String> java(Class<?> program, String... options) {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC"));
        command.addAll(Arrays.asList(options));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        return command;
    }
}
