package dev.cairn.plugin.bind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.cairn.listen.ListenAddress;
import dev.cairn.testing.TestServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.Type;

class BindTest {
    private static final Interfaces TWO = new Interfaces(Map.of(
            "lo", List.of("127.0.0.1", "::1"), "eth0", List.of("192.0.2.7", "fe80::1%eth0"), "down0", List.of()));

    @Test
    void everyAddressHasAListenerAndLinesAddUp() throws Exception {
        try (TestServer server = TestServer.start(". {\n bind 127.0.0.1 127.0.0.2\n bind 127.0.0.3 127.0.0.1\n whoami\n}")) {
            assertThat(hosts(server)).containsExactly("127.0.0.1", "127.0.0.2", "127.0.0.3");
            for (var listener : server.server().ports().entrySet()) {
                for (boolean tcp : new boolean[] {false, true}) {
                    assertThat(ask(listener.getKey().host(), listener.getValue(), tcp).getRcode()).isEqualTo(Rcode.NOERROR);
                }
            }
            assertThat(server.server().zoneLines().getFirst()).matches("\\.:[0-9]+ on 127\\.0\\.0\\.1");
        }
    }

    @Test
    void anInterfaceStandsForItsAddresses() throws Exception {
        List<String> expected = NetworkInterface.getByName("lo").inetAddresses()
                .map(address -> address.getHostAddress().equals("0:0:0:0:0:0:0:1%lo") ? "::1" : address.getHostAddress()).toList();
        assertThat(expected).contains("127.0.0.1");
        try (TestServer server = TestServer.start(". {\n bind lo\n whoami\n}")) {
            assertThat(hosts(server)).containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    @Test
    void aLinkLocalAddressIsListenedOnWithItsInterface() throws Exception {
        String address = Interfaces.ofMachine().byName().values().stream().flatMap(List::stream)
                .filter(text -> text.startsWith("fe80:")).findFirst().orElse("");
        Assumptions.assumeFalse(address.isEmpty(), "no link-local address here");
        try (TestServer server = TestServer.start(". {\n bind " + address + "\n whoami\n}")) {
            ListenAddress listener = server.server().ports().keySet().iterator().next();
            assertThat(listener.label()).startsWith("dns://[" + address + "]:");
            assertThat(ask(address, server.port(), false).getRcode()).isEqualTo(Rcode.NOERROR);
            assertThat(ask(address, server.port(), true).getRcode()).isEqualTo(Rcode.NOERROR);
        }
    }

    @Test
    void exceptLeavesAddressesOut() throws Exception {
        try (TestServer server = TestServer.start(". {\n bind lo 127.0.0.2 {\n except ::1 127.0.0.1\n }\n whoami\n}")) {
            assertThat(hosts(server)).contains("127.0.0.2").doesNotContain("127.0.0.1", "::1");
        }
    }

    @ParameterizedTest
    @CsvSource({"0.0.0.0", "::", "0.0.0.0 :: 127.0.0.1"})
    void theUnspecifiedAddressStandsForAllOfBothFamilies(String addresses) throws Exception {
        try (TestServer server = TestServer.start(". {\n bind " + addresses + "\n whoami\n}")) {
            assertThat(server.server().ports()).hasSize(1);
            assertThat(ask("127.0.0.1", server.port(), false).getRcode()).isEqualTo(Rcode.NOERROR);
            assertThat(ask("127.0.0.1", server.port(), true).getRcode()).isEqualTo(Rcode.NOERROR);
        }
    }

    @Test
    void anAddressThatIsNotHereIsNamedAtTheStart() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> TestServer.start(". {\n bind 192.0.2.77\n whoami\n}").close())
                .withMessage("cannot listen on dns://192.0.2.77:0 (tcp): this machine does not have the address;"
                        + " correct the bind plugin's line");
    }

    @Test
    void blocksOfOnePortEitherAllBindOrNone() throws Exception {
        assertThat(TestServer.errorsOf("a:5399 {\n bind 127.0.0.1\n whoami\n}\nb:5399 {\n whoami\n}")).containsExactly(
                "Corefile:5: this block listens on all addresses of port 5399 and another on dns://127.0.0.1:5399:"
                        + " give every block of the port a bind with addresses of its own, or none");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            lo                  | 127.0.0.1,::1
            eth0                | 192.0.2.7,fe80::1%eth0
            0:0:0:0:0:0:0:1     | ::1
            2001:DB8:0:0:1::    | 2001:db8:0:0:1::
            fe80::5%eth0        | fe80::5%eth0
            10.0.0.1            | 10.0.0.1
            """)
    void addressesHaveOneSpelling(String argument, String addresses) {
        assertThat(TWO.addresses(argument)).containsExactly(addresses.split(","));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            eth7                | not a valid IP address or interface name: "eth7"
            53                  | not a valid IP address or interface name: "53"
            127.1               | not a valid IP address or interface name: "127.1"
            localhost           | not a valid IP address or interface name: "localhost"
            10.0.0.1%eth0       | not a valid IP address or interface name: "10.0.0.1%eth0"
            fe80::5             | fe80::5 is valid only with its interface: write fe80::5%INTERFACE
            fe80::5%eth7        | "eth7" in fe80::5%eth7 is not an interface
            down0               | interface down0 has no address
            """)
    void whatIsNoAddressIsToldSo(String argument, String message) {
        assertThatIllegalArgumentException().isThrownBy(() -> TWO.addresses(argument)).withMessageStartingWith(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            bind                                    | 2 | wants at least 1 argument, got 0; write: bind ADDRESS|IFACE...
            bind nowhere0                           | 2 | not a valid IP address or interface name: "nowhere0"
            bind 127.0.0.1 {;except;}               | 3 | write: except ADDRESS|IFACE...
            bind 127.0.0.1 {;expect 127.0.0.1;}     | 3 | unknown property "expect", did you mean except?
            bind 127.0.0.1 {;except 127.0.0.1;}     | 2 | except leaves no address to listen on
            """)
    void saysWhatIsWrongAndWhatToWrite(String directive, int line, String message) throws Exception {
        assertThat(TestServer.errorsOf(". {\n" + directive.replace(';', '\n') + "\n}")).singleElement().asString()
                .startsWith("Corefile:" + line + ": plugin/bind").contains(message);
    }

    private static List<String> hosts(TestServer server) {
        return server.server().ports().keySet().stream().map(ListenAddress::host).toList();
    }

    private static Message ask(String host, int port, boolean tcp) throws IOException {
        SimpleResolver resolver = new SimpleResolver(InetAddress.getByName(host));
        resolver.setPort(port);
        resolver.setTCP(tcp);
        resolver.setTimeout(Duration.ofMinutes(2));
        return resolver.send(TestServer.query("example.org", Type.A));
    }
}
