package dev.cairn.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.server.ConfigSource;
import dev.cairn.testing.TestServer;
import dev.cairn.wire.DnsType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said of names of a small cluster. */
class ExplainerTest {
    private static final String CLUSTER = """
            {apiVersion: v1, kind: Namespace, metadata: {name: default}}
            ---
            {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
            ---
            {apiVersion: v1, kind: Namespace, metadata: {name: bank}}
            ---
            {apiVersion: v1, kind: Service, metadata: {name: web, namespace: shop},
              spec: {clusterIP: 10.96.0.1, selector: {app: web}, ports: [{name: http, port: 80}, {name: admin, port: 8080}]}}
            ---
            {apiVersion: v1, kind: Service, metadata: {name: empty, namespace: shop}, spec: {clusterIP: 10.96.0.2, ports: [{port: 80}]}}
            ---
            {apiVersion: v1, kind: Service, metadata: {name: db, namespace: shop},
              spec: {clusterIP: None, selector: {app: db}, ports: [{name: sql, port: 5432}]}}
            ---
            {apiVersion: v1, kind: Service, metadata: {name: down, namespace: shop}, spec: {clusterIP: None, selector: {app: down}}}
            ---
            {apiVersion: v1, kind: Service, metadata: {name: nobody, namespace: shop}, spec: {clusterIP: None, selector: {app: nobody}}}
            ---
            {apiVersion: v1, kind: Service, metadata: {name: away, namespace: shop}, spec: {type: ExternalName, externalName: away.example}}
            ---
            {apiVersion: v1, kind: Service, metadata: {name: alias, namespace: bank},
              spec: {type: ExternalName, externalName: web.shop.svc.cluster.local}}
            ---
            {apiVersion: v1, kind: Service, metadata: {name: bare, namespace: shop}, spec: {type: ExternalName, externalName: 10.1.1.1}}
            ---
            {apiVersion: v1, kind: Pod, metadata: {name: web-1, namespace: shop, labels: {app: web}},
              status: {phase: Running, podIP: 10.1.0.1}}
            ---
            {apiVersion: v1, kind: Pod, metadata: {name: db-0, namespace: shop, labels: {app: db}}, spec: {hostname: db-0, subdomain: db},
              status: {phase: Running, podIP: 10.1.0.2}}
            ---
            {apiVersion: v1, kind: Pod, metadata: {name: db-1, namespace: shop, labels: {app: db}}, spec: {hostname: db-1, subdomain: db},
              status: {phase: Running, podIP: 10.1.0.3, conditions: [{type: Ready, status: "False"}]}}
            ---
            {apiVersion: v1, kind: Pod, metadata: {name: down-0, namespace: shop, labels: {app: down}},
              status: {phase: Running, podIP: 10.1.0.4, conditions: [{type: Ready, status: "False"}]}}
            ---
            {apiVersion: v1, kind: Pod, metadata: {name: down-1, namespace: shop, labels: {app: down}},
              status: {phase: Running, podIP: 10.1.0.5, conditions: [{type: Ready, status: "False"}]}}
            ---
            {apiVersion: v1, kind: Pod, metadata: {name: alone, namespace: bank}, status: {phase: Running, podIP: 10.1.0.6}}
            ---
            {apiVersion: v1, kind: Pod, metadata: {name: own, namespace: bank},
              spec: {dnsPolicy: None, dnsConfig: {nameservers: [10.96.0.10], searches: [shop.svc.cluster.local, example.org.],
                options: [{name: ndots, value: "1"}]}}, status: {phase: Running, podIP: 10.1.0.7}}
            ---
            {apiVersion: v1, kind: Pod, metadata: {name: host, namespace: bank}, spec: {hostNetwork: true},
              status: {phase: Running, podIP: 192.0.2.1}}
            ---
            {apiVersion: v1, kind: Pod, metadata: {name: hostnet, namespace: shop},
              spec: {hostNetwork: true, dnsPolicy: ClusterFirstWithHostNet, dnsConfig: {searches: [extra.example], options: [{name: ndots, value: "2"}]}}, status: {phase: Running, podIP: 192.0.2.2}}
            """;

    @TempDir
    Path directory;

    private Path manifests = Path.of("");
    private final List<String> said = new ArrayList<>();

    @BeforeEach
    void writeCluster() throws IOException {
        manifests = Files.writeString(directory.resolve("cluster.yaml"), CLUSTER);
    }

    private Explanation explain(String name, int type, String from, @Nullable String corefile) throws ExplainFailure {
        ConfigSource config = corefile == null ? null : ConfigSource.text("Corefile", corefile);
        return new Explainer(new Question(name, type, from, config, null, List.of(manifests), false, null, null), null, said::add).explain();
    }

    private Explanation explain(String name) throws ExplainFailure {
        return explain(name, 0, "", null);
    }

    private static List<String> asked(Explanation explanation) {
        return explanation.tries().stream().map(one -> one.name() + " " + one.type() + " " + one.reply().result()).toList();
    }

    private static String kubernetes(String lines) {
        return ". {\n kubernetes cluster.local in-addr.arpa {\n  " + lines + "\n }\n}\n";
    }

    /** Absolute names, in the order of what may be wrong with them from the right. */
    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(delimiter = '|', textBlock = """
            cluster.local.                            | A    | NODATA   | cluster.local. is the zone itself, which has SOA and NS records only
            web.shop.cluster.local.                   | A    | NXDOMAIN | names of cluster.local. are those below svc.cluster.local. and pod.cluster.local.: write web.shop.svc.cluster.local.
            web.shop.service.cluster.local.           | A    | NXDOMAIN | names of cluster.local. are those below svc.cluster.local. and pod.cluster.local.: write svc in place of service
            what.cluster.local.                       | A    | NXDOMAIN | names of cluster.local. are those below svc.cluster.local. and pod.cluster.local.; this is neither
            dns-version.cluster.local.                | TXT  | NOERROR  | dns-version.cluster.local. is a name that the zone has of itself: dns-version with TXT, ns.dns with the server's addresses
            svc.cluster.local.                        | A    | NODATA   | svc.cluster.local. exists because of the names below it, and has no records
            shop.svc.cluster.local.                   | A    | NODATA   | this is the namespace shop, which has no records of its own: write SERVICE.shop
            web.shp.svc.cluster.local.                | A    | NXDOMAIN | the namespace shp does not exist; did you mean shop?
            web.elsewhere.svc.cluster.local.          | A    | NXDOMAIN | the namespace elsewhere does not exist
            shop.web.svc.cluster.local.               | A    | NXDOMAIN | the namespace web does not exist, but Service shop/web does: the order is SERVICE.NAMESPACE, so write web.shop.svc.cluster.local.
            web.default.svc.cluster.local.            | A    | NXDOMAIN | Service web exists in namespace shop, not default: write web.shop
            emtpy.shop.svc.cluster.local.             | A    | NXDOMAIN | namespace shop has no Service emtpy; did you mean empty?
            emtpy.bank.svc.cluster.local.             | A    | NXDOMAIN | namespace bank has no Service emtpy; did you mean empty of namespace shop?
            something.shop.svc.cluster.local.         | A    | NXDOMAIN | namespace shop has no Service something
            WEB.shop.svc.cluster.local.               | A    | NOERROR  | Service shop/web has cluster IP 10.96.0.1, ports http 80/TCP, admin 8080/TCP
            web.shop.svc.cluster.local.               | AAAA | NODATA   | Service shop/web exists: its cluster IP is 10.96.0.1, it has no IPv6 address; ask for A
            web.shop.svc.cluster.local.               | TXT  | NODATA   | Service shop/web exists: the name has A, AAAA and SRV records, none of type TXT
            empty.shop.svc.cluster.local.             | A    | NOERROR  | no endpoints: its selector matches no pod that has an address, or no EndpointSlice is labelled with its name; connections to the address are refused
            _http._tcp.web.shop.svc.cluster.local.    | SRV  | NOERROR  | Service shop/web has port http 80/TCP
            _htp._tcp.web.shop.svc.cluster.local.     | SRV  | NXDOMAIN | Service shop/web has no port named htp; it has http, admin; did you mean http?
            _http._udp.web.shop.svc.cluster.local.    | SRV  | NXDOMAIN | port http of Service shop/web is TCP, not UDP: write _http._tcp
            _80._tcp.web.shop.svc.cluster.local.      | SRV  | NXDOMAIN | ports are asked for by name, not by number; Service shop/web has http, admin
            _http._ip.web.shop.svc.cluster.local.     | SRV  | NXDOMAIN | _ip is no protocol: write _tcp, _udp or _sctp
            _x._tcp.empty.shop.svc.cluster.local.     | SRV  | NXDOMAIN | Service shop/empty has no port named x; it has port 80/TCP without a name
            _tcp.web.shop.svc.cluster.local.          | SRV  | NODATA   | this name exists because of the ports below it, and has no records: write _PORT._tcp.web
            _udp.web.shop.svc.cluster.local.          | SRV  | NXDOMAIN | Service shop/web has no named port of protocol udp; it has http, admin
            _http._tcp.web.shop.svc.cluster.local.    | TXT  | NODATA   | Service shop/web has port http 80/TCP, but no record of type TXT; ask for SRV
            db.shop.svc.cluster.local.                | A    | NOERROR  | Service shop/db is headless: its name stands for its ready endpoints; 2 endpoints, 1 ready: failing readiness (publishNotReadyAddresses is not set)
            db.shop.svc.cluster.local.                | AAAA | NODATA   | Service shop/db is headless: its ready endpoints have no IPv6 address; ask for A
            down.shop.svc.cluster.local.              | A    | NXDOMAIN | Service shop/down is headless: without a ready endpoint it has no name; 2 endpoints, 0 ready: failing readiness (publishNotReadyAddresses is not set)
            nobody.shop.svc.cluster.local.            | A    | NXDOMAIN | Service shop/nobody is headless: without a ready endpoint it has no name; no endpoints: its selector matches no pod that has an address, or no EndpointSlice is labelled with its name
            db-0.db.shop.svc.cluster.local.           | A    | NOERROR  | db-0 is a ready endpoint of Service shop/db, 10.1.0.2
            db-0.db.shop.svc.cluster.local.           | AAAA | NODATA   | db-0 is a ready endpoint of Service shop/db, 10.1.0.2, and has no record of type AAAA
            db-1.db.shop.svc.cluster.local.           | A    | NXDOMAIN | db-1 is an endpoint of Service shop/db, but not ready, and only ready ones have names (publishNotReadyAddresses is not set)
            db-9.db.shop.svc.cluster.local.           | A    | NXDOMAIN | Service shop/db has no endpoint named db-9; the names of its ready ones are db-0
            web-1.web.shop.svc.cluster.local.         | A    | NXDOMAIN | pod web-1 is an endpoint of Service shop/web under the name 10-1-0-1: a pod's own name counts if its hostname is that and its subdomain is web, or with 'endpoint_pod_names' in the kubernetes block
            10-1-0-1.web.shop.svc.cluster.local.      | A    | NOERROR  | 10-1-0-1 is a ready endpoint of Service shop/web, 10.1.0.1
            _sql._tcp.db.shop.svc.cluster.local.      | SRV  | NOERROR  | Service shop/db has port sql 5432/TCP on each of its endpoints
            north.pin._zone.db.shop.svc.cluster.local.| A    | NXDOMAIN | names of topology zones are off: add 'zonal' to the kubernetes block
            a.b.c.db.shop.svc.cluster.local.          | A    | NXDOMAIN | there are no names so far below a Service
            away.shop.svc.cluster.local.              | A    | SERVFAIL | Service shop/away is an external name for away.example
            away.shop.svc.cluster.local.              | SRV  | NODATA   | Service shop/away is an external name, which has a CNAME record only, and none of type SRV
            a.away.shop.svc.cluster.local.            | A    | NXDOMAIN | Service shop/away is an external name, which has no names below it
            alias.bank.svc.cluster.local.             | A    | NOERROR  | web.shop.svc.cluster.local. A is asked next: NOERROR by kubernetes
            bare.shop.svc.cluster.local.              | A    | NXDOMAIN | Service shop/bare has externalName 10.1.1.1, an address, for which there can be no CNAME: make it a Service without a selector, and an EndpointSlice with the address
            pod.cluster.local.                        | A    | NODATA   | pod.cluster.local. exists because of the names below it, and has no records
            shop.pod.cluster.local.                   | A    | NODATA   | this is the namespace shop, which has no records of its own: write ADDRESS.shop.pod.cluster.local.
            10-1-0-1.shp.pod.cluster.local.           | A    | NXDOMAIN | the namespace shp does not exist; did you mean shop?
            10-1-0-1.shop.pod.cluster.local.          | A    | NOERROR  | pods insecure: the name stands for the address it spells, 10.1.0.1, whoever has it; it is that of pod shop/web-1
            10-9-9-9.shop.pod.cluster.local.          | A    | NOERROR  | pods insecure: the name stands for the address it spells, 10.9.9.9, whoever has it; no pod has it now
            10-1-0-1.shop.pod.cluster.local.          | AAAA | NODATA   | pods insecure: the name stands for the address it spells, 10.1.0.1, whoever has it; it is that of pod shop/web-1; it is of the other family
            web-1.shop.pod.cluster.local.             | A    | NXDOMAIN | a pod's name spells its address, and web-1 is none, but the pod's own name: write 10-1-0-1.shop.pod.cluster.local.
            web.shop.pod.cluster.local.               | A    | NXDOMAIN | a pod's name spells its address, and web is none: write 10-1-2-3.shop.pod.cluster.local.
            10.96.0.1                                 |      | NOERROR  | 10.96.0.1 is the cluster IP of Service shop/web
            10.1.0.2                                  |      | NOERROR  | 10.1.0.2 is a ready endpoint of Service shop/db
            10.1.0.3                                  |      | SERVFAIL | 10.1.0.3 is an endpoint of Service shop/db, but not ready: only ready ones have names
            10.1.0.6                                  |      | SERVFAIL | 10.1.0.6 is that of pod bank/alone, which is no endpoint of a Service: a pod alone has no PTR record
            10.9.9.9                                  |      | SERVFAIL | no Service and no endpoint has 10.9.9.9
            fd00::1                                   |      | SERVFAIL | no Service and no endpoint has fd00::1
            1.10.in-addr.arpa.                        | PTR  | NODATA   | 1.10.in-addr.arpa. is not the whole of an address; PTR records stand at whole ones
            example.com.                              | A    | SERVFAIL | example.com. is not in the cluster's zones, and without a Corefile nothing else is asked; give --conf FILE to have its forward asked
            """)
    void says_why_a_name_is_answered_so(String name, @Nullable String type, String result, String why) throws ExplainFailure {
        Explanation explanation = explain(name, type == null ? 0 : DnsType.fromText(type), "", null);
        assertThat(explanation.tries()).singleElement().satisfies(one -> {
            assertThat(one.reply().result()).isEqualTo(result);
            assertThat(one.finding().why()).contains(why);
        });
        assertThat(explanation.isAnswered()).isEqualTo(result.equals("NOERROR"));
    }

    /** What lines of the kubernetes block change. */
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', textBlock = """
            pods disabled               | 10-1-0-1.shop.pod.cluster.local. | NXDOMAIN | names of pods are disabled: the kubernetes block has no 'pods insecure' or 'pods verified'
            pods verified               | 10-1-0-1.shop.pod.cluster.local. | NOERROR  | pods verified: a pod of namespace shop has 10.1.0.1; it is that of pod shop/web-1
            pods verified               | 10-1-0-1.bank.pod.cluster.local. | NXDOMAIN | pods verified: no pod of namespace bank has 10.1.0.1; it is that of pod shop/web-1
            namespaces bank default     | web.shop.svc.cluster.local.      | NXDOMAIN | the kubernetes block tells names of namespace bank and default only, not of shop
            ignore empty_service        | empty.shop.svc.cluster.local.    | NXDOMAIN | Service shop/empty has no ready endpoint, and 'ignore empty_service' of the kubernetes block hides it; no endpoints: its selector matches no pod that has an address, or no EndpointSlice is labelled with its name
            noendpoints                 | db.shop.svc.cluster.local.       | NXDOMAIN | Service shop/db is headless: 'noendpoints' in the kubernetes block does without its endpoints, so it has no name
            labels dns=yes              | web.shop.svc.cluster.local.      | NXDOMAIN | the kubernetes block looks only at Services and slices that match 'labels dns=yes'; this may be why
            namespace_labels dns=yes    | web.shop.svc.cluster.local.      | NXDOMAIN | the kubernetes block looks only at namespaces that match 'namespace_labels dns=yes'; this may be why
            endpoint_pod_names          | web-1.web.shop.svc.cluster.local.| NOERROR  | web-1 is a ready endpoint of Service shop/web, 10.1.0.1
            zonal                       | n.pin._zone.web.shop.svc.cluster.local. | NXDOMAIN | Service shop/web is not headless; only headless Services have names by topology zone
            ttl 5                       | 10.1.0.6                         | NXDOMAIN | 10.1.0.6 is that of pod bank/alone, which is no endpoint of a Service: a pod alone has no PTR record
            """)
    void says_what_the_corefile_has_to_do_with_it(String line, String name, String result, String why) throws ExplainFailure {
        assertThat(explain(name, 0, "", kubernetes(line)).tries().getFirst()).satisfies(one -> {
            assertThat(one.reply().result()).isEqualTo(result);
            assertThat(one.finding().why()).contains(why);
        });
    }

    @Test
    void tries_the_search_path_of_the_pod_until_there_is_an_answer() throws ExplainFailure {
        Explanation explanation = explain("db.shop", 0, "alone", null);
        assertThat(explanation.client().text()).isEqualTo("pod bank/alone (10.1.0.6)");
        assertThat(explanation.client().conf().search()).containsExactly("bank.svc.cluster.local", "svc.cluster.local", "cluster.local");
        assertThat(asked(explanation))
                .containsExactly("db.shop.bank.svc.cluster.local. A NXDOMAIN", "db.shop.svc.cluster.local. A NOERROR");
        assertThat(asked(explain("web", 0, "shop/web-1", null))).containsExactly("web.shop.svc.cluster.local. A NOERROR");
    }

    @Test
    void asks_for_addresses_of_the_other_family_if_there_are_none_of_one() throws ExplainFailure {
        assertThat(asked(explain("shop.svc.cluster.local.")))
                .containsExactly("shop.svc.cluster.local. A NODATA", "shop.svc.cluster.local. AAAA NODATA");
    }

    @Test
    void a_name_with_many_dots_is_tried_as_it_is_first() throws ExplainFailure {
        assertThat(asked(explain("a.b.web.shop.svc.cluster.local"))).hasSize(4)
                .first().isEqualTo("a.b.web.shop.svc.cluster.local. A NXDOMAIN");
    }

    @Test
    void what_the_search_path_adds_to_a_whole_name_is_not_explained_any_further() throws ExplainFailure {
        assertThat(explain("a.web.shop.svc.cluster.local").tries()).extracting(one -> one.finding().why().getFirst()).containsExactly(
                "Service shop/web has no endpoint named a; the names of its ready ones are 10-1-0-1",
                "the search path adds to a name that already ends with cluster.local.",
                "the search path adds to a name that already ends with cluster.local.",
                "the search path adds to a name that already ends with cluster.local.");
    }

    @Test
    void a_pod_without_policy_has_what_its_dns_config_says() throws ExplainFailure {
        Explanation explanation = explain("web", 0, "10.1.0.7", null);
        assertThat(explanation.client().conf().search()).containsExactly("shop.svc.cluster.local", "example.org");
        assertThat(explanation.client().conf().ndots()).isEqualTo(1);
        assertThat(explanation.notes()).singleElement().asString().startsWith("dnsPolicy None: the pod asks 10.96.0.10,");
        assertThat(asked(explanation)).containsExactly("web.shop.svc.cluster.local. A NOERROR");
        assertThat(asked(explain("web.shop", 0, "own", null))).first().isEqualTo("web.shop. A SERVFAIL");
    }

    @Test
    void a_pod_on_its_nodes_network_asks_the_nodes_servers() throws ExplainFailure {
        Explanation explanation = explain("web.shop", 0, "host", null);
        assertThat(explanation.client().conf().policy()).isEqualTo("Default");
        assertThat(explanation.client().conf().search()).isEmpty();
        assertThat(explanation.notes()).singleElement().asString().contains("the pod asks the servers of its node");
        assertThat(explanation.isAnswered()).isFalse();
    }

    @Test
    void a_pod_on_its_nodes_network_may_ask_the_cluster_first() throws ExplainFailure {
        Explanation explanation = explain("web", 0, "hostnet", null);
        assertThat(explanation.client().conf().search())
                .containsExactly("shop.svc.cluster.local", "svc.cluster.local", "cluster.local", "extra.example");
        assertThat(explanation.client().conf().ndots()).isEqualTo(2);
        assertThat(explanation.isAnswered()).isTrue();
    }

    @Test
    void an_address_that_no_pod_has_asks_without_a_search_path() throws ExplainFailure {
        Explanation explanation = explain("web.shop", 0, "203.0.113.1", null);
        assertThat(explanation.client().text()).isEqualTo("203.0.113.1, which no pod has");
        assertThat(asked(explanation)).containsExactly("web.shop. A SERVFAIL");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            db-2       | --from db-2: no namespace has such a pod with an address; did you mean db-0?
            shop/web-2 | --from shop/web-2: there is no such pod with an address; did you mean web-1?
            """)
    void a_pod_that_is_not_there_is_named(String from, String message) {
        assertThatThrownBy(() -> explain("web", 0, from, null)).isInstanceOf(ExplainFailure.class).hasMessage(message);
    }

    @Test
    void a_name_that_is_none_is_told() {
        assertThatThrownBy(() -> explain("a..b")).isInstanceOf(ExplainFailure.class).hasMessageContaining("empty label");
    }

    @Test
    void tells_the_block_and_the_plugins_that_a_question_passed() throws ExplainFailure {
        Explanation explanation = explain("old.shop.svc.cluster.local.", 0, "", """
                example.org {
                    whoami
                }
                . {
                    errors
                    health
                    rewrite name old.shop.svc.cluster.local web.shop.svc.cluster.local
                    loadbalance
                    kubernetes cluster.local
                    prometheus
                    whoami
                }
                """);
        assertThat(explanation.tries()).singleElement().satisfies(one -> {
            assertThat(one.reply().rows()).containsExactly("old.shop.svc.cluster.local. 5 IN A 10.96.0.1");
            assertThat(one.finding().why()).contains("Service shop/web has cluster IP 10.96.0.1, ports http 80/TCP, admin 8080/TCP");
            assertThat(one.legs()).singleElement().satisfies(leg -> {
                assertThat(leg.at()).isEqualTo("Corefile:4");
                assertThat(leg.zone()).isEqualTo(".");
                assertThat(leg.answeredBy()).isEqualTo("kubernetes");
                assertThat(leg.setAside()).containsExactly("errors", "health", "prometheus");
                assertThat(leg.visits()).containsExactly(
                        new Leg.Visit("loadbalance", "Corefile:8", "passed"),
                        new Leg.Visit("rewrite", "Corefile:7", "passed as web.shop.svc.cluster.local. A"),
                        new Leg.Visit("kubernetes", "Corefile:9", "answered"));
            });
        });
    }

    @Test
    void what_falls_through_is_told_with_the_plugin_that_answered_instead() throws ExplainFailure {
        Explanation explanation = explain("10.1.0.6", 0, "", """
                . {
                    kubernetes cluster.local in-addr.arpa {
                        fallthrough in-addr.arpa
                    }
                    whoami
                }
                """);
        Explanation.Try only = explanation.tries().getFirst();
        assertThat(only.reply().result()).isEqualTo("NODATA");
        assertThat(only.finding().why()).containsExactly(
                "10.1.0.6 is that of pod bank/alone, which is no endpoint of a Service: a pod alone has no PTR record",
                "NODATA is what whoami answered");
        assertThat(only.legs().getFirst().visits()).containsExactly(
                new Leg.Visit("kubernetes", "Corefile:2", "passed"), new Leg.Visit("whoami", "Corefile:5", "answered"));
    }

    @Test
    void what_is_forwarded_is_told_with_the_server_that_was_asked() throws Exception {
        try (TestServer upstream = TestServer.start("example {\n hosts {\n  192.0.2.9 away.example\n }\n}\n")) {
            String corefile = ". {\n kubernetes cluster.local\n forward . 127.0.0.1:" + upstream.port() + "\n cache\n}\n";
            Explanation.Try away = explain("away.shop.svc.cluster.local.", 0, "", corefile).tries().getFirst();
            assertThat(away.reply().rows()).containsExactly(
                    "away.shop.svc.cluster.local. 5 IN CNAME away.example.", "away.example. 3600 IN A 192.0.2.9");
            String by = " by forward from 127.0.0.1:" + upstream.port();
            assertThat(away.finding().why()).containsExactly(
                    "Service shop/away is an external name for away.example", "away.example. A is asked next: NOERROR" + by);
            assertThat(away.legs()).extracting(Leg::question).containsExactly("away.shop.svc.cluster.local. A", "away.example. A");
            assertThat(away.legs().getLast().visits()).containsExactly(new Leg.Visit("kubernetes", "Corefile:2", "passed"),
                    new Leg.Visit("cache", "Corefile:4", "passed"), new Leg.Visit("forward", "Corefile:3", "answered"));
            assertThat(explain("gone.example.", 0, "", corefile).tries().getFirst().finding().why())
                    .containsExactly("SERVFAIL is what forward answered, as 127.0.0.1:" + upstream.port() + " said");
        }
    }

    @Test
    void a_running_server_agrees_or_does_not() throws Exception {
        String block = ". {\n hosts {\n  10.96.0.1 web.shop.svc.cluster.local\n  10.0.0.9 empty.shop.svc.cluster.local\n }\n}\n";
        try (TestServer server = TestServer.start(block)) {
            InetSocketAddress at = new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
            Question web = new Question("web.shop.svc.cluster.local.", 0, "", null, null, List.of(manifests), false, null, at);
            Explanation same = new Explainer(web, null, said::add).explain();
            assertThat(TextReport.of(same))
                    .containsSequence("Server 127.0.0.1:" + server.port(), "  web.shop.svc.cluster.local. A: agrees");
            Question empty = new Question("empty.shop.svc.cluster.local.", 0, "", null, null, List.of(manifests), false, null, at);
            Explanation other = new Explainer(empty, null, said::add).explain();
            assertThat(TextReport.of(other)).containsSequence("Server 127.0.0.1:" + server.port(),
                    "  empty.shop.svc.cluster.local. A: NOERROR", "    empty.shop.svc.cluster.local. 3600 IN A 10.0.0.9");
            assertThatThrownBy(() -> new Explainer(new Question("web", 0, "", null, null, List.of(), false, null,
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 1)), null, said::add).explain())
                    .isInstanceOf(ExplainFailure.class).hasMessageStartingWith("server 127.0.0.1:1: ");
            Question alone = new Question("web", 0, "shop/any", null, null, List.of(), false, null, at);
            assertThat(asked(new Explainer(alone, null, said::add).explain())).containsExactly("web.shop.svc.cluster.local. A NOERROR");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            block | REFUSED  | REFUSED is what acl answered
            drop  | NO REPLY | acl gave no answer: the client waits in vain
            """)
    void a_plugin_that_turns_the_client_away_is_the_reason(String action, String result, String why) throws ExplainFailure {
        String corefile = ". {\n acl {\n  " + action + " type A net 10.1.0.1\n }\n kubernetes cluster.local\n}\n";
        Explanation.Try only = explain("web.shop.svc.cluster.local.", 0, "web-1", corefile).tries().getFirst();
        assertThat(only.reply().result()).isEqualTo(result);
        assertThat(only.finding().why()).containsExactly(why);
    }

    private static final String TWO_ADDRESSES = """
            . {
                bind 127.0.0.1
                hosts {
                    192.0.2.1 a.example
                }
            }
            . {
                bind 127.0.0.2
                hosts {
                    192.0.2.2 a.example
                }
            }
            """;

    private Explanation explainAt(String corefile, @Nullable String host, int port) throws Exception {
        InetSocketAddress at = host == null ? null : new InetSocketAddress(InetAddress.getByName(host), port);
        ConfigSource config = ConfigSource.text("Corefile", corefile);
        return new Explainer(new Question("a.example.", DnsType.A, "", config, null, List.of(), false, at, null), null, said::add).explain();
    }

    @Test
    void blocks_of_another_address_are_told_of_and_can_be_chosen() throws Exception {
        Explanation first = explainAt(TWO_ADDRESSES, null, 0);
        assertThat(first.tries().getLast().reply().rows()).containsExactly("a.example. 3600 IN A 192.0.2.1");
        assertThat(first.notes()).containsExactly("this is what dns://127.0.0.1:53 answers; the Corefile says something else for"
                + " dns://127.0.0.2:53: choose with --at ADDRESS[:PORT]");
        assertThat(explainAt(TWO_ADDRESSES, "127.0.0.2", 53).tries().getLast().reply().rows())
                .containsExactly("a.example. 3600 IN A 192.0.2.2");
        assertThatThrownBy(() -> explainAt(TWO_ADDRESSES, "127.0.0.3", 5300)).isInstanceOf(ExplainFailure.class)
                .hasMessage("the Corefile does not listen on 127.0.0.3 port 5300; it does on dns://127.0.0.1:53 and dns://127.0.0.2:53");
    }

    @Test
    void addresses_of_the_same_blocks_are_one() throws Exception {
        String both = ". {\n bind 127.0.0.1 127.0.0.2\n hosts {\n  192.0.2.1 a.example\n }\n}\n";
        assertThat(explainAt(both, null, 0).notes()).isEmpty();
        assertThat(explainAt(both.replace("bind 127.0.0.1 127.0.0.2", ""), "127.0.0.9", 53).isAnswered()).isTrue();
    }

    @Test
    void a_cluster_that_the_corefile_does_not_ask_is_told_of() throws ExplainFailure {
        assertThat(explain("a.example.", DnsType.A, "", ". {\n hosts {\n  192.0.2.1 a.example\n }\n}\n").notes())
                .containsExactly("--manifests has no effect: the Corefile has no kubernetes directive; add one, or leave out --conf");
    }

    @Test
    void a_name_of_no_block_is_refused() throws ExplainFailure {
        Explanation explanation = explain("example.net.", 0, "", "cluster.local {\n kubernetes\n}\n");
        assertThat(asked(explanation)).containsExactly("example.net. A REFUSED");
        assertThat(explanation.tries().getFirst().finding().why())
                .containsExactly("no server block of the Corefile has a zone that example.net. is in");
    }

    @Test
    void views_that_do_not_take_the_question_are_told() throws ExplainFailure {
        String corefile = """
                . {
                    view shop {
                        expr client_ip() == '10.1.0.1'
                    }
                    kubernetes cluster.local
                }
                . {
                    hosts {
                        10.0.0.9 web.shop.svc.cluster.local
                    }
                }
                """;
        Explanation.Try other = explain("web.shop.svc.cluster.local.", 0, "alone", corefile).tries().getFirst();
        assertThat(other.passedOver()).containsExactly("view shop at Corefile:1");
        assertThat(other.legs().getFirst().at()).isEqualTo("Corefile:7");
        assertThat(other.finding().why()).containsExactly("NOERROR is what hosts answered");
        Explanation.Try own = explain("web.shop.svc.cluster.local.", 0, "web-1", corefile).tries().getFirst();
        assertThat(own.passedOver()).isEmpty();
        assertThat(own.legs().getFirst().view()).isEqualTo("shop");
    }

    @Test
    void mistakes_of_the_corefile_are_told() {
        assertThatThrownBy(() -> explain("web", 0, "", ". {\n kubernets\n}\n")).isInstanceOf(ExplainFailure.class)
                .hasMessageContaining("Corefile:2: unknown plugin 'kubernets'");
    }

    @Test
    void the_commands_that_follow_connections_name_each_port() throws ExplainFailure {
        assertThat(explain("web", 0, "shop/db-0", null).proxy()).extracting(ProxyTrace.Walk::command).containsExactly(
                "cairn-proxy trace --from 10.1.0.2 --to 10.96.0.1:80/tcp --manifests " + manifests,
                "cairn-proxy trace --from 10.1.0.2 --to 10.96.0.1:8080/tcp --manifests " + manifests);
        assertThat(explain("_admin._tcp.web.shop.svc.cluster.local.").proxy()).extracting(ProxyTrace.Walk::command).containsExactly(
                "cairn-proxy trace --from POD_ADDRESS --to 10.96.0.1:8080/tcp --manifests " + manifests);
        assertThat(explain("db.shop.svc.cluster.local.").proxy()).isEmpty();
    }
}
