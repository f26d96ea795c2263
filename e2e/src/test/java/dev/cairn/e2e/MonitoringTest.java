package dev.cairn.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.CairnProcess;
import dev.cairn.testing.HttpGet;
import dev.cairn.testing.Programs;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Alerts go off when they should, and neither they nor dashboards ask for what nobody measures. */
@ExtendWith(SharedCluster.class)
class MonitoringTest {
    private static final Path MONITORING = Path.of(System.getProperty("cairn.root"), "deploy", "monitoring");
    private static final Pattern METRIC = Pattern.compile("\\b((?:coredns|cairn|kubeproxy|process|jvm)_[a-z0-9_]+)[{\\[)]");
    private static final Pattern PROXY = Pattern.compile("(kubeproxy|cairn_proxy)_.*");
    /** What only a node cache has; the page of metrics is made from the code. */
    private static final Pattern NODE_CACHE = Pattern.compile("coredns_nodecache_.*");
    private static final List<String> PARTS = List.of("dns", "node-cache", "proxy");
    /** What both tell of themselves. */
    private static final Pattern BOTH = Pattern.compile("(process|jvm|cairn_log)_.*");

    @TempDir
    Path directory;

    /** The metrics that dashboards and alerts name, as the exporters call them. */
    private static Set<String> asked(boolean ofTheProxy) throws IOException {
        StringBuilder text = new StringBuilder();
        try (Stream<Path> files = Files.walk(MONITORING)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                text.append(Files.readString(file));
            }
        }
        Set<String> names = new TreeSet<>();
        for (Matcher metric = METRIC.matcher(text); metric.find();) {
            if (NODE_CACHE.matcher(metric.group(1)).matches()) {
                assertThat(Path.of(System.getProperty("cairn.root"), "docs/reference/cairn-metrics.md")).content().contains(metric.group(1));
            } else if (BOTH.matcher(metric.group(1)).matches() || PROXY.matcher(metric.group(1)).matches() == ofTheProxy) {
                names.add(metric.group(1).replaceFirst("_(bucket|count|sum)$", ""));
            }
        }
        return names;
    }

    private static List<String> exported(String metrics) {
        return metrics.lines().filter(line -> line.startsWith("# TYPE ")).map(line -> line.split(" ", -1)[2]).toList();
    }

    @Test
    void theServerHasTheMetricsThatAreAskedOfIt(RealCluster cluster) throws Exception {
        Path other = corefile("upstream", ". {\n    bind 127.0.0.1\n    whoami\n}\n");
        Path kubeconfig = cluster.kubeconfig("monitoring", cluster.admin().tokenFor("kube-system", SharedCluster.ACCOUNT));
        try (CairnProcess upstream = CairnProcess.startInstalled(List.of(), other, "-conf", "Corefile", "-p", "0")) {
            Path configured = corefile("server", """
                    . {
                        bind 127.0.0.1
                        health 127.0.0.1:0
                        prometheus 127.0.0.1:0
                        kubernetes cluster.local {
                            kubeconfig %s
                        }
                        forward . 127.0.0.1:%d 127.0.0.1:%d
                        cache 30
                        reload
                    }
                    """.formatted(kubeconfig, upstream.port(), RealCluster.freePort()));
            try (CairnProcess server = CairnProcess.startInstalled(List.of(), configured, "-conf", "Corefile", "-p", "0")) {
                int port = server.port();
                String told = server.output().stream().filter(line -> line.contains("metrics at port ")).findFirst().orElseThrow();
                URI metrics = URI.create("http://127.0.0.1:" + told.replaceFirst(".*metrics at port ", "") + "/metrics");
                assertThat(asked(false)).hasSizeGreaterThan(15);
                AtomicInteger rounds = new AtomicInteger();
                // One of the upstreams is not there: some are counted only once something has failed, or was found in the cache.
                Awaitility.await().untilAsserted(() -> {
                    for (String name : List.of("www", "www" + rounds.incrementAndGet(), "kubernetes.default.svc.cluster.local")) {
                        PodOfCairn.ask(port, name, "A");
                    }
                    assertThat(exported(HttpGet.of(metrics).body())).containsAll(asked(false));
                });
            }
        }
    }

    private Path corefile(String name, String text) throws IOException {
        Path made = Files.createDirectories(directory.resolve(name));
        Files.writeString(made.resolve("Corefile"), text);
        return made;
    }

    @Test
    void theProxyHasTheMetricsThatAreAskedOfIt(RealCluster cluster) throws Exception {
        try (ProxyNode node = new ProxyNode(cluster, directory)) {
            node.startCairn("nftables");
            assertThat(asked(true)).hasSizeGreaterThan(10);
            Awaitility.await().ignoreExceptionsMatching(_ -> isAlive(node)).untilAsserted(() -> {
                assertThat(exported(node.run("curl", "-s", "http://127.0.0.1:10249/metrics"))).containsAll(asked(true));
            });
        }
    }

    /** Whether to go on waiting: curl fails until the proxy listens. */
    private static boolean isAlive(ProxyNode node) {
        try {
            node.check();
            return true;
        } catch (IOException | IllegalStateException e) {
            return false;
        }
    }

    /** The names of all alerts. */
    private static Set<String> alerts() throws IOException {
        Set<String> names = new TreeSet<>();
        for (String part : PARTS) {
            Matcher alert = Pattern.compile("- alert: (\\w+)").matcher(SharedCluster.deployed("monitoring/" + part + "/rules.yaml"));
            alert.results().forEach(found -> names.add(found.group(1)));
        }
        return names;
    }

    @Test
    void alertsGoOffWhenTheyShould() throws Exception {
        for (String part : PARTS) {
            Object rules = DeployTest.parse(SharedCluster.deployed("monitoring/" + part + "/rules.yaml"));
            Path file = Files.writeString(directory.resolve(part + ".yaml"), KubeApi.json(DeployTest.at(rules, "spec")));
            Programs.Result checked = Programs.run("promtool", "check", "rules", file.toString());
            assertThat(checked.code()).as(checked.output()).isZero();
        }
        Files.writeString(directory.resolve("alerts.yaml"), DeployTest.resource("alerts.yaml"));
        Programs.Result tested = Programs.run("promtool", "test", "rules", directory.resolve("alerts.yaml").toString());
        assertThat(tested.code()).as(tested.output()).isZero();
        assertThat(tested.output()).contains("SUCCESS");
    }

    @Test
    void everyAlertIsMadeToGoOffAndIsOnThePage() throws Exception {
        Set<String> gone = new TreeSet<>();
        for (Object test : ImageFiles.list(DeployTest.at(DeployTest.parse(DeployTest.resource("alerts.yaml")), "tests"))) {
            for (Object each : ImageFiles.list(DeployTest.at(test, "alert_rule_test"))) {
                if (!ImageFiles.list(DeployTest.at(each, "exp_alerts")).isEmpty()) {
                    gone.add(DeployTest.at(each, "alertname").toString());
                }
            }
        }
        assertThat(gone).isEqualTo(alerts());
        String page = Files.readString(Path.of(System.getProperty("cairn.root"), "docs/install.md"));
        assertThat(alerts()).allSatisfy(name -> assertThat(page).contains("`" + name + "`"));
    }

    @Test
    void whoRunsNamesOnlyHasNoAlertsOfTheProxyAndTheOtherWayRound() throws Exception {
        for (String part : List.of("dns", "proxy")) {
            String own = part.equals("dns") ? "kube-dns" : "cairn-proxy";
            String built = DeployTest.build(MONITORING.resolve(part));
            assertThat(Pattern.compile("job=~?\\\\*\"([^\\\\\"]+)").matcher(built).results().map(found -> found.group(1)).distinct())
                    .containsExactly(own);
        }
    }

    @Test
    void whatDashboardsAskIsUnderstoodByPrometheus() throws Exception {
        StringBuilder rules = new StringBuilder("groups:\n- name: dashboards\n  rules:\n");
        int count = 0;
        for (String part : List.of("dns", "proxy")) {
            Object dashboard = DeployTest.parse(SharedCluster.deployed("monitoring/" + part + "/dashboard.json"));
            for (Object panel : ImageFiles.list(DeployTest.at(dashboard, "panels"))) {
                if (ImageFiles.map(panel).get("targets") instanceof List<?> targets) {
                    for (Object target : targets) {
                        String query = DeployTest.at(target, "expr").toString();
                        String plain = KubeApi.json(query.replace("$__rate_interval", "5m").replace("$instance", ".*"));
                        rules.append("  - {record: \"q:%d\", expr: %s}\n".formatted(count++, plain));
                    }
                }
            }
        }
        assertThat(count).isGreaterThan(25);
        Path file = Files.writeString(directory.resolve("dashboards.yaml"), rules);
        Programs.Result checked = Programs.run("promtool", "check", "rules", file.toString());
        assertThat(checked.code()).as(checked.output()).isZero();
    }
}
