package dev.cairn.plugin.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.log.Log;
import dev.cairn.testing.TestServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

class LocalTest {
    private static final String SOA = " 604800 IN SOA localhost. root.localhost. 1 0 0 0 604800";

    private static TestServer shared;

    @BeforeAll
    static void start() throws Exception {
        shared = TestServer.start(". {\n local\n whoami\n}");
    }

    @AfterAll
    static void stop() {
        shared.close();
    }

    /** The last column is the answer, or the owner of the SOA in the authority section. Compared with CoreDNS 1.15. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            localhost                  | A    | NOERROR  | A 127.0.0.1
            localhost                  | AAAA | NOERROR  | AAAA 0:0:0:0:0:0:0:1
            localhost                  | SOA  | NOERROR  | SOA localhost. root.localhost. 1 0 0 0 604800
            localhost                  | NS   | NOERROR  | NS localhost.
            localhost                  | MX   | NOERROR  | soa localhost.
            foo.localhost              | A    | NOERROR  | A 127.0.0.1
            a.b.LOCALHOST              | AAAA | NOERROR  | AAAA 0:0:0:0:0:0:0:1
            foo.localhost              | NS   | NOERROR  | soa localhost.
            localhost.example.org      | A    | NOERROR  | A 127.0.0.1
            LocalHost.example.org      | AAAA | NOERROR  | AAAA 0:0:0:0:0:0:0:1
            localhost.example.org      | TXT  | NOERROR  | soa localhost.example.org.
            127.in-addr.arpa           | SOA  | NOERROR  | SOA localhost. root.localhost. 1 0 0 0 604800
            127.in-addr.arpa           | NS   | NOERROR  | NS localhost.
            127.in-addr.arpa           | A    | NOERROR  | soa 127.in-addr.arpa.
            0.in-addr.arpa             | NS   | NOERROR  | NS localhost.
            255.in-addr.arpa           | AAAA | NOERROR  | soa 255.in-addr.arpa.
            1.0.0.127.in-addr.arpa     | PTR  | NOERROR  | PTR localhost.
            1.0.0.127.in-addr.arpa     | A    | NOERROR  | soa 127.in-addr.arpa.
            0.0.127.in-addr.arpa       | PTR  | NOERROR  | soa 127.in-addr.arpa.
            0.127.in-addr.arpa         | PTR  | NOERROR  | soa 127.in-addr.arpa.
            2.0.0.127.in-addr.arpa     | PTR  | NXDOMAIN | soa 127.in-addr.arpa.
            1.127.in-addr.arpa         | PTR  | NXDOMAIN | soa 127.in-addr.arpa.
            0.0.0.0.in-addr.arpa       | PTR  | NXDOMAIN | soa 0.in-addr.arpa.
            255.255.255.255.in-addr.arpa | PTR | NXDOMAIN | soa 255.in-addr.arpa.
            """)
    void answersLocalNames(String name, String type, String rcode, String expected) throws Exception {
        Message reply = shared.ask(name, Type.value(type));
        assertThat(Rcode.string(reply.getRcode())).isEqualTo(rcode);
        assertThat(TestServer.rows(reply, Section.ADDITIONAL)).isEmpty();
        if (expected.startsWith("soa ")) {
            assertThat(TestServer.answers(reply)).isEmpty();
            assertThat(TestServer.rows(reply, Section.AUTHORITY)).containsExactly(expected.substring(4) + SOA);
        } else {
            assertThat(TestServer.answers(reply)).singleElement().asString().isEqualToIgnoringCase(name + ". 604800 IN " + expected);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        ".", "example.org", "notlocalhost", "localhosts.example.org", "x.localhost.example.org", "1.0.0.126.in-addr.arpa", "27.in-addr.arpa"
    })
    void leavesOtherNamesToThePluginsBelow(String name) throws Exception {
        assertThat(TestServer.rows(shared.ask(name, Type.A), Section.ADDITIONAL)).isNotEmpty();
    }

    @Test
    void countsAndLogsNamesAroundLocalhost() throws Exception {
        boolean before = Log.debugging();
        Log.debugging(true);
        try (TestServer server = TestServer.start(". {\n local\n}")) {
            server.ask("localhost", Type.A);
            server.ask("foo.localhost", Type.A);
            server.ask("localhost.example.org", Type.TXT);
            assertThat(server.metrics()).contains("coredns_local_localhost_requests_total 2\n");
            assertThat(server.logLinesWith("plugin/local: Intercepting")).containsExactly(
                    "[DEBUG] plugin/local: Intercepting localhost query for \"foo.localhost.\" A, from 127.0.0.1",
                    "[DEBUG] plugin/local: Intercepting localhost query for \"localhost.example.org.\" TXT, from 127.0.0.1");
        } finally {
            Log.debugging(before);
        }
    }

    @Test
    void leavesThePrefixAloneIfToldTo() throws Exception {
        try (TestServer server = TestServer.start(". {\n local {\n localhost_prefix off\n }\n whoami\n}")) {
            assertThat(TestServer.rows(server.ask("localhost.example.org", Type.A), Section.ADDITIONAL)).isNotEmpty();
            assertThat(TestServer.answers(server.ask("foo.localhost", Type.A))).hasSize(1);
            assertThat(TestServer.answers(server.ask("localhost", Type.A))).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "local host", "local {\n localhost_prefix\n }", "local {\n localhost_prefix maybe\n }", "local {\n prefix on\n }"
    })
    void refuses(String directive) throws Exception {
        assertThat(TestServer.errorsOf(". {\n " + directive + "\n}")).hasSize(1);
    }
}
