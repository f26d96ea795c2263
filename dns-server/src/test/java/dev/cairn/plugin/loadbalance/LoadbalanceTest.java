package dev.cairn.plugin.loadbalance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cairn.chain.Exchange;
import dev.cairn.testing.TestServer;
import dev.cairn.wire.Answer.Section;
import dev.cairn.wire.DnsClass;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.Rcode;
import dev.cairn.wire.Rdata;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.Message;
import org.xbill.DNS.Type;

class LoadbalanceTest {
    private static final String HOSTS =
            "\n hosts /nonexistent {\n 10.0.0.1 a.example.org\n 10.0.0.2 a.example.org\n 10.0.0.3 a.example.org\n }\n}";

    @TempDir
    private Path directory;

    private static List<String> addresses(Message reply) {
        return TestServer.answers(reply).stream().map(row -> row.substring(row.lastIndexOf(' ') + 1)).toList();
    }

    /** How often each address came first in so many replies. */
    private static Map<String, Integer> firsts(TestServer server, int replies) throws IOException {
        Map<String, Integer> counts = new HashMap<>();
        for (int i = 0; i < replies; i++) {
            List<String> addresses = addresses(server.ask("a.example.org", Type.A));
            assertThat(addresses).containsExactlyInAnyOrder("10.0.0.1", "10.0.0.2", "10.0.0.3");
            counts.merge(addresses.getFirst(), 1, Integer::sum);
        }
        return counts;
    }

    @ParameterizedTest
    @ValueSource(strings = {"loadbalance", "loadbalance round_robin"})
    void startsWithEachOfTheAddresses(String directive) throws Exception {
        try (TestServer server = TestServer.start(". {\n " + directive + HOSTS)) {
            assertThat(firsts(server, 200)).hasSize(3).allSatisfy((_, count) -> assertThat(count).isGreaterThan(20));
        }
    }

    @Test
    void drawsTheFirstAddressByWeights() throws Exception {
        Path weights = Files.writeString(
                directory.resolve("weights"), "# comment\n\nA.example.org\n10.0.0.2 255\n 10.0.0.9 1\n\nb.example.org.\n");
        try (TestServer server = TestServer.start(". {\n loadbalance weighted " + weights + HOSTS)) {
            assertThat(server.logLinesWith("plugin/loadbalance: Successfully reloaded weight file " + weights)).hasSize(1);
            assertThat(firsts(server, 200).get("10.0.0.2")).isGreaterThan(150);
        }
    }

    @Test
    void readsWeightsAgainWhenTheyChange() throws Exception {
        Path weights = directory.resolve("weights");
        String corefile = ". {\n loadbalance weighted " + weights + " {\n reload 20ms\n }" + HOSTS;
        try (TestServer server = TestServer.start(corefile)) {
            assertThat(server.logLinesWith("[WARNING] plugin/loadbalance: Failed to open weight file:")).singleElement().asString()
                    .endsWith("Will try again in 20ms");
            Files.writeString(weights, "a.example.org\n10.0.0.3 255\n");
            await().until(() -> server.logLinesWith("Successfully reloaded").count() == 1);
            assertThat(firsts(server, 100).get("10.0.0.3")).isGreaterThan(75);

            Files.writeString(weights, "a.example.org\n10.0.0.3 256\n");
            await().until(() -> server.logLinesWith("wrong weight value:\"256\"").count() == 1);
            assertThat(firsts(server, 100).get("10.0.0.3")).isGreaterThan(75);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "a.org\\n10.0.0.1, 2",
        "10.0.0.1 1, 1",
        "a.org\\n10.0.0.1 0, 2",
        "a.org\\n10.0.0.1 x, 2",
        "a.org\\nb.org 1, 2",
        "a.org 1 2, 1",
        "a..b, 1",
    })
    void refusesToStartWithABadWeightFile(String content, int line) throws Exception {
        Path weights = Files.writeString(directory.resolve("weights"), content.replace("\\n", "\n"));
        assertThatThrownBy(() -> TestServer.start(". {\n loadbalance weighted " + weights + HOSTS))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("plugin/loadbalance: ")
                .hasMessageEndingWith(weights + ", line " + line);
    }

    @Test
    void refusesToStartWithoutAWeightFileThatNobodyLooksForLater() {
        Path weights = directory.resolve("weights");
        assertThatThrownBy(() -> TestServer.start(". {\n loadbalance weighted " + weights + " {\n reload 0\n }" + HOSTS))
                .isInstanceOf(IOException.class).hasMessageContaining(weights.toString());
    }

    /** The example of CoreDNS's own test of prefer, one family at a time. */
    @Test
    void putsPreferredNetworksFirst() throws Exception {
        String corefile = ". {\n loadbalance {\n prefer 2001:db8::/32 10.9.20.0/24\n prefer 10.9.30.0/24\n }\n hosts /nonexistent {\n"
                + " 10.9.30.1 a\n 10.9.20.5 a\n 192.168.1.2 a\n 10.10.0.1 a\n 10.9.20.3 a\n fd00::1 a\n 2001:db8::1 a\n }\n}";
        try (TestServer server = TestServer.start(corefile)) {
            for (int i = 0; i < 20; i++) {
                List<String> addresses = addresses(server.ask("a", Type.A));
                assertThat(addresses.subList(0, 2)).containsExactlyInAnyOrder("10.9.20.5", "10.9.20.3");
                assertThat(addresses.get(2)).isEqualTo("10.9.30.1");
                assertThat(addresses.subList(3, 5)).containsExactlyInAnyOrder("192.168.1.2", "10.10.0.1");
                assertThat(addresses(server.ask("a", Type.AAAA))).containsExactly("2001:db8:0:0:0:0:0:1", "fd00:0:0:0:0:0:0:1");
            }
        }
    }

    private static RrSet set(String owner, int type, int records) {
        WireName name = WireName.parse(owner);
        List<byte[]> data = new ArrayList<>(IntStream.range(0, records).mapToObj(i -> switch (type) {
            case DnsType.A -> Rdata.address(new byte[] {10, 0, 0, (byte) i});
            case DnsType.MX -> Rdata.mx(10, WireName.parse("mx" + i + ".example.org"));
            default -> Rdata.name(WireName.parse("target" + i + ".example.org"));
        }).toList());
        return RrSet.of(name, type, DnsClass.IN, 60, data);
    }

    @Test
    void turnsMailServersAndAddressesInAllSectionsButNothingElse() {
        LoadbalancePlugin plugin = new LoadbalancePlugin(FirstRecord.ROUND_ROBIN, new Preference(List.of()));
        int[] turned = new int[4];
        for (int i = 0; i < 100; i++) {
            Exchange exchange = new Exchange();
            exchange.answer().add(Section.ANSWER, set("a", DnsType.MX, 5));
            exchange.answer().add(Section.AUTHORITY, set("a", DnsType.NS, 5));
            exchange.answer().add(Section.ADDITIONAL, set("a", DnsType.A, 5));
            exchange.answer().add(Section.ADDITIONAL, set("b", DnsType.A, 1));
            plugin.answer(exchange);
            for (int part = 0; part < 4; part++) {
                turned[part] |= 1 << exchange.answer().part(part).first();
            }
        }
        assertThat(turned).containsExactly(0b11111, 1, 0b11111, 1);
    }

    @Test
    void putsAliasesBeforeAddresses() {
        Exchange exchange = new Exchange();
        RrSet[] sets = {set("c", DnsType.A, 2), set("a", DnsType.CNAME, 1), set("z", DnsType.NS, 1), set("b", DnsType.CNAME, 1)};
        for (RrSet set : sets) {
            exchange.answer().add(set.type() == DnsType.NS ? Section.AUTHORITY : Section.ANSWER, set);
        }
        new LoadbalancePlugin(FirstRecord.ROUND_ROBIN, new Preference(List.of())).answer(exchange);
        assertThat(IntStream.range(0, 4).mapToObj(i -> exchange.answer().part(i).set()))
                .containsExactly(sets[1], sets[3], sets[0], sets[2]);
    }

    @Test
    void leavesErrorsAlone() {
        for (int i = 0; i < 50; i++) {
            Exchange exchange = new Exchange();
            exchange.answer().rcode(Rcode.NXDOMAIN);
            exchange.answer().add(Section.ADDITIONAL, set("a", DnsType.A, 5));
            new LoadbalancePlugin(FirstRecord.ROUND_ROBIN, new Preference(List.of())).answer(exchange);
            assertThat(exchange.answer().part(0).first()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "loadbalance random",
        "loadbalance round_robin twice",
        "loadbalance weighted",
        "loadbalance weighted a b",
        "loadbalance {\n reload 5s\n }",
        "loadbalance {\n prefer\n }",
        "loadbalance {\n prefer 10.0.0.1\n }",
        "loadbalance {\n prefer 10.0.0.0/33\n }",
        "loadbalance weighted w {\n reload\n }",
        "loadbalance weighted w {\n reload 5\n }",
        "loadbalance weighted w {\n shuffle\n }",
    })
    void refuses(String directive) throws Exception {
        assertThat(TestServer.errorsOf(". {\n " + directive + "\n}")).hasSize(1);
    }
}
