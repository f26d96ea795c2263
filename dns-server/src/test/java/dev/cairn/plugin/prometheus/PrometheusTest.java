package dev.cairn.plugin.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.testing.TestServer;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.DClass;
import org.xbill.DNS.ExtendedFlags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.Type;

class PrometheusTest {
    private static final String WHOAMI = "example.org {\n prometheus localhost:0\n whoami\n}\n";

    private static final String SERVER = "server=\"dns://:0\"";

    private static List<String> series(TestServer server, String name) {
        return server.metrics().lines().filter(line -> line.startsWith(name)).toList();
    }

    @ParameterizedTest
    @CsvSource({
        "A,A", "AAAA,AAAA", "MX,MX", "SOA,SOA", "CNAME,CNAME", "PTR,PTR", "TXT,TXT", "NS,NS", "SRV,SRV", "DNSKEY,DNSKEY", "RRSIG,RRSIG",
        "NSEC,NSEC", "NSEC3,NSEC3", "HTTPS,HTTPS", "SVCB,SVCB", "ANY,ANY", "CAA,other", "LOC,other", "TYPE1234,other"
    })
    void aQueryIsCountedByItsType(String asked, String label) throws Exception {
        try (TestServer server = TestServer.start(WHOAMI)) {
            server.ask("a.example.org", Type.value(asked, true));
            assertThat(series(server, "coredns_dns_requests_total")).containsExactly(
                    "coredns_dns_requests_total{family=\"1\",proto=\"udp\"," + SERVER + ",type=\"" + label
                            + "\",view=\"\",zone=\"example.org.\"} 1");
        }
    }

    @Test
    void repliesAreCountedByCodeAndPlugin() throws Exception {
        try (TestServer server = TestServer.start(WHOAMI + "example.net {\n prometheus localhost:0\n}\n")) {
            server.ask("a.example.org", Type.A);
            server.askTcp("b.example.org", Type.A);
            server.ask("example.net", Type.A);
            assertThat(series(server, "coredns_dns_responses_total")).containsExactly(
                    "coredns_dns_responses_total{plugin=\"\",rcode=\"SERVFAIL\"," + SERVER + ",view=\"\",zone=\"example.net.\"} 1",
                    "coredns_dns_responses_total{plugin=\"whoami\",rcode=\"NOERROR\"," + SERVER + ",view=\"\",zone=\"example.org.\"} 2");
        }
    }

    @Test
    void sizesAndDurationsAreSortedIntoBuckets() throws Exception {
        try (TestServer server = TestServer.start(WHOAMI)) {
            int size = TestServer.query("a.example.org", Type.A).toWire().length;
            int replied = server.ask("a.example.org", Type.A).toWire().length;
            server.askTcp("a.example.org", Type.A);
            String labels = "{proto=\"udp\",server=\"dns://:0\",view=\"\",zone=\"example.org.\"";
            assertThat(server.metrics().lines())
                    .contains("coredns_dns_request_size_bytes_sum" + labels + "} " + size)
                    .contains("coredns_dns_request_size_bytes_bucket" + labels + ",le=\"0\"} 0")
                    .contains("coredns_dns_request_size_bytes_bucket" + labels + ",le=\"100\"} 1")
                    .contains("coredns_dns_response_size_bytes_count" + labels + "} 1")
                    .contains("coredns_dns_request_duration_seconds_count{server=\"dns://:0\",view=\"\",zone=\"example.org.\"} 2");
            // dnsjava compresses other names than we do, so its size of the reply is near ours and not the same.
            assertThat(sum(server, "coredns_dns_response_size_bytes_sum" + labels)).isBetween(replied - 30.0, replied + 30.0);
            assertThat(sum(server, "coredns_dns_request_duration_seconds_sum")).isBetween(1e-9, 60.0);
        }
    }

    private static double sum(TestServer server, String start) {
        String line = series(server, start).getFirst();
        return Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
    }

    /** Names, help texts and types as CoreDNS 1.15.0 printed them. */
    @Test
    void namesAndHelpTextsAreThoseOfCoreDns() throws Exception {
        try (TestServer server = TestServer.start(WHOAMI)) {
            Message query = TestServer.query("a.example.org", Type.A);
            query.addRecord(new OPTRecord(1232, 0, 0, ExtendedFlags.DO), Section.ADDITIONAL);
            server.ask(query, false);
            assertThat(server.metrics().lines()).contains(
                    "# HELP coredns_build_info A metric with a constant '1' value labeled by version, revision, and goversion from which"
                            + " CoreDNS was built.",
                    "# HELP coredns_dns_do_requests_total Counter of DNS requests with DO bit set per zone.",
                    "# TYPE coredns_dns_do_requests_total counter",
                    "coredns_dns_do_requests_total{server=\"dns://:0\",view=\"\",zone=\"example.org.\"} 1",
                    "# HELP coredns_dns_request_duration_seconds Histogram of the time (in seconds) each request took per zone.",
                    "# TYPE coredns_dns_request_duration_seconds histogram",
                    "# HELP coredns_dns_request_size_bytes Size of the EDNS0 UDP buffer in bytes (64K for TCP) per zone and protocol.",
                    "# HELP coredns_dns_requests_total Counter of DNS requests made per zone, protocol and family.",
                    "# TYPE coredns_dns_requests_total counter",
                    "# HELP coredns_dns_response_size_bytes Size of the returned response in bytes.",
                    "# HELP coredns_dns_responses_total Counter of response status codes.",
                    "# HELP coredns_panics_total A metrics that counts the number of panics.",
                    "coredns_panics_total 0",
                    "# HELP coredns_plugin_enabled A metric that indicates whether a plugin is enabled on per server and zone basis.",
                    "# TYPE coredns_plugin_enabled gauge");
            assertThat(bounds(server, "coredns_dns_request_duration_seconds")).containsExactly("0.00025", "0.0005", "0.001", "0.002",
                    "0.004", "0.008", "0.016", "0.032", "0.064", "0.128", "0.256", "0.512", "1.024", "2.048", "4.096", "8.192", "+Inf");
            assertThat(bounds(server, "coredns_dns_response_size_bytes")).containsExactly("0", "100", "200", "300", "400", "511", "1023",
                    "2047", "4095", "8291", "16000", "32000", "48000", "64000", "+Inf");
            assertThat(series(server, "coredns_build_info")).singleElement().asString()
                    .matches("coredns_build_info\\{goversion=\"java25[.0-9]*\",revision=\"[0-9a-z]+(-changed)?\",version=\"[0-9.]+\"} 1");
            assertThat(series(server, "process_resident_memory_bytes")).hasSize(1);
        }
    }

    private static List<String> bounds(TestServer server, String name) {
        return series(server, name + "_bucket").stream().map(line -> line.replaceAll(".*le=\"([^\"]*)\".*", "$1")).toList();
    }

    @Test
    void queriesThatReachNoChainAreCountedAsDropped() throws Exception {
        try (TestServer server = TestServer.start(WHOAMI)) {
            server.ask("example.com", Type.A);
            Name name = Name.fromString("version.bind.");
            server.ask(Message.newQuery(Record.newRecord(name, Type.TXT, DClass.CH)), false);
            Message twoQuestions = TestServer.query("example.org", Type.A);
            twoQuestions.addRecord(Record.newRecord(name, Type.A, DClass.IN), Section.QUESTION);
            exchange(server, twoQuestions.toWire());
            assertThat(series(server, "coredns_dns_requests_total")).containsExactly(
                    "coredns_dns_requests_total{family=\"1\",proto=\"udp\"," + SERVER + ",type=\"A\",view=\"\",zone=\"dropped\"} 1",
                    "coredns_dns_requests_total{family=\"1\",proto=\"udp\"," + SERVER + ",type=\"TXT\",view=\"\",zone=\"dropped\"} 1",
                    "coredns_dns_requests_total{family=\"1\",proto=\"udp\"," + SERVER + ",type=\"other\",view=\"\",zone=\"dropped\"} 1");
            assertThat(series(server, "coredns_dns_responses_total")).containsExactly(
                    "coredns_dns_responses_total{plugin=\"\",rcode=\"FORMERR\",server=\"dns://:0\",view=\"\",zone=\"dropped\"} 1",
                    "coredns_dns_responses_total{plugin=\"\",rcode=\"REFUSED\",server=\"dns://:0\",view=\"\",zone=\"dropped\"} 2");
        }
    }

    /** Sends a packet that dnsjava would not, and waits for the reply. */
    private static void exchange(TestServer server, byte[] packet) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.setSoTimeout(120_000);
            socket.send(new DatagramPacket(packet, packet.length, InetAddress.getLoopbackAddress(), server.port()));
            socket.receive(new DatagramPacket(new byte[512], 512));
        }
    }

    @Test
    void clientsOfTheOtherFamilyAreToldApart() throws Exception {
        InetAddress loopback = InetAddress.ofLiteral("::1");
        assumeTrue(NetworkInterface.getByInetAddress(loopback) != null, "no IPv6 here");
        try (TestServer server = TestServer.start(WHOAMI)) {
            SimpleResolver resolver = new SimpleResolver(loopback);
            resolver.setPort(server.port());
            resolver.setTimeout(Duration.ofMinutes(2));
            resolver.send(TestServer.query("example.org", Type.A));
            assertThat(series(server, "coredns_dns_requests_total{family=\"2\",proto=\"udp\"")).hasSize(1);
        }
    }

    private static HttpResponse<String> scrape(int port) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/metrics")).build();
            return client.send(request, BodyHandlers.ofString());
        }
    }

    @Test
    void aReloadKeepsPortAndCountsAndForgetsPluginsThatWent() throws Exception {
        try (TestServer server = TestServer.start("example.org example.net {\n prometheus localhost:0\n errors\n whoami\n}\n")) {
            String line = server.logLinesWith("plugin/prometheus: metrics at port ").toList().getFirst();
            int port = Integer.parseInt(line.substring(line.lastIndexOf(' ') + 1));
            server.ask("example.org", Type.A);
            HttpResponse<String> before = scrape(port);
            assertThat(before.headers().firstValue("Content-Type")).hasValue("text/plain; version=0.0.4; charset=utf-8");
            assertThat(enabled(before.body())).containsExactly(
                    "errors example.net.", "errors example.org.", "prometheus example.net.", "prometheus example.org.",
                    "whoami example.net.", "whoami example.org.");

            assertThat(server.reload("example.org {\n prometheus localhost:" + port + "\n whoami\n}\n")).isTrue();
            server.ask("example.org", Type.A);
            String after = scrape(port).body();
            assertThat(after).contains("type=\"A\",view=\"\",zone=\"example.org.\"} 2\n");
            assertThat(enabled(after)).containsExactly("prometheus example.org.", "whoami example.org.");

            assertThat(server.reload("example.org {\n prometheus localhost:" + port + " {\n nonsense\n }\n}\n")).isFalse();
            assertThat(enabled(scrape(port).body())).containsExactly("prometheus example.org.", "whoami example.org.");
        }
    }

    private static List<String> enabled(String metrics) {
        return metrics.lines().filter(line -> line.startsWith("coredns_plugin_enabled{"))
                .map(line -> line.replaceAll(".*name=\"(.*?)\".*zone=\"(.*?)\".*", "$1 $2")).toList();
    }

    @ParameterizedTest
    @CsvSource({
        "prometheus 9153,is not an address", "prometheus ::1:9153,write HOST:PORT", "prometheus localhost:http,'http' is not a port",
        "prometheus localhost:65536,is not a port", "prometheus :1 :2,write: prometheus [ADDRESS]",
        "prometheus :0 {\\n tls web.yml\\n },plain HTTP only", "prometheus :0 {\\n runtime_metric\\n },did you mean runtime_metrics?",
        "prometheus :0\\n prometheus :0,only be used once per server block"
    })
    void mistakesAreToldWithTheWayOut(String directive, String part) throws Exception {
        assertThat(TestServer.errorsOf(". {\n " + directive.replace("\\n", "\n") + "\n whoami\n}"))
                .singleElement().asString().contains("plugin/prometheus: ").contains(part);
    }

    @ParameterizedTest
    @CsvSource({":0", "127.0.0.1:0", "[::]:0", "0.0.0.0:0", "localhost:0 {\\n runtime_metrics\\n }"})
    void addressesMayBeWrittenInManyWays(String address) throws Exception {
        assertThat(TestServer.errorsOf(". {\n prometheus " + address.replace("\\n", "\n") + "\n whoami\n}")).isEmpty();
    }
}
