package dev.cairn.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.http.HttpEndpoints.Lease;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server with a client that others have written. */
class HttpCurlTest {
    private static final String LONG = "coredns_dns_requests_total 1\n".repeat(100_000);

    private final HttpEndpoints endpoints = new HttpEndpoints();
    private String url;

    @TempDir
    private Path directory;

    @BeforeEach
    void open() throws IOException {
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        Lease lease = endpoints.open(anyPort, "/health", request -> HttpReply.text(200, "OK"));
        endpoints.openSlow(lease.address(), "/metrics", request -> HttpReply.text(200, LONG));
        url = "http://127.0.0.1:" + lease.address().getPort();
    }

    @AfterEach
    void close() {
        endpoints.close();
    }

    private static String curl(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("curl", "-sS", "--noproxy", "*", "--max-time", "120"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("%s: %s", command, output).isZero();
        return output;
    }

    @Test
    void itGetsWhatItAsksFor() throws Exception {
        assertThat(curl(url + "/health")).isEqualTo("OK");
        assertThat(curl("--http1.0", url + "/health")).isEqualTo("OK");
        assertThat(curl("--http2", url + "/health")).as("an upgrade that nobody takes").isEqualTo("OK");
        assertThat(curl(url + "/metrics")).isEqualTo(LONG);
        assertThat(curl("--compressed", url + "/metrics")).isEqualTo(LONG);
        assertThat(curl("--compressed", "-o", "/dev/null", "-w", "%{size_download}", url + "/metrics")).hasSizeLessThan(6);
        assertThat(curl("-x", url, "--noproxy", "", "http://example.org/health")).as("as a proxy is asked").isEqualTo("OK");
        assertThat(curl("-I", url + "/metrics")).startsWith("HTTP/1.1 200 OK\r\n").contains("\r\nContent-Length: " + LONG.length() + "\r\n");
        assertThat(curl("-o", "/dev/null", "-w", "%{http_code}", url + "/absent")).isEqualTo("404");
    }

    @Test
    void itKeepsItsConnection() throws Exception {
        assertThat(curl("-w", " %{num_connects};", url + "/health", url + "/metrics", "-o", "/dev/stdout", "-o", "/dev/null", url + "/health"))
                .isEqualTo("OK 1; 0;OK 0;");
    }

    @Test
    void itHearsThatAMethodIsNotAllowedWhateverItSends() throws Exception {
        Path body = directory.resolve("body");
        Files.write(body, new byte[5_000_000]);
        for (List<String> how : List.of(List.<String>of(), List.of("-H", "Transfer-Encoding: chunked"), List.of("-H", "Expect:"), List.of("--http1.0"))) {
            List<String> arguments = new ArrayList<>(how);
            arguments.addAll(List.of("-o", "/dev/null", "-w", "%{http_code}", "--data-binary", "@" + body, url + "/health"));
            assertThat(curl(arguments.toArray(String[]::new))).as("%s", how).isEqualTo("405");
        }
        assertThat(curl("-X", "DELETE", url + "/health")).isEqualTo("405 method not allowed\n");
    }
}
