package dev.cairn.nodecache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Expectations are those of the tests of kubernetes/dns's node-cache. */
class NodeTemplateTest {
    private static final String TEMPLATE = """
            cluster.local:53 {
                bind __PILLAR__LOCAL__DNS__ __PILLAR__DNS__SERVER__
                forward . __PILLAR__CLUSTER__DNS__ {
                        force_tcp
                }
            }
            .:53 {
                bind __PILLAR__LOCAL__DNS__ __PILLAR__DNS__SERVER__
                forward . __PILLAR__UPSTREAM__SERVERS__ {
                        force_tcp
                }
            }
            """;

    @TempDir
    Path directory;

    private NodeTemplate template(String clusterDns) throws IOException {
        Path file = Files.writeString(directory.resolve("Corefile.base"), TEMPLATE);
        return new NodeTemplate(file, directory.resolve("kube-dns"), List.of("169.254.20.10", "10.0.0.10"), clusterDns, 53);
    }

    @Test
    void variablesAreFilledInAndTheNodesResolversAskedByTcp() throws IOException {
        assertThat(template("10.0.0.11").render()).isEqualTo("""
                cluster.local:53 {
                    bind 169.254.20.10 10.0.0.10\s
                    forward . 10.0.0.11 {
                            force_tcp
                    }
                }
                .:53 {
                    bind 169.254.20.10 10.0.0.10\s
                    forward . /etc/resolv.conf {
                            force_tcp
                    }
                }
                """);
    }

    @Test
    void theConfigMapOfKubeDnsAddsStubDomainsAndUpstreams() throws IOException {
        Path kubeDns = Files.createDirectories(directory.resolve("kube-dns"));
        Files.writeString(kubeDns.resolve("stubDomains"), "{\"my.cluster.local\" : [\"2.2.2.2:10053\", \"3.3.3.3\"], \"acme.local\": [\"1.1.1.1\"]}");
        Files.writeString(kubeDns.resolve("upstreamNameservers"), "[\"10.1.1.1\", \"10.1.1.2\"]");
        assertThat(template("10.0.0.11").render()).endsWith("""
                    forward . 10.1.1.1 10.1.1.2
                }

                acme.local:53 {
                    errors
                    cache 30
                    bind 169.254.20.10 10.0.0.10
                    forward . 1.1.1.1
                }

                my.cluster.local:53 {
                    errors
                    cache 30
                    bind 169.254.20.10 10.0.0.10
                    forward . 2.2.2.2:10053 3.3.3.3
                }
                """).contains("forward . 10.0.0.11 {\n            force_tcp");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "stubDomains|{\"acme.local\": \"1.1.1.1\"}",
        "stubDomains|{\"acme.local\": [\"1.1.1.1\"]",
        "stubDomains|{\"acme.local\": [\"1.1.1.1\"], }",
        "stubDomains|acme.local: [1.1.1.1]",
        "stubDomains|[\"1.1.1.1\"]",
        "upstreamNameservers|[\"10.1.1.1\" \"10.1.1.2\"]",
        "upstreamNameservers|10.1.1.1",
        "upstreamNameservers|{\"a\": [\"10.1.1.1\"]}"
    })
    void aConfigMapThatIsNotUnderstoodIsToldAndNotGuessed(String name, String text) throws IOException {
        Path kubeDns = Files.createDirectories(directory.resolve("kube-dns"));
        Files.writeString(kubeDns.resolve(name), text);
        assertThatThrownBy(() -> template("10.0.0.11").render()).isInstanceOf(NodeTemplate.BadConfigMap.class).hasMessageContaining(name);
        assertThat(template("10.0.0.11").withoutConfigMap().render()).contains("forward . /etc/resolv.conf");
    }

    @Test
    void emptyPartsOfTheConfigMapSayNothing() throws IOException {
        Path kubeDns = Files.createDirectories(directory.resolve("kube-dns"));
        for (String text : List.of("", " \n", "{}", " { } ")) {
            Files.writeString(kubeDns.resolve("stubDomains"), text);
            Files.writeString(kubeDns.resolve("upstreamNameservers"), text.isBlank() ? text : "[ ]");
            assertThat(template("10.0.0.11").render()).isEqualTo(template("10.0.0.11").withoutConfigMap().render());
        }
    }

    @Test
    void anUnknownServiceIsToldWithTheWayOut() {
        assertThatThrownBy(() -> template("").render()).isInstanceOf(IOException.class).hasMessageContaining("-upstreamsvc");
        assertThat(NodeTemplate.environmentOf("kube-dns-upstream")).isEqualTo("KUBE_DNS_UPSTREAM_SERVICE_HOST");
    }
}
