package dev.cairn.plugin.acl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.testing.TcpClient;
import dev.cairn.testing.TestServer;
import dev.cairn.wire.Network;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.ExtendedErrorCodeOption;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

class AclTest {
    private static Message ask(TestServer server, String name, String type, boolean edns) throws IOException {
        Message query = TestServer.query(name, Type.value(type));
        if (edns) {
            query.addRecord(new OPTRecord(1232, 0, 0), Section.ADDITIONAL);
        }
        return server.ask(query, false);
    }

    /** whoami below answers what is allowed; the client is 127.0.0.1. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            acl { block }                                                         | a.example.org | A    | REFUSED
            acl { filter }                                                        | a.example.org | A    | filtered
            acl { allow }                                                         | a.example.org | A    | allowed
            acl { block type A }                                                  | a.example.org | A    | REFUSED
            acl { block type A }                                                  | a.example.org | AAAA | allowed
            acl { block type AAAA a TYPE65 }                                      | a.example.org | A    | REFUSED
            acl { block type AAAA a TYPE65 }                                      | a.example.org | HTTPS | REFUSED
            acl { block type * }                                                  | a.example.org | TXT  | REFUSED
            acl { block type A * }                                                | a.example.org | TXT  | REFUSED
            acl { block net 127.0.0.0/8 }                                         | a.example.org | A    | REFUSED
            acl { block net 127.0.0.1 }                                           | a.example.org | A    | REFUSED
            acl { block net 127.0.0.2 }                                           | a.example.org | A    | allowed
            acl { block net 10.0.0.0/8 ::1 }                                      | a.example.org | A    | allowed
            acl { block net ::/0 }                                                | a.example.org | A    | allowed
            acl { block net 10.0.0.0/8 * }                                        | a.example.org | A    | REFUSED
            acl { BLOCK NET 127.0.0.1 TYPE A }                                    | a.example.org | A    | REFUSED
            acl { block net 127.0.0.1 type A net 10.0.0.1 }                       | a.example.org | A    | REFUSED
            acl { block net 10.0.0.1 type A net 10.0.0.2 }                        | a.example.org | A    | allowed
            acl { allow net 127.0.0.0/24 ; block net 127.0.0.0/8 }                | a.example.org | A    | allowed
            acl { block net 127.0.0.0/8 ; allow net 127.0.0.0/24 }                | a.example.org | A    | REFUSED
            acl { allow net 10.0.0.0/24 ; block }                                 | a.example.org | A    | REFUSED
            acl { block type A net 10.0.0.0/24 ; filter type A net 127.0.0.0/24 } | a.example.org | A    | filtered
            acl a.example.org { block }                                           | a.example.org | A    | REFUSED
            acl a.example.org { block }                                           | x.A.example.org | A  | REFUSED
            acl a.example.org { block }                                           | b.example.org | A    | allowed
            acl a.example.org { allow } ; acl { block }                           | a.example.org | A    | allowed
            acl a.example.org { allow } ; acl { block }                           | b.example.org | A    | REFUSED
            acl a.example.org { block type TXT } ; acl { filter }                 | a.example.org | A    | filtered
            """)
    void decidesByZoneTypeAndSource(String directives, String name, String type, String expected) throws Exception {
        String corefile = "example.org {\n" + directives.replaceAll("[;{]", "$0\n").replace(";", "").replace("}", "\n}") + "\nwhoami\n}";
        try (TestServer server = TestServer.start(corefile)) {
            Message reply = ask(server, name, type, false);
            boolean answered = !TestServer.rows(reply, Section.ADDITIONAL).isEmpty();
            String found = reply.getRcode() != Rcode.NOERROR ? Rcode.string(reply.getRcode()) : answered ? "allowed" : "filtered";
            assertThat(found).isEqualTo(expected);
        }
    }

    @Test
    void tellsWhyToClientsThatKnowEdns() throws Exception {
        try (TestServer server = TestServer.start(". {\n acl {\n block type A\n filter type AAAA\n }\n whoami\n}")) {
            assertThat(extendedErrors(ask(server, "example.org", "A", true))).containsExactly(ExtendedErrorCodeOption.BLOCKED);
            assertThat(extendedErrors(ask(server, "example.org", "AAAA", true))).containsExactly(ExtendedErrorCodeOption.FILTERED);
            assertThat(extendedErrors(ask(server, "example.org", "TXT", true))).isEmpty();
            assertThat(ask(server, "example.org", "A", false).getOPT()).isNull();
        }
    }

    private static List<Integer> extendedErrors(Message reply) {
        return reply.getOPT().getOptions(EDNSOption.Code.EDNS_EXTENDED_ERROR).stream()
                .map(option -> ((ExtendedErrorCodeOption) option).getErrorCode()).toList();
    }

    @Test
    void dropsQueriesAndCountsAllItDoes() throws Exception {
        String corefile = "example.org example.net {\n acl example.org sub.example.org {\n drop type MX\n block type A\n"
                + " filter type AAAA\n }\n whoami\n}";
        try (TestServer server = TestServer.start(corefile)) {
            try (TcpClient client = new TcpClient(server.port())) { // where replies come in the order of queries
                client.send(TcpClient.frames(TestServer.query("example.org", Type.MX), TestServer.query("example.org", Type.TXT)));
                assertThat(client.read().getQuestion().getType()).isEqualTo(Type.TXT);
            }
            ask(server, "example.org", "A", false);
            ask(server, "a.sub.example.org", "A", false);
            ask(server, "a.sub.example.org", "A", false);
            ask(server, "example.org", "AAAA", false);
            ask(server, "example.net", "A", false);
            String address = server.server().ports().keySet().iterator().next().label();
            await().untilAsserted(() -> assertThat(server.metrics()).contains(
                    "coredns_acl_dropped_requests_total{server=\"" + address + "\",view=\"\",zone=\"example.org.\"} 1\n",
                    "coredns_acl_blocked_requests_total{server=\"" + address + "\",view=\"\",zone=\"example.org.\"} 1\n",
                    "coredns_acl_blocked_requests_total{server=\"" + address + "\",view=\"\",zone=\"sub.example.org.\"} 2\n",
                    "coredns_acl_filtered_requests_total{server=\"" + address + "\",view=\"\",zone=\"example.org.\"} 1\n",
                    "coredns_acl_allowed_requests_total{server=\"" + address + "\",view=\"\"} 2\n",
                    "# HELP coredns_acl_allowed_requests_total Counter of DNS requests being allowed.\n"));
        }
    }

    /** A long list of networks, nested and not, says the same as looking at each of them. */
    @Test
    void findsAddressesAmongManyNetworks() {
        Random random = new Random(7);
        for (int width : new int[] {4, 16}) {
            List<Network> networks = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                String address = width == 4
                        ? "10." + random.nextInt(4) + "." + random.nextInt(256) + "." + random.nextInt(256)
                        : "2001:db8:" + Integer.toHexString(random.nextInt(1024)) + "::" + Integer.toHexString(random.nextInt(65536));
                int prefix = width == 4 ? 18 + random.nextInt(15) : 36 + random.nextInt(93);
                networks.add(Objects.requireNonNull(Network.parse(address + "/" + prefix)));
            }
            AddressRanges ranges = new AddressRanges(networks, width);
            for (int i = 0; i < 20_000; i++) {
                byte[] address = new byte[16];
                random.nextBytes(address);
                byte[] near = i % 2 == 0 ? networks.get(i % 500).first() : networks.get(i % 500).last();
                int kept = random.nextInt(width + 1);
                System.arraycopy(near, 0, address, 0, kept);
                assertThat(ranges.contains(address)).isEqualTo(networks.stream().anyMatch(network -> network.contains(address, width)));
            }
        }
    }

    @Test
    void warnsOfARuleWithoutPolicies() throws Exception {
        try (TestServer server = TestServer.start(". {\n acl\n whoami\n}")) {
            assertThat(server.logLinesWith("plugin/acl: has no rules")).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "acl {\n deny\n }",
        "acl {\n block type\n }",
        "acl {\n block type net 10.0.0.0/8\n }",
        "acl {\n block net\n }",
        "acl {\n block A\n }",
        "acl {\n block type NOSUCH\n }",
        "acl {\n block net 10.0.0.0/33\n }",
        "acl {\n block net 10.0.0\n }",
        "acl {\n block net example.org\n }",
        "acl a..b {\n block\n }",
    })
    void refuses(String directive) throws Exception {
        assertThat(TestServer.errorsOf(". {\n " + directive + "\n}")).hasSize(1);
    }
}
