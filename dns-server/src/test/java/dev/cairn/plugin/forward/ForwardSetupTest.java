package dev.cairn.plugin.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.plugin.forward.Destination.Kind;
import dev.cairn.testing.ScriptedUpstream;
import dev.cairn.testing.TestServer;
import dev.cairn.upstream.Upstream.Scheme;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Type;

/** What the directive may say, and what it must not. */
class ForwardSetupTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "10.0.0.1|DNS|10.0.0.1|53|''", "10.0.0.1:5353|DNS|10.0.0.1|5353|''", "dns://10.0.0.1|DNS|10.0.0.1|53|''", "::1|DNS|::1|53|''",
        "[::1]|DNS|::1|53|''", "[2003::1]:54|DNS|2003::1|54|''", "tls://9.9.9.9|TLS|9.9.9.9|853|''", "fe80::1%eth0|DNS|fe80::1|53|eth0",
        "tls://9.9.9.9%dns.quad9.net|TLS|9.9.9.9|853|dns.quad9.net", "tls://9.9.9.9%dns.quad9.net:10853|TLS|9.9.9.9|10853|dns.quad9.net",
        "quic://[2620:fe::fe%dns.quad9.net]:8853|QUIC|2620:fe::fe|8853|dns.quad9.net", "https://9.9.9.9|HTTPS|9.9.9.9|443|''",
        "quic://94.140.14.14|QUIC|94.140.14.14|853|''",
    })
    void destinationsAreRead(String text, Scheme scheme, String host, int port, String zone) {
        assertThat(Destination.parse(text, Path::of)).isEqualTo(new Destination(scheme, Kind.ADDRESS, host, port, zone));
    }

    @Test
    void namesAndFilesAreToldFromAddresses() throws IOException {
        assertThat(Destination.parse("tls://dns.example.org:853", Path::of)).isEqualTo(new Destination(Scheme.TLS, Kind.NAME, "dns.example.org", 853, ""));
        assertThat(Destination.parse("/etc/resolv.conf", Path::of).kind()).isEqualTo(Kind.FILE);
        Files.writeString(directory.resolve("servers"), "");
        assertThat(Destination.parse("servers", directory::resolve).kind()).isEqualTo(Kind.FILE);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "grpc://1.1.1.1|destination protocol", "https3://1.1.1.1|destination protocol", "https://1.1.1.1/dns|path", "1.2.3.4:0|port", "1.2.3.4:x|port",
        "1.2.3.400|not an IP address", "a..b|not an IP address",
    })
    void wrongDestinationsAreExplained(String text, String part) {
        assertThatThrownBy(() -> Destination.parse(text, Path::of)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(part);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "expire -1s|expire", "expire|expire DURATION", "max_fails x|max_fails", "policy best|policy", "policy|random", "next|RCODE", "next WRONG|valid rcode",
        "failover NOERROR|NOERROR", "health_check|health_check DURATION", "health_check 1s maybe|unknown option", "health_check 1s domain|argument 3 is missing",
        "force_tcp yes|force_tcp", "doh_method PUT|doh_method", "source_address here|IP address", "resolver name.org|IP:PORT", "tls a b c d|tls",
        "max_age 1s|expire", "read_timeout 0s|read_timeout", "max_concurent 5|did you mean max_concurrent", "except|except",
    })
    void wrongLinesAreExplained(String line, String part) throws IOException {
        assertThat(TestServer.errorsOf(". {\n forward . 127.0.0.1:9 {\n  " + line + "\n }\n}")).isNotEmpty().first().asString().contains(part);
    }

    @Test
    void allMistakesAreToldAtOnce() throws IOException {
        assertThat(TestServer.errorsOf(". {\n forward .\n forward . grpc://1.1.1.1 {\n  policy x\n  max_fails -1\n }\n}")).hasSize(4);
        assertThat(TestServer.errorsOf(". {\n forward ." + " 127.0.0.1".repeat(16) + "\n}")).singleElement().asString().contains("more than 15");
        assertThat(TestServer.errorsOf(". {\n forward . tls://9.9.9.9%a.org {\n  tls_servername b.org\n }\n}"))
                .singleElement().asString().contains("both");
    }

    @Test
    void aFileNamesTheServers() throws Exception {
        Path file = Files.writeString(directory.resolve("resolv.conf"), "# ours\nsearch example.org\nnameserver 127.0.0.1\nnameserver ::1\noptions ndots:1\n");
        try (TestServer server = TestServer.start(". {\n forward . " + file + " {\n max_fails 0\n}\n}")) {
            assertThat(server.ask("example.org.", Type.IXFR).getRcode()).isEqualTo(Rcode.NOTIMP);
        }
        Path empty = Files.writeString(directory.resolve("empty.conf"), "search example.org\n");
        assertThatThrownBy(() -> TestServer.start(". {\n forward . " + empty + "\n}")).isInstanceOf(IOException.class).hasMessageContaining("nameserver");
        assertThatThrownBy(() -> TestServer.start(". {\n forward . /no/such/file\n}")).isInstanceOf(IOException.class).hasMessageContaining("/no/such/file");
    }

    @Test
    void anInterfaceThatIsNotThereIsToldInOneLine() {
        assertThatThrownBy(() -> TestServer.start(". {\n forward . fe80::1%nosuchif\n}"))
                .isInstanceOf(IOException.class).hasMessage("plugin/forward: fe80::1%nosuchif: this machine has no such interface; write the name of one after the %");
    }

    @Test
    void aNameIsLookedUpAtTheResolver() throws Exception {
        try (ScriptedUpstream resolver = ScriptedUpstream.start(ScriptedUpstream.address("127.0.0.1"));
                ScriptedUpstream upstream = ScriptedUpstream.start(ScriptedUpstream.address("192.0.2.7"));
                TestServer server = ForwardTest.serving("dns.example.test:" + upstream.port(), "resolver " + resolver.address())) {
            assertThat(TestServer.answers(server.ask("a.org.", Type.A))).containsExactly("a.org. 60 IN A 192.0.2.7");
            assertThat(resolver.asked()).first().satisfies(asked -> assertThat(asked.name()).isEqualTo("dns.example.test."));
        }
    }
}
