package dev.cairn.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.http.HttpEndpoints.Lease;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client sees that says things its own way. */
class HttpProtocolTest {
    private static final String LONG = "coredns_dns_requests_total 1\n".repeat(100);

    private final HttpEndpoints endpoints = new HttpEndpoints();
    private final AtomicInteger asked = new AtomicInteger();
    private Lease lease;

    @BeforeEach
    void open() throws IOException {
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        lease = endpoints.open(anyPort, "/health", request -> {
            asked.incrementAndGet();
            return HttpReply.text(200, "OK" + request.query());
        });
        endpoints.open(lease.address(), "/", request -> HttpReply.text(200, "root" + request.query()));
        endpoints.openSlow(lease.address(), "/metrics", request -> HttpReply.text(200, LONG));
        endpoints.open(lease.address(), "/none", request -> HttpReply.text(204, ""));
        endpoints.open(lease.address(), "/more",
                request -> new HttpReply(503, "application/json", Map.of("X-Load-Balancing-Endpoint-Weight", "7"), "{}".getBytes(ISO_8859_1)));
    }

    @AfterEach
    void close() {
        endpoints.close();
    }

    private RawClient connect() throws IOException {
        return new RawClient(lease.address());
    }

    /** The only reply to what is all that is sent; the connection is closed after it. */
    private RawClient.Reply only(String request) throws IOException {
        try (RawClient client = connect()) {
            RawClient.Reply reply = client.send(request).reply();
            assertThat(client.rest()).as("after the reply to %s", request).isEmpty();
            return reply;
        }
    }

    @Test
    void aReplyHasTheHeadersThatItShould() throws IOException {
        try (RawClient client = connect()) {
            RawClient.Reply reply = client.get("/health").reply();
            assertThat(reply.first()).isEqualTo("HTTP/1.1 200 OK");
            assertThat(reply.headers()).containsOnlyKeys("date", "content-type", "content-length");
            ZonedDateTime date = ZonedDateTime.parse(reply.header("date"), DateTimeFormatter.RFC_1123_DATE_TIME);
            assertThat(date.toInstant()).isBetween(Instant.now().minus(Duration.ofMinutes(5)), Instant.now().plus(Duration.ofMinutes(5)));
            RawClient.Reply more = client.get("/more").reply();
            assertThat(more.first()).isEqualTo("HTTP/1.1 503 Service Unavailable");
            assertThat(more.headers()).containsEntry("x-load-balancing-endpoint-weight", "7").containsEntry("content-type", "application/json");
            assertThat(client.get("/none").reply().headers()).doesNotContainKeys("content-length", "transfer-encoding");
            assertThat(client.get("/health").reply().body()).isEqualTo("OK");
        }
    }

    /** The example of RFC 9110 section 5.6.7, and one of each day for two centuries. */
    @Test
    void datesAreThoseOfTheJdk() {
        DateTimeFormatter expected = DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH);
        assertThat(ReplyBytes.date(784111777)).isEqualTo("Sun, 06 Nov 1994 08:49:37 GMT");
        ZonedDateTime end = ZonedDateTime.parse("2170-01-01T00:00:00Z");
        for (ZonedDateTime time = ZonedDateTime.parse("1970-01-01T00:00:00Z"); time.isBefore(end); time = time.plusDays(1).plusSeconds(61)) {
            assertThat(ReplyBytes.date(time.toEpochSecond())).isEqualTo(expected.format(time));
        }
    }

    @Test
    void requestsThatComeAtOnceAreAnsweredInTheirOrder() throws IOException {
        try (RawClient client = connect()) {
            StringBuilder all = new StringBuilder();
            for (int i = 0; i < 1000; i++) {
                all.append("GET ").append(i % 10 == 3 ? "/metrics" : i % 10 == 4 ? "/absent" : "/health?" + i).append(" HTTP/1.1\r\nHost: x\r\n\r\n");
            }
            client.send(all.toString());
            for (int i = 0; i < 1000; i++) {
                RawClient.Reply reply = client.reply();
                assertThat(reply.body()).isEqualTo(i % 10 == 3 ? LONG : i % 10 == 4 ? "404 page not found\n" : "OK" + i);
            }
            assertThat(client.get("/health").reply().status()).as("and it lives on").isEqualTo(200);
        }
    }

    @Test
    void aClientThatHasSaidAllStillHearsAll() throws IOException {
        try (RawClient client = connect()) {
            client.get("/health?1").get("/metrics").get("/health?2");
            client.socket().shutdownOutput();
            assertThat(List.of(client.reply().body(), client.reply().body(), client.reply().body())).containsExactly("OK1", LONG, "OK2");
            assertThat(client.rest()).isEmpty();
        }
    }

    @Test
    void aRequestMayComeByteByByte() throws IOException {
        try (RawClient client = connect()) {
            for (int i = 0; i < 2; i++) {
                for (char c : "GET /health HTTP/1.1\r\nHost: x\r\nAccept: */*\r\n\r\n".toCharArray()) {
                    client.send(String.valueOf(c));
                }
                assertThat(client.reply().body()).isEqualTo("OK");
            }
        }
    }

    @Test
    void emptyLinesBeforeARequestAndLinesWithoutCrAreUnderstood() throws IOException {
        try (RawClient client = connect()) {
            client.send("\r\n\r\n\nGET /health HTTP/1.1\nHost: x\n\n\r\n").get("/health?2");
            assertThat(client.reply().body()).isEqualTo("OK");
            assertThat(client.reply().body()).isEqualTo("OK2");
        }
    }

    @Test
    void connectionsAreKeptAsTheVersionAndTheClientWant() throws IOException {
        try (RawClient client = connect()) {
            assertThat(client.get("/health").reply().header("connection")).isEmpty();
            assertThat(client.send("GET /health HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n").reply().header("connection")).isEqualTo("keep-alive");
            assertThat(client.send("GET /health HTTP/1.2\r\nHost: x\r\n\r\n").reply().header("connection")).isEmpty();
            assertThat(client.send("GET /absent HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n").reply().status())
                    .isEqualTo(404);
            assertThat(client.send("GET /health HTTP/1.1\r\nHost: x\r\nConnection: te, Close\r\n\r\n").get("/health").reply().header("connection"))
                    .isEqualTo("close");
            assertThat(client.rest()).as("the request after the last one").isEmpty();
        }
        assertThat(only("GET /health HTTP/1.0\r\n\r\n").headers()).containsEntry("connection", "close").containsEntry("content-length", "2");
        assertThat(only("GET /health HTTP/1.0\r\nConnection: keep-alive\r\nConnection: close\r\n\r\n").status()).isEqualTo(200);
    }

    @Test
    void headHasTheHeadersOfGet() throws IOException {
        try (RawClient client = connect()) {
            for (String path : List.of("/health", "/metrics", "/absent", "/more")) {
                for (String accepted : List.of("", "Accept-Encoding: gzip\r\n")) {
                    String rest = " " + path + " HTTP/1.1\r\nHost: x\r\n" + accepted + "\r\n";
                    RawClient.Reply head = client.send("HEAD" + rest).replyToHead();
                    RawClient.Reply get = client.send("GET" + rest).reply();
                    assertThat(head.status()).isEqualTo(get.status());
                    assertThat(head.headers()).containsAllEntriesOf(withoutDate(get.headers()));
                }
            }
        }
    }

    private static Map<String, String> withoutDate(Map<String, String> headers) {
        headers.remove("date");
        return headers;
    }

    @Test
    void longBodiesVaryByWhatClientsAccept() throws IOException {
        try (RawClient client = connect()) {
            assertThat(client.get("/metrics").reply().headers()).containsEntry("vary", "Accept-Encoding").doesNotContainKey("content-encoding");
            assertThat(client.send("GET /metrics HTTP/1.1\r\nHost: x\r\nAccept-Encoding: br\r\naccept-encoding:gzip\r\n\r\n").reply().headers())
                    .containsEntry("vary", "Accept-Encoding").containsEntry("content-encoding", "gzip");
            assertThat(client.send("GET /health HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n").reply().headers())
                    .doesNotContainKeys("vary", "content-encoding");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://x/health?1", "HTTP://x:9153/health?1", "https://[::1]/health?1", "/health?1"})
    void targetsMayBeAbsolute(String target) throws IOException {
        try (RawClient client = connect()) {
            assertThat(client.get(target).reply().body()).isEqualTo("OK1");
            assertThat(client.get("http://x").reply().body()).isEqualTo("root");
            assertThat(client.get("http://x?a/b").reply().body()).isEqualTo("roota/b");
        }
    }

    @Test
    void otherMethodsAreRefusedAndTheirBodiesAreNoRequests() throws IOException {
        String smuggled = "GET /health HTTP/1.1\r\nHost: x\r\n\r\n";
        for (String body : List.of(
                "Content-Length: " + smuggled.length() + "\r\n\r\n" + smuggled,
                "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + smuggled,
                "Content-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n" + smuggled,
                "Transfer-Encoding: xchunked\r\nContent-Length: 0\r\n\r\n" + smuggled,
                "Content-Length: 7\r\nExpect: 100-continue\r\n\r\n")) {
            RawClient.Reply reply = only("POST /health HTTP/1.1\r\nHost: x\r\n" + body);
            assertThat(reply.status()).as(body).isEqualTo(405);
            assertThat(reply.headers()).containsEntry("allow", "GET, HEAD").containsEntry("connection", "close");
        }
        assertThat(only("GET /health HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nabcde" + smuggled).status()).isEqualTo(200);
        assertThat(only("POST /absent HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nabcde" + smuggled).status()).isEqualTo(404);
        assertThat(asked).hasValue(1);
        try (RawClient client = connect()) {
            assertThat(client.send("DELETE /health HTTP/1.1\r\nHost: x\r\n\r\n").reply().status()).isEqualTo(405);
            assertThat(client.send("POST /health HTTP/1.1\r\nHost: x\r\nContent-Length: 00\r\n\r\n").reply().status()).isEqualTo(405);
            assertThat(client.send("OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n").reply().status()).isEqualTo(404);
            assertThat(client.send("CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n").reply().status()).isEqualTo(404);
            assertThat(client.get("/health").reply().status()).as("without a body the connection goes on").isEqualTo(200);
        }
    }

    /** A body that nobody reads must not break off the connection before the client has read the reply. */
    @Test
    void theReplyToALongBodyIsHeard() throws IOException {
        try (RawClient client = connect()) {
            client.send("POST /health HTTP/1.1\r\nHost: x\r\nContent-Length: 9000000\r\n\r\n");
            for (int i = 0; i < 90; i++) {
                client.send("x".repeat(100_000));
            }
            assertThat(client.reply().status()).isEqualTo(405);
            client.socket().shutdownOutput();
            assertThat(client.rest()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "GET\r\n\r\n",
        "GET /health\r\n\r\n",
        "GET  /health HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /health  HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /health HTTP/1.1 \r\nHost: x\r\n\r\n",
        " GET /health HTTP/1.1\r\nHost: x\r\n\r\n",
        "G@T /health HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET\t/health\tHTTP/1.1\r\nHost: x\r\n\r\n",
        "GET health HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET * HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET htfoo HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET ftp://x/health HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /health#part HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /he\u00e4lth HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /health\u0000 HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /health\rX HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /health HTTP/1.10\r\nHost: x\r\n\r\n",
        "GET /health http/1.1\r\nHost: x\r\n\r\n",
        "GET /health HTTP/1,1\r\nHost: x\r\n\r\n",
        "GET /health HTTP/x.1\r\nHost: x\r\n\r\n",
        "GET /health HTTP/1.1\r\n\r\n",
        "GET /health HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n",
        "GET /health HTTP/1.0\r\nHost: x\r\nHost: x\r\n\r\n",
        "GET /health HTTP/1.1\r\nHost : x\r\n\r\n",
        "GET /health HTTP/1.1\r\n Host: x\r\n\r\n",
        "GET /health HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n",
        "GET /health HTTP/1.1\r\nHost: x\r\nA: b\r\n\tTransfer-Encoding: chunked\r\n\r\n",
        "GET /health HTTP/1.1\r\nHost: x\r\nA\r\n\r\n",
        "GET /health HTTP/1.1\r\nHost: x\r\n: a\r\n\r\n",
        "GET /health HTTP/1.1\r\nHost: x\r\nA: b\rc\r\n\r\n",
        "GET /health HTTP/1.1\r\nHost: x\r\nA: b\u0000\r\n\r\n",
        "GET /health HTTP/1.1\r\nHost: x\r\nTransfer-Encoding\u000b: chunked\r\n\r\n",
        "GET /health HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n",
        "GET /health HTTP/1.1\r\nHost: x\r\nContent-Length: 0, 0\r\n\r\n",
        "GET /health HTTP/1.1\r\nHost: x\r\nContent-Length: +1\r\n\r\n",
        "GET /health HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        "GET /health HTTP/1.1\r\nHost: x\r\nContent-Length: 0x1\r\n\r\n",
        "GET /health HTTP/1.1\r\nHost: x\r\nContent-Length:\r\n\r\n"})
    void whatIsNoRequestIsRefusedAndTheLastWord(String request) throws IOException {
        RawClient.Reply reply = only(request + "GET /health HTTP/1.1\r\nHost: x\r\n\r\n");
        assertThat(reply.first()).isEqualTo("HTTP/1.1 400 Bad Request");
        assertThat(reply.headers()).containsEntry("connection", "close");
        assertThat(asked).hasValue(0);
    }

    @Test
    void otherVersionsAreRefused() throws IOException {
        assertThat(only("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").status()).isEqualTo(505);
        assertThat(only("GET /health HTTP/0.9\r\n\r\n").status()).isEqualTo(505);
        assertThat(only("GET /health HTTP/3.0\r\nHost: x\r\n\r\n").status()).isEqualTo(505);
    }

    @Test
    void headsThatAreTooLongAreRefused() throws IOException {
        String start = "GET /health HTTP/1.1\r\nHost: x\r\nLong: ";
        int room = HttpLimits.USUAL.headBytes() - start.length() - 4;
        try (RawClient client = connect()) {
            assertThat(client.send(start + "a".repeat(room) + "\r\n\r\n").reply().status()).isEqualTo(200);
            assertThat(client.send(start + "a".repeat(room) + "\r\n\r\n").get("/health").reply().status()).isEqualTo(200);
            assertThat(client.reply().status()).isEqualTo(200);
        }
        assertThat(only(start + "a".repeat(room + 1) + "\r\n\r\n").status()).isEqualTo(431);
        assertThat(only(start + "a".repeat(room) + "\r\nB: c\r\n".repeat(20_000) + "\r\n").status()).isEqualTo(431);
        assertThat(only("GET /" + "a".repeat(20_000) + " HTTP/1.1\r\nHost: x\r\n\r\n").status()).isEqualTo(414);
        char[] noise = new char[100_000];
        Arrays.fill(noise, '\u0016');
        assertThat(only(new String(noise)).status()).isEqualTo(414);
    }
}
