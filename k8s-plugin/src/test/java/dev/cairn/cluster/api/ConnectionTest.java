package dev.cairn.cluster.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.Config;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP/1.1 as a server or a proxy on the way may write it, byte by byte. */
@Timeout(60)
class ConnectionTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<Socket> accepted = new CopyOnWriteArrayList<>();
    private ServerSocket server;
    private ApiClient client;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void end() throws IOException {
        if (client != null) {
            client.close();
        }
        server.close();
        for (Socket socket : accepted) {
            socket.close();
        }
    }

    /** Answers connection after connection: each item is what one connection sends, request by request; it is closed after the last. */
    private ApiClient serve(String[]... connections) {
        Thread.ofPlatform().daemon().start(() -> {
            try {
                for (String[] answers : connections) {
                    Socket socket = server.accept();
                    accepted.add(socket);
                    Thread.ofPlatform().daemon().start(() -> answer(socket, answers));
                }
            } catch (IOException _) {
                return;   // the test has ended
            }
        });
        ApiOptions options = ApiOptions.atEndpoint("http://127.0.0.1:" + server.getLocalPort() + "/prefix/", null);
        client = new ApiClient(new Credentials(options, Map.of()), options, ApiObserver.NONE, LONG);
        return client;
    }

    private void answer(Socket socket, String... answers) {
        try (socket) {
            BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
            for (String answer : answers) {
                requests.add(request(in));
                socket.getOutputStream().write(answer.replace("\n", "\r\n").getBytes(StandardCharsets.ISO_8859_1));
            }
        } catch (IOException _) {
            return;   // the test has ended
        }
    }

    private static String request(BufferedReader in) throws IOException {
        List<String> lines = new ArrayList<>();
        for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
            lines.add(line);
        }
        return String.join("\n", lines);
    }

    private static String[] one(String... answers) {
        return answers;
    }

    private String get(String path) throws IOException {
        try (BodyStream body = client.open(path, ApiClient.Form.OBJECT, LONG)) {
            String text = new String(body.content().readAllBytes(), StandardCharsets.UTF_8);
            body.finish();
            return text;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "HTTP/1.1 200 OK\nContent-Length: 5\n\nhello",
        "HTTP/1.1 200 OK\ncontent-length:5\n\nhello",
        "HTTP/1.1 200\nTransfer-Encoding: chunked\n\n2\nhe\n3;x=y\nllo\n0\n\n",
        "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n5\nhello\n0\nTrailer: x\n\n",
        "HTTP/1.1 100 Continue\n\nHTTP/1.1 200 OK\nContent-Length: 5\n\nhello",
        "HTTP/1.1 200 OK\n\nhello",
        "HTTP/1.0 200 OK\nConnection: close\n\nhello",
    })
    void bodies_end_where_they_say(String answer) throws IOException {
        serve(one(answer));
        assertThat(get("/api")).isEqualTo("hello");
        assertThat(requests.getFirst()).startsWith("GET /prefix/api HTTP/1.1\nHost: 127.0.0.1:" + server.getLocalPort())
                .contains("Accept: application/json", "Accept-Encoding: identity", "User-Agent: cairn");
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "HTTP/1.1 200 OK\nContent-Length: 6\n\nhello",
        "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n5\nhello\n",
        "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n5\nhe",
        "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n5\nhello longer\n0\n\n",
        "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\nx\nhello\n0\n\n",
        "HTTP/1.1 200 OK\nContent-Length: -5\n\nhello",
        "SSH-2.0-OpenSSH\n",
        "HTTP/1.1 200 OK\nContent-",
        "",
    })
    void what_is_cut_or_no_http_is_an_error(String answer) {
        serve(one(answer));
        assertThatThrownBy(() -> get("/api")).isInstanceOf(IOException.class);
    }

    @Test
    void a_connection_is_used_again_after_all_was_read() throws IOException {
        String answer = "HTTP/1.1 200 OK\nContent-Length: 1\n\n";
        serve(one(answer + "a", answer + "b"), one(answer + "c"));
        assertThat(get("/1") + get("/2")).isEqualTo("ab");
        assertThat(accepted).hasSize(1);
        assertThat(get("/3")).as("the server has closed the first meanwhile").isEqualTo("c");
        assertThat(accepted).hasSize(2);
    }

    /** One that was cut after it was sent may have been done. */
    @Test
    void what_changes_something_is_sent_once() throws IOException {
        serve(one("HTTP/1.1 200 OK\nContent-Length: 1\n\na", ""), one(""), one("HTTP/1.1 201 Created\nContent-Length: 0\n\n"));
        assertThat(get("/1")).isEqualTo("a");
        assertThatThrownBy(() -> client.post("/events", "{}")).isInstanceOf(IOException.class);
        assertThat(requests).hasSize(2).last().asString().startsWith("POST /prefix/events HTTP/1.1");
        client.post("/events", "{}");
        assertThat(requests).hasSize(3);
        assertThat(accepted).as("not one that the server may be about to close").hasSize(3);
    }

    @Test
    void a_connection_is_not_used_again_when_something_was_left_or_the_server_says_so() throws IOException {
        serve(one("HTTP/1.1 200 OK\nContent-Length: 5\n\nhello"), one("HTTP/1.1 200 OK\nConnection: close\nContent-Length: 1\n\na"),
                one("HTTP/1.1 200 OK\nContent-Length: 1\n\nb"));
        try (BodyStream body = client.open("/1", ApiClient.Form.OBJECT, LONG)) {
            assertThat(body.read()).isEqualTo('h');
        }
        assertThat(get("/2") + get("/3")).isEqualTo("ab");
        assertThat(accepted).hasSize(3);
    }

    @Test
    void silence_is_told_from_an_end() throws IOException {
        serve(one("HTTP/1.1 200 OK\nContent-Length: 5\n\nhe", ""));
        try (BodyStream body = client.open("/1", ApiClient.Form.OBJECT, Duration.ofMillis(50))) {
            assertThatThrownBy(body::readAllBytes).isInstanceOf(BodyStream.Silence.class);
        }
    }

    @Test
    void closing_wakes_who_reads() throws Exception {
        serve(one("HTTP/1.1 200 OK\nContent-Length: 5\n\nhe", ""));
        BodyStream body = client.open("/1", ApiClient.Form.OBJECT, LONG);
        assertThat(body.readNBytes(2)).hasSize(2);
        List<Throwable> ended = new CopyOnWriteArrayList<>();
        Thread reader = Thread.ofPlatform().start(() -> {
            try {
                body.readAllBytes();
            } catch (IOException e) {
                ended.add(e);
            }
        });
        client.close();
        reader.join();
        assertThat(ended).hasSize(1);
        assertThatThrownBy(() -> get("/2")).hasMessage("the client is closed");
    }

    @Test
    void who_asks_is_told_by_all_that_the_configuration_has() throws IOException {
        Config config = Config.empty();
        config.setMasterUrl("http://10.0.0.1:8080");
        config.setUsername("me");
        config.setPassword("secret");
        config.setImpersonateUsername("you");
        config.setImpersonateGroups("a", "b");
        config.setImpersonateExtras(Map.of("scopes", List.of("view")));
        config.setCustomHeaders(Map.of("X-Route", "here"));
        assertThat(new Server(config).request("/x", "*/*", "gzip", null)).contains(
                "GET /x HTTP/1.1\r\n", "Host: 10.0.0.1:8080\r\n", "Authorization: Basic bWU6c2VjcmV0\r\n", "Impersonate-User: you\r\n",
                "Impersonate-Group: a\r\nImpersonate-Group: b\r\n", "Impersonate-Extra-scopes: view\r\n", "X-Route: here\r\n");
    }

    @Test
    void a_proxy_that_is_no_url_with_a_port_is_named() {
        Config config = Config.empty();
        config.setMasterUrl("https://10.0.0.1");
        config.setHttpsProxy("http://proxy");
        assertThatThrownBy(() -> new Server(config)).hasMessageContaining("proxy \"http://proxy\" is not a URL with a port");
    }

    @Test
    void a_proxy_is_asked_to_connect() throws IOException {
        Config config = Config.empty();
        config.setMasterUrl("http://api.invalid:8080");
        config.setHttpProxy("http://127.0.0.1:" + server.getLocalPort());
        config.setConnectionTimeout(10_000);
        serve(one("HTTP/1.1 200 Connection established\n\n", "HTTP/1.1 200 OK\nContent-Length: 2\n\nhi"));
        Server behind = new Server(config);
        try (Connection connection = behind.connect(LONG)) {
            assertThat(connection.ask(behind.request("/x", "*/*", "gzip", null), LONG).code()).isEqualTo(200);
        }
        assertThat(requests.getFirst()).startsWith("CONNECT api.invalid:8080 HTTP/1.1");
        assertThat(requests.getLast()).startsWith("GET /x HTTP/1.1\nHost: api.invalid:8080");
    }
}
