package dev.cairn.plugin.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.TestServer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Type;

class ViewTest {
    private static final String SPLIT = """
            . {
                view far {
                    expr incidr(client_ip(), '192.168.0.0/16')
                }
                hosts {
                    192.0.2.1 test
                }
            }
            . {
                prometheus localhost:0
                metadata
                log . "view={/view/name}"
                view near {
                    expr incidr(client_ip(), '127.0.0.0/8')
                    expr type() in ['A', 'AAAA']
                }
                hosts {
                    192.0.2.2 test
                }
            }
            . {
                hosts {
                    192.0.2.3 test
                    192.0.2.3 other
                }
            }
            """;

    @Test
    void theFirstBlockThatTakesAQueryAnswersIt() throws Exception {
        try (TestServer server = TestServer.start(SPLIT)) {
            assertThat(TestServer.answers(server.ask("test", Type.A))).containsExactly("test. 3600 IN A 192.0.2.2");
            assertThat(TestServer.answers(server.ask("3.2.0.192.in-addr.arpa", Type.PTR)))
                    .contains("3.2.0.192.in-addr.arpa. 3600 IN PTR test.");
            assertThat(server.metrics()).contains("coredns_dns_requests_total{").contains("view=\"near\"");
            org.awaitility.Awaitility.await().untilAsserted(() -> assertThat(server.logLinesWith("view=near")).isNotEmpty());
        }
    }

    @Test
    void aQueryThatNoBlockTakesGoesToTheZoneAbove() throws Exception {
        try (TestServer server = TestServer.start("""
                example.org {
                    view never {
                        expr false
                    }
                    hosts {
                        192.0.2.1 www.example.org
                    }
                }
                org {
                    hosts {
                        192.0.2.2 www.example.org
                    }
                }
                """)) {
            assertThat(TestServer.answers(server.ask("www.example.org", Type.A))).containsExactly("www.example.org. 3600 IN A 192.0.2.2");
        }
        try (TestServer server = TestServer.start("example.org {\n view never {\n expr false\n }\n whoami\n}")) {
            assertThat(server.ask("www.example.org", Type.A).getRcode()).isEqualTo(Rcode.REFUSED);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            name() matches '^abc\\\\..*\\\\.example\\\\.com\\\\.$'  | NOERROR
            name() == 'abc.x.example.com.' && proto() == 'udp'      | NOERROR
            proto() == 'tcp'                                        | REFUSED
            metadata('view/name') == 'it'                           | NOERROR
            metadata('none/such') == 'it'                           | REFUSED
            """)
    void takesWhatItsExpressionSays(String expression, String code) throws Exception {
        try (TestServer server = TestServer.start(". {\n metadata\n view it {\n expr " + expression + "\n }\n whoami\n}")) {
            assertThat(Rcode.string(server.ask("abc.x.example.com", Type.A).getRcode())).isEqualTo(code);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "view",
        "view a b",
        "view a {\n exp true\n }",
        "view a {\n expr\n }",
        "view a {\n expr invalid expression\n }",
        "view a {\n expr name()\n }",
        "view a\nview b",
    })
    void refuses(String directive) throws Exception {
        assertThat(TestServer.errorsOf(". {\n " + directive + "\n}")).hasSize(1).allSatisfy(error -> assertThat(error).contains("plugin/view"));
    }

    @Test
    void twoBlocksForAllAreOneTooMany() throws Exception {
        List<String> errors = TestServer.errorsOf(". {\n whoami\n}\n. {\n whoami\n}");
        assertThat(errors).hasSize(1);
        assertThat(errors.getFirst()).contains("already defined");
    }
}
