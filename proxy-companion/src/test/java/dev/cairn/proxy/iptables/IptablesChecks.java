package dev.cairn.proxy.iptables;

import static dev.cairn.proxy.conformance.Facts.flag;
import static dev.cairn.proxy.conformance.Facts.list;
import static dev.cairn.proxy.conformance.Facts.map;
import static dev.cairn.proxy.conformance.Facts.texts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Address;
import dev.cairn.facts.Protocol;
import dev.cairn.proxy.conformance.Facts.Case;
import dev.cairn.proxy.conformance.ProxyConformanceTest;
import dev.cairn.proxy.plan.Endpoint;
import dev.cairn.proxy.sync.Backend;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Checks names and rules that only iptables have. */
public final class IptablesChecks {
    private IptablesChecks() {}

    public static void check(Case one) {
        if (one.id().startsWith("hash-iptables-")) {
            names(one);
        } else if (one.id().equals("probability-format")) {
            assertThat(list(one.given().get("n")).stream().map(n -> Rule.probability((Integer) n)))
                    .isEqualTo(texts(one.expect().get("text")));
        } else {
            chains(one);
        }
    }

    private static void names(Case one) {
        String port = (String) one.given().get("servicePortName");
        Protocol protocol = Protocol.valueOf(((String) one.given().get("protocol")).toUpperCase(Locale.ROOT));
        Stream<Chain> chains;
        if (one.given().get("endpoint") instanceof String endpoint) {
            int colon = endpoint.lastIndexOf(':');
            Address address = Address.parse(endpoint.substring(0, colon).replaceAll("[\\[\\]]", ""));
            int number = Integer.parseInt(endpoint.substring(colon + 1));
            chains = Stream.of(Chain.ofEndpoint(port, protocol, new Endpoint(Objects.requireNonNull(address), number)));
        } else {
            chains = Stream.of("KUBE-SVC-", "KUBE-SVL-", "KUBE-EXT-", "KUBE-FW-").map(prefix -> Chain.ofService(prefix, port, protocol));
        }
        assertThat(chains.map(Chain::name)).containsAll(texts(one.expect().get("chains"))).hasSameSizeAs(texts(one.expect().get("chains")));
    }

    private static void chains(Case one) {
        KernelFacts kernel = new KernelFacts() {
            @Override
            public boolean isLiberal() {
                return flag(one.config(), "nf_conntrack_tcp_be_liberal", false);
            }

            @Override
            public boolean countsPackets() {
                return flag(one.config(), "nfacctAvailable", false);
            }
        };
        Backend.Desired nothing = new Backend.Desired(Map.of(), ProxyConformanceTest.node(), ProxyConformanceTest.options(one, "iptables"));
        Map<Chain, List<String>> chains = Layout.of(IpFamily.IPV4, nothing, 14, kernel).chains();
        map(one.expect().get("iptables")).forEach((name, rules) -> {
            List<String> expected = texts(rules);
            List<String> found = chains.get(new Chain(Table.FILTER, name));
            assertThat(found).hasSameSizeAs(expected);
            for (int i = 0; i < expected.size(); i++) {
                // The file has a rule as it is written, or what it matches and where it leads to.
                String[] parts = expected.get(i).split(" -> ", -1);
                assertThat(found.get(i)).contains(parts[0]).endsWith(parts.length == 1 ? "" : " -j " + parts[1]);
            }
        });
    }
}
