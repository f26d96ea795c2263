package dev.cairn.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.cairn.http.HttpEndpoints.Lease;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients that take more than they should, and what that does to others. */
class HttpLimitsTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final Duration LONG = Duration.ofMinutes(10);
    /** More than the kernel takes on the way to a client that does not read. */
    private static final byte[] HUGE = new byte[24 << 20];

    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened.reversed()) {
            each.close();
        }
    }

    private HttpEndpoints limited(Duration request, Duration reply, Duration idle, int connections) {
        HttpThread thread = new HttpThread(new HttpLimits(request, reply, idle, connections, 16384));
        HttpEndpoints endpoints = new HttpEndpoints(false, thread);
        opened.add(endpoints);
        return endpoints;
    }

    private RawClient connect(Lease lease) throws IOException {
        RawClient client = new RawClient(lease.address());
        opened.add(client);
        return client;
    }

    /** A client with little room for what it does not read. */
    private RawClient narrow(Lease lease) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        RawClient client = new RawClient(lease.address(), socket);
        opened.add(client);
        return client;
    }

    private static Lease health(HttpEndpoints endpoints) throws IOException {
        return endpoints.open(ANY_PORT, "/health", request -> HttpReply.text(200, "OK"));
    }

    private static Lease huge(HttpEndpoints endpoints, Lease beside) throws IOException {
        return endpoints.open(beside.address(), "/huge", request -> new HttpReply(200, "application/octet-stream", HUGE));
    }

    @Test
    void aRequestThatTakesTooLongIsGivenUpHoweverItTrickles() throws IOException {
        Lease lease = health(limited(SHORT, LONG, LONG, 512));
        RawClient silent = connect(lease).send("GET /health HTT");
        RawClient trickling = connect(lease);
        RawClient other = connect(lease);
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> {
            while (true) {
                trickling.send("a");
                assertThat(other.get("/health").reply().status()).isEqualTo(200);
            }
        });
        assertThat(other.get("/health").reply().status()).as("whose connection it was not").isEqualTo(200);
        assertThat(silent.rest()).isEmpty();
    }

    @Test
    void theSecondRequestHasItsOwnTime() throws IOException {
        Lease lease = health(limited(SHORT, LONG, LONG, 512));
        RawClient client = connect(lease);
        assertThat(client.get("/health").reply().status()).isEqualTo(200);
        assertThat(client.send("GET").rest()).isEmpty();
        RawClient pipelining = connect(lease).send("GET /health HTTP/1.1\r\nHost: x\r\n\r\nGET");
        assertThat(pipelining.reply().status()).isEqualTo(200);
        assertThat(pipelining.rest()).isEmpty();
    }

    @Test
    void anIdleClientIsClosedAlsoBeforeItsFirstRequest() throws IOException {
        Lease lease = health(limited(LONG, LONG, Duration.ofSeconds(1), 512));
        RawClient fresh = connect(lease);
        RawClient used = connect(lease);
        assertThat(used.get("/health").reply().status()).isEqualTo(200);
        assertThat(fresh.rest()).isEmpty();
        assertThat(used.rest()).isEmpty();
        RawClient begun = connect(lease).send("GET /health HTTP/1.1\r\n");
        assertThat(connect(lease).rest()).as("by when the other is not idle").isEmpty();
        assertThat(begun.send("Host: x\r\n\r\n").reply().status()).isEqualTo(200);
    }

    @Test
    void aReplyThatNobodyTakesIsGivenUp() throws IOException {
        HttpEndpoints endpoints = limited(LONG, SHORT, LONG, 512);
        Lease lease = health(endpoints);
        huge(endpoints, lease);
        RawClient client = narrow(lease).get("/huge");
        assertThat(client.socket().getInputStream().read()).isEqualTo('H');
        Awaitility.await().until(() -> connections(lease) == 0);
        assertThatExceptionOfType(IOException.class).isThrownBy(client::reply);
    }

    /** How many connections the server has that it has not closed, as the kernel knows them. */
    private static long connections(Lease lease) throws IOException {
        String port = String.format(":%04X", lease.address().getPort());
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/net/tcp6"))) {
            return lines.map(line -> line.strip().split("\\s+")).filter(fields -> fields[1].endsWith(port) && fields[3].equals("01")).count();
        }
    }

    @Test
    void aLongReplyComesToASlowReaderAndHoldsUpNobody() throws Exception {
        HttpEndpoints endpoints = limited(LONG, LONG, LONG, 512);
        Lease lease = health(endpoints);
        huge(endpoints, lease);
        List<RawClient> slow = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            slow.add(narrow(lease).get("/huge").get("/health"));
        }
        RawClient other = connect(lease);
        for (int i = 0; i < 100; i++) {
            assertThat(other.get("/health").reply().body()).isEqualTo("OK");
        }
        for (RawClient client : slow.subList(0, 2)) {
            assertThat(client.reply().body()).hasSize(HUGE.length);
            assertThat(client.reply().body()).isEqualTo("OK");
        }
    }

    @Test
    void oneClientTooManyPushesOutTheOneThatWaitsForLongest() throws IOException {
        Lease lease = health(limited(LONG, LONG, LONG, 4));
        RawClient used = connect(lease);
        assertThat(used.get("/health").reply().status()).isEqualTo(200);
        RawClient silent = connect(lease);
        RawClient begun = connect(lease).send("GET /heal");
        assertThat(used.get("/health").reply().status()).isEqualTo(200);
        assertThat(used.get("/health").reply().status()).as("by when the others are in, too").isEqualTo(200);
        List<RawClient> probes = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            probes.add(connect(lease));
            assertThat(probes.getLast().get("/health").reply().status()).isEqualTo(200);
        }
        assertThat(silent.rest()).isEmpty();
        assertThat(begun.rest()).isEmpty();
        assertThat(used.get("/health").reply().status()).isEqualTo(200);
        for (RawClient probe : probes) {
            assertThat(probe.get("/health").reply().status()).isEqualTo(200);
        }
    }

    @Test
    void clientsThatAreBeingAnsweredAreNotPushedOut() throws IOException {
        HttpEndpoints endpoints = limited(LONG, LONG, LONG, 2);
        Lease lease = health(endpoints);
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger asked = new AtomicInteger();
        endpoints.openSlow(lease.address(), "/slow", request -> {
            asked.incrementAndGet();
            Awaitility.await().until(() -> release.getCount() == 0);
            return HttpReply.text(200, "late");
        });
        RawClient first = connect(lease).get("/slow");
        Awaitility.await().until(() -> asked.get() == 1);
        RawClient second = connect(lease).get("/slow");
        Lease other = health(endpoints);
        assertThat(connect(other).get("/health").reply().status()).as("another listener has its own number").isEqualTo(200);
        Awaitility.await().until(() -> connectAndRead(lease).isEmpty());
        release.countDown();
        assertThat(first.reply().body()).isEqualTo("late");
        assertThat(second.reply().body()).isEqualTo("late");
        assertThat(connect(lease).get("/health").reply().status()).as("they have come back to waiting").isEqualTo(200);
    }

    private static String connectAndRead(Lease lease) {
        try (RawClient client = new RawClient(lease.address())) {
            return client.rest();
        } catch (IOException e) {
            return "";
        }
    }

    @Test
    void whoAsksForALotGetsItInTurns() throws IOException {
        HttpEndpoints endpoints = limited(LONG, LONG, LONG, 512);
        AtomicInteger answered = new AtomicInteger();
        AtomicInteger before = new AtomicInteger();
        Lease lease = endpoints.open(ANY_PORT, "/health", request -> {
            before.set(answered.get());
            return HttpReply.text(200, "OK");
        });
        RawClient probe = connect(lease);
        assertThat(probe.get("/health").reply().body()).isEqualTo("OK");
        endpoints.open(lease.address(), "/many", request -> {
            if (answered.incrementAndGet() == 10) {
                ask(probe);
            }
            return HttpReply.text(200, "");
        });
        connect(lease).send("GET /many HTTP/1.1\r\nHost: x\r\n\r\n".repeat(400));
        assertThat(probe.reply().body()).isEqualTo("OK");
        assertThat(before).as("requests of the other before the probe's").hasValueBetween(10, 20);
    }

    private static void ask(RawClient probe) {
        try {
            probe.get("/health");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aSlowAnswerThatTakesTooLongIsGivenUpAndTheNextIsNotAskedInVain() throws Exception {
        HttpEndpoints endpoints = limited(LONG, Duration.ofSeconds(2), LONG, 512);
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger asked = new AtomicInteger();
        Lease lease = endpoints.openSlow(ANY_PORT, "/slow", request -> {
            if (asked.incrementAndGet() == 1) {
                Awaitility.await().until(() -> release.getCount() == 0);
            }
            return HttpReply.text(200, "OK");
        });
        RawClient first = connect(lease).get("/slow");
        RawClient second = connect(lease).get("/slow");
        assertThat(first.rest()).isEmpty();
        assertThat(second.rest()).isEmpty();
        release.countDown();
        assertThat(connect(lease).get("/slow").reply().body()).isEqualTo("OK");
        assertThat(asked).hasValue(2);
    }

    @Test
    void whatIsBeingAnsweredMayEndBeforeTheListenerDoes() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        HttpListener listener = HttpListener.bind(ANY_PORT);
        listener.answerSlowly("/slow", request -> {
            asked.countDown();
            Awaitility.await().until(() -> release.getCount() == 0);
            return HttpReply.text(200, "late");
        });
        listener.start();
        RawClient idle = new RawClient(listener.address());
        RawClient client = new RawClient(listener.address()).get("/slow");
        opened.addAll(List.of(idle, client));
        asked.await();
        FutureTask<Void> closing = new FutureTask<>(() -> HttpListener.stop(List.of(listener), LONG), null);
        Thread.ofPlatform().daemon().start(closing);
        assertThat(idle.rest()).isEmpty();
        Awaitility.await().until(() -> isFree(listener.address()));
        assertThat(closing.isDone()).isFalse();
        release.countDown();
        assertThat(client.reply().body()).isEqualTo("late");
        assertThat(client.rest()).isEmpty();
        closing.get();
    }

    private static boolean isFree(InetSocketAddress address) {
        try (RawClient client = new RawClient(address)) {
            return client.socket().isClosed();
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    void whoDoesNotTakeItsAnswerCannotKeepAListenerOpen() throws Exception {
        HttpEndpoints endpoints = limited(LONG, LONG, LONG, 512);
        Lease lease = health(endpoints);
        Lease huge = huge(endpoints, lease);
        RawClient client = narrow(lease).get("/huge");
        assertThat(client.socket().getInputStream().read()).isEqualTo('H');
        lease.close();
        huge.close();
        assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> new RawClient(lease.address()).close());
        assertThatExceptionOfType(IOException.class).isThrownBy(client::reply);
    }
}
