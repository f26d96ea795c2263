package dev.cairn.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.cairn.http.HttpEndpoints.Lease;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HttpEndpointsTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final String LONG_BODY = "coredns_dns_requests_total 1\n".repeat(100);

    private final HttpEndpoints endpoints = new HttpEndpoints();
    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @AfterEach
    void stop() {
        endpoints.close();
        client.shutdownNow();
    }

    @Test
    void aPortThatAnotherProgramHasIsTakenOverWhenItGetsFree() throws Exception {
        ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        try (HttpEndpoints patient = new HttpEndpoints(true)) {
            InetSocketAddress address = (InetSocketAddress) other.getLocalSocketAddress();
            assertThatExceptionOfType(BindException.class).isThrownBy(() -> endpoints.open(address, "/health", _ -> HttpReply.text(200, "OK")));
            Lease health = patient.open(address, "/health", _ -> HttpReply.text(200, "OK"));
            Lease ready = patient.open(address, "/ready", _ -> HttpReply.text(200, "ready"));
            other.close();
            Awaitility.await().atMost(Duration.ofSeconds(30)).ignoreExceptionsInstanceOf(IOException.class)
                    .until(() -> get(health, "/health").body().equals("OK"));
            assertThat(get(ready, "/ready").body()).isEqualTo("ready");
        } finally {
            other.close();
        }
    }

    @Test
    void twoPathsShareOneSocket() throws Exception {
        Lease health = endpoints.open(ANY_PORT, "/health", request -> HttpReply.text(200, "OK"));
        Lease ready = endpoints.open(health.address(), "/ready", request -> HttpReply.text(503, "kubernetes"));

        assertThat(ready.address()).isEqualTo(health.address());
        assertThat(get(health, "/health").body()).isEqualTo("OK");
        assertThat(get(health, "/health?verbose=1").statusCode()).isEqualTo(200);
        assertThat(get(health, "/ready").statusCode()).isEqualTo(503);
        assertThat(get(health, "/ready").headers().firstValue("Content-Type")).hasValue("text/plain; charset=utf-8");
    }

    @Test
    void bothWildcardsAreTheSameListener() throws Exception {
        Lease v4 = endpoints.open(new InetSocketAddress("0.0.0.0", 0), "/a", request -> HttpReply.text(200, "a"));
        Lease v6 = endpoints.open(new InetSocketAddress("::", v4.address().getPort()), "/b", request -> HttpReply.text(200, "b"));

        assertThat(v4.address().getAddress().getHostAddress()).isEqualTo("0.0.0.0");
        assertThat(get(v4, "/a").body()).isEqualTo("a");
        assertThat(get(v6, "/b").body()).isEqualTo("b");
    }

    @Test
    void theNewestLeaseAnswersAndTheOneBeforeComesBack() throws Exception {
        Lease first = endpoints.open(ANY_PORT, "/health", request -> HttpReply.text(200, "first"));
        Lease second = endpoints.open(first.address(), "/health", request -> HttpReply.text(200, "second"));

        assertThat(get(first, "/health").body()).isEqualTo("second");
        second.close();
        second.close();
        assertThat(get(first, "/health").body()).isEqualTo("first");
    }

    @Test
    void noRequestFailsWhileLeasesAreSwapped() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        AtomicInteger answered = new AtomicInteger();
        Lease lease = endpoints.open(ANY_PORT, "/health", request -> HttpReply.text(200, "OK"));
        InetSocketAddress address = lease.address();
        URI uri = uri(lease, "/health");
        try (var threads = Executors.newFixedThreadPool(2)) {
            List<Future<?>> loops = List.of(threads.submit(() -> ask(uri, done, answered)), threads.submit(() -> ask(uri, done, answered)));
            for (int i = 0; i < 100; i++) {
                Lease next = endpoints.open(address, "/health", request -> HttpReply.text(200, "OK"));
                lease.close();
                lease = next;
                int before = answered.get();
                Awaitility.await().pollInterval(Duration.ofMillis(1)).until(
                    () -> answered.get() > before || loops.stream().anyMatch(Future::isDone));
            }
            done.set(true);
            for (Future<?> loop : loops) {
                loop.get();
            }
        }
        assertThat(answered.get()).isGreaterThanOrEqualTo(100);
    }

    private Void ask(URI uri, AtomicBoolean done, AtomicInteger answered) throws Exception {
        while (!done.get()) {
            HttpResponse<String> response = client.send(java.net.http.HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.body()).isEqualTo("OK");
            answered.incrementAndGet();
        }
        return null;
    }

    @Test
    void unknownPathsAndMethodsAreRefused() throws Exception {
        Lease lease = endpoints.open(ANY_PORT, "/health", request -> HttpReply.text(200, "OK"));

        for (String path : List.of("/", "/health/", "/health/x", "/healthy", "/x/../health")) {
            assertThat(get(lease, path).statusCode()).as(path).isEqualTo(404);
        }
        HttpResponse<String> posted = client.send(java.net.http.HttpRequest.newBuilder(uri(lease, "/health"))
            .POST(BodyPublishers.ofString("x")).build(), BodyHandlers.ofString());
        assertThat(posted.statusCode()).isEqualTo(405);
        assertThat(posted.headers().firstValue("Allow")).hasValue("GET, HEAD");
        assertThat(get(lease, "/health").statusCode()).isEqualTo(200);
    }

    @Test
    void headHasTheHeadersOfGetAndNoBody() throws Exception {
        Lease lease = endpoints.open(ANY_PORT, "/health", request -> HttpReply.text(200, "OK " + request.method()));
        try (Socket socket = connect(lease)) {
            socket.getOutputStream().write("HEAD /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".getBytes(ISO_8859_1));
            String text = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);

            assertThat(text).startsWith("HTTP/1.1 200 OK\r\n").containsIgnoringCase("\r\ncontent-length: 7\r\n").endsWith("\r\n\r\n");
        }
    }

    @Test
    void anEmptyBodyHasLengthZero() throws Exception {
        Lease lease = endpoints.open(ANY_PORT, "/empty", request -> HttpReply.text(200, ""));

        HttpResponse<String> response = get(lease, "/empty");
        assertThat(response.body()).isEmpty();
        assertThat(response.headers().firstValue("Content-Length")).hasValue("0");
    }

    @Test
    void longBodiesAreZippedForClientsThatAskForIt() throws Exception {
        Lease lease = endpoints.open(ANY_PORT, "/metrics", request -> HttpReply.text(200, LONG_BODY));
        endpoints.open(lease.address(), "/health", request -> HttpReply.text(200, "OK"));

        HttpResponse<byte[]> zipped = getWith(lease, "/metrics", "deflate, gzip;q=1.0, *;q=0.5");
        assertThat(zipped.headers().firstValue("Content-Encoding")).hasValue("gzip");
        assertThat(zipped.body()).hasSizeLessThan(500);
        assertThat(new GZIPInputStream(new ByteArrayInputStream(zipped.body())).readAllBytes()).isEqualTo(LONG_BODY.getBytes(UTF_8));

        for (String refusing : List.of("identity", "gzip;q=0", "gzip; q=0.0, *", "")) {
            HttpResponse<byte[]> plain = getWith(lease, "/metrics", refusing);
            assertThat(plain.headers().firstValue("Content-Encoding")).as(refusing).isEmpty();
            assertThat(plain.body()).isEqualTo(LONG_BODY.getBytes(UTF_8));
        }
        assertThat(getWith(lease, "/health", "gzip").headers().firstValue("Content-Encoding")).isEmpty();
    }

    @Test
    void aResponderThatThrowsIsA500AndTheServerLives() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        Lease lease = endpoints.open(ANY_PORT, "/health", request -> switch (calls.getAndIncrement()) {
            case 0 -> throw new IllegalStateException("expected by the test");
            case 1 -> throw new AssertionError("expected by the test");
            default -> HttpReply.text(200, "OK");
        });

        assertThat(get(lease, "/health").statusCode()).isEqualTo(500);
        assertThat(get(lease, "/health").statusCode()).isEqualTo(500);
        assertThat(get(lease, "/health").statusCode()).isEqualTo(200);
    }

    @Test
    void anAddressInUseIsNamedWithAWayOut() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            InetSocketAddress address = (InetSocketAddress) taken.getLocalSocketAddress();

            assertThatExceptionOfType(BindException.class)
                .isThrownBy(() -> endpoints.open(address, "/", request -> HttpReply.text(200, "")))
                .withMessageStartingWith("address 127.0.0.1:" + address.getPort() + " is in use: ").withMessageContaining("another port");
        }
    }

    @Test
    void anAddressOfAnotherMachineOrOfNoneIsNamed() {
        // 192.0.2.0/24 is kept for documentation (RFC 5737), so no test machine has it.
        assertThatExceptionOfType(IOException.class)
            .isThrownBy(() -> endpoints.open(new InetSocketAddress("192.0.2.1", 8080), "/", request -> HttpReply.text(200, "")))
            .withMessageStartingWith("cannot listen on address 192.0.2.1:8080: ");
        assertThatExceptionOfType(UnknownHostException.class).isThrownBy(
            () -> endpoints.open(InetSocketAddress.createUnresolved("no.such.host", 80), "/", request -> HttpReply.text(200, "")))
            .withMessageContaining("no.such.host:80");
    }

    @Test
    void silentAndSlowClientsDoNotHoldUpOthers() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        Lease lease = endpoints.open(ANY_PORT, "/health", request -> HttpReply.text(200, "OK"));
        endpoints.openSlow(lease.address(), "/stuck", request -> {
            Awaitility.await().until(() -> release.getCount() == 0);
            return HttpReply.text(200, "late");
        });
        Socket[] sockets = new Socket[60];
        try {
            for (int i = 0; i < sockets.length; i++) {
                sockets[i] = connect(lease);
                String sent = switch (i % 3) {
                    case 0 -> "";
                    case 1 -> "GET /health HT";
                    default -> "GET /stuck HTTP/1.1\r\nHost: x\r\n\r\n";
                };
                sockets[i].getOutputStream().write(sent.getBytes(ISO_8859_1));
            }
            assertThat(get(lease, "/health").body()).isEqualTo("OK");
        } finally {
            release.countDown();
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    @Test
    void aRequestThatNeverEndsIsCutOff() throws Exception {
        Lease lease = endpoints.open(ANY_PORT, "/health", request -> HttpReply.text(200, "OK"));
        try (Socket socket = connect(lease)) {
            socket.setSoTimeout(120_000);
            socket.getOutputStream().write("GET /health HTTP/1.1\r\nHost".getBytes(ISO_8859_1));

            assertThat(socket.getInputStream().readAllBytes()).isEmpty();
        }
    }

    @Test
    void theLastLeaseFreesThePort() throws Exception {
        Lease health = endpoints.open(ANY_PORT, "/health", request -> HttpReply.text(200, "OK"));
        Lease ready = endpoints.open(health.address(), "/ready", request -> HttpReply.text(200, "OK"));
        get(health, "/health");

        health.close();
        assertThat(get(ready, "/ready").statusCode()).isEqualTo(200);
        ready.close();
        assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> connect(ready).close());
        Lease again = endpoints.open(ready.address(), "/ready", request -> HttpReply.text(200, "again"));
        ready.close();
        assertThat(get(again, "/ready").body()).isEqualTo("again");
    }

    @Test
    void closingTheEndpointsFreesAllPorts() throws Exception {
        Lease one = endpoints.open(ANY_PORT, "/health", request -> HttpReply.text(200, "OK"));
        Lease two = endpoints.open(ANY_PORT, "/health", request -> HttpReply.text(200, "OK"));
        endpoints.close();

        assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> connect(one).close());
        assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> connect(two).close());
        one.close();
        assertThatIllegalStateException().isThrownBy(() -> endpoints.open(ANY_PORT, "/health", request -> HttpReply.text(200, "OK")));
    }

    @Test
    void itsThreadsDoNotKeepTheProcessAlive() throws Exception {
        Lease lease = endpoints.open(ANY_PORT, "/health", request -> HttpReply.text(200, Thread.currentThread().getName()));
        Lease slow = endpoints.openSlow(lease.address(), "/metrics", request -> HttpReply.text(200, Thread.currentThread().getName()));

        assertThat(get(lease, "/health").body()).isEqualTo("cairn-http");
        assertThat(get(slow, "/metrics").body()).isEqualTo("cairn-http/metrics");
        assertThat(Thread.getAllStackTraces().keySet()).filteredOn(thread -> thread.getName().contains("cairn-http"))
            .isNotEmpty().allMatch(Thread::isDaemon);
    }

    private HttpResponse<String> get(Lease lease, String path) throws Exception {
        return client.send(java.net.http.HttpRequest.newBuilder(uri(lease, path)).build(), BodyHandlers.ofString());
    }

    private HttpResponse<byte[]> getWith(Lease lease, String path, String acceptEncoding) throws Exception {
        return client.send(java.net.http.HttpRequest.newBuilder(uri(lease, path)).header("Accept-Encoding", acceptEncoding).build(),
            BodyHandlers.ofByteArray());
    }

    private static URI uri(Lease lease, String path) {
        return URI.create("http://127.0.0.1:" + lease.address().getPort() + path);
    }

    private static Socket connect(Lease lease) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), lease.address().getPort());
    }
}
