package dev.cairn.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The Helm chart says what the kustomizations of {@code deploy/} say, puts values where they belong, and refuses those that make no sense. */
@ExtendWith(SharedCluster.class)
class HelmTest {
    private static final Path ROOT = Path.of(System.getProperty("cairn.root"));
    private static final Path SOURCE = ROOT.resolve("deploy/helm/cairn");
    private static final List<String> LABELS = List.of("helm.sh/chart", "app.kubernetes.io/managed-by", "app.kubernetes.io/instance",
            "app.kubernetes.io/part-of", "app.kubernetes.io/version");
    private static final String CHECKSUM = "checksum/config";

    /** What kustomize puts behind the name of a ConfigMap. */
    private static final Pattern SUFFIXED = Pattern.compile("name: (\\S+?)(-[2456789bcdfghkmt]{10})$", Pattern.MULTILINE);

    private static final String PROXY = "dns: {enabled: false}\napiServer: {host: 10.0.0.1}\nproxy: {enabled: true, mode: %s}\n";

    /** The values by which the chart is what a kustomization is. */
    private static final Map<String, String> VALUES = Map.ofEntries(
            Map.entry("dns", "{}"),
            Map.entry("node-cache", "dns: {enabled: false}\nnodeCache: {enabled: true}\n"),
            Map.entry("proxy/base", ""),
            Map.entry("proxy/nftables", PROXY.formatted("nftables")),
            Map.entry("proxy/ipvs", PROXY.formatted("ipvs")),
            Map.entry("proxy/iptables", PROXY.formatted("iptables")),
            Map.entry("proxy/userspace", PROXY.formatted("userspace")),
            Map.entry("node", "dns: {enabled: false}\napiServer: {host: 10.0.0.1}\nnode: {enabled: true}\n"),
            Map.entry("monitoring", "dns: {enabled: false}\nmonitoring: {enabled: true, parts: [dns, proxy, node-cache]}\n"),
            Map.entry("monitoring/dns", "dns: {enabled: false}\nmonitoring: {enabled: true, parts: [dns]}\n"),
            Map.entry("monitoring/proxy", "dns: {enabled: false}\nmonitoring: {enabled: true, parts: [proxy]}\n"),
            Map.entry("monitoring/node-cache", "dns: {enabled: false}\nmonitoring: {enabled: true, parts: [node-cache]}\n"),
            Map.entry("all", """
                    image: {registry: registry.example}
                    apiServer: {host: 192.168.0.2}
                    autoscaling: {enabled: true}
                    networkPolicy: {enabled: true}
                    rights: {podsVerified: true, multicluster: true}
                    nodeCache: {enabled: true}
                    proxy: {enabled: true}
                    monitoring: {enabled: true}
                    """));

    /** Every value another than it is by itself. */
    private static final String EVERYTHING = """
            image: {registry: "registry.example:5000/dns", repositories: {cairn: names, cairn-node: nodes}, tag: "9.9", pullPolicy: Always, pullSecrets: [{name: secret}]}
            clusterIP: 10.96.7.10
            clusterDomain: example.internal
            clusterCIDR: 10.1.0.0/16,fd00:1::/56
            apiServer: {host: api.example.internal, port: 443}
            dns:
              enabled: true
              resources: {limits: {memory: 300Mi}, requests: {cpu: 200m}}
              nodeSelector: {disk: fast}
              podAnnotations: {note: one}
              podLabels: {team: dns}
              extraArgs: [-quiet]
              extraEnv: [{name: CAIRN_OPTS, value: -Xmx64m}]
              tolerations: [{key: mine, operator: Exists}]
              affinity: {nodeAffinity: {}}
              priorityClassName: mine
              replicas: 5
              topologySpreadConstraints: []
            autoscaling: {enabled: false, minReplicas: 3, maxReplicas: 4, targetCPUUtilizationPercentage: 50}
            networkPolicy: {enabled: true, extraIngress: [{ports: [{port: 443}]}], extraEgress: [{ports: [{port: 5353}]}]}
            rights: {podsVerified: true, multicluster: true}
            nodeCache: {enabled: true, localIP: 169.254.20.11, atClusterIP: false, resources: {limits: {memory: 200Mi}}, nodeSelector: {disk: fast},
              podAnnotations: {note: one}, podLabels: {team: dns}, extraArgs: [-quiet], extraEnv: [{name: CAIRN_OPTS, value: -Xmx64m}],
              tolerations: [], affinity: {nodeAffinity: {}}, priorityClassName: mine}
            proxy: {enabled: true, mode: ipvs, config: {nodePortAddresses: [primary]}, resources: {limits: {memory: 200Mi}}, nodeSelector: {disk: fast},
              podAnnotations: {note: one}, podLabels: {team: dns}, extraArgs: [--v=2], extraEnv: [{name: CAIRN_OPTS, value: -Xmx64m}],
              tolerations: [], affinity: {nodeAffinity: {}}, priorityClassName: mine}
            monitoring: {enabled: true, labels: {release: operator}, rules: false, dashboards: false}
            """;

    @TempDir
    Path directory;

    /** The archive that {@code ./gradlew chart} makes. */
    private static Path archive() throws IOException {
        try (Stream<Path> made = Files.list(ROOT.resolve("build/chart"))) {
            return made.collect(Collectors.collectingAndThen(Collectors.toList(), List::getFirst));
        }
    }

    /** Runs Helm, which keeps what it keeps in a directory of the test. */
    private Programs.Result helm(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("env"));
        for (String place : List.of("CACHE", "CONFIG", "DATA")) {
            command.add("HELM_" + place + "_HOME=" + directory.resolve("helm"));
        }
        command.add(Peers.find("helm").toString());
        command.addAll(List.of(arguments));
        Programs.Result result = Programs.run(command.toArray(String[]::new));
        String said = result.output().lines().filter(line -> !line.contains("found symbolic link in path")).collect(Collectors.joining("\n", "", "\n"));
        return new Programs.Result(result.code(), said);
    }

    private Programs.Result template(Path chart, String namespace, String values) throws IOException, InterruptedException {
        Path file = Files.writeString(directory.resolve("values.yaml"), values);
        return helm("template", "cairn", chart.toString(), "--namespace", namespace, "--values", file.toString());
    }

    private String rendered(String values) throws IOException, InterruptedException {
        Programs.Result result = template(archive(), "kube-system", values);
        assertThat(result.code()).as(result.output()).isZero();
        return result.output();
    }

    /** Objects by kind and name. */
    private static Map<String, Map<String, Object>> named(String yaml) {
        Map<String, Map<String, Object>> named = new TreeMap<>();
        for (Map<String, Object> object : DeployTest.objects(yaml)) {
            assertThat(named.put(object.get("kind") + " " + DeployTest.at(object, "metadata.name"), object)).isNull();
        }
        return named;
    }

    /** A chart's objects without what only Helm adds: labels, and checksums in the place of names. */
    private static Map<String, Map<String, Object>> plain(String yaml) {
        Map<String, Map<String, Object>> objects = named(yaml);
        objects.values().forEach(object -> {
            Map<String, Object> metadata = ImageFiles.map(object.get("metadata"));
            assertThat(ImageFiles.map(metadata.get("labels"))).containsKeys(LABELS.toArray(String[]::new)).satisfies(labels -> labels.keySet().removeAll(LABELS));
            metadata.values().removeIf(Map.of()::equals);
            if (object.get("kind").equals("DaemonSet")) {
                Map<String, Object> pod = ImageFiles.map(DeployTest.at(object, "spec.template.metadata"));
                pod.computeIfPresent("annotations", (_, all) -> ImageFiles.map(all).remove(CHECKSUM) == null || !ImageFiles.map(all).isEmpty() ? all : null);
            }
        });
        return objects;
    }

    /** The objects of a kustomization, without the suffixes of names. */
    private static Map<String, Map<String, Object>> kustomized(String kustomization) throws Exception {
        String yaml = DeployTest.build(ROOT.resolve("deploy").resolve(kustomization));
        List<MatchResult> suffixed = SUFFIXED.matcher(yaml).results().toList();
        for (MatchResult name : suffixed) {
            yaml = yaml.replace(name.group(1) + name.group(2), name.group(1));
        }
        return named(yaml);
    }

    static List<String> kustomizations() throws IOException {
        return DeployTest.kustomizations().stream().filter(each -> !VALUES.getOrDefault(each, "{}").isEmpty()).toList();
    }

    @ParameterizedTest
    @MethodSource("kustomizations")
    void theChartSaysWhatAKustomizationSays(String kustomization) throws Exception {
        assertThat(VALUES).as("values for it").containsKey(kustomization);
        Map<String, Map<String, Object>> chart = plain(rendered(VALUES.get(kustomization)));
        Map<String, Map<String, Object>> expected = kustomized(kustomization);
        assertThat(chart.keySet()).isEqualTo(expected.keySet());
        expected.forEach((name, object) -> assertThat(chart.get(name)).as(name).isEqualTo(object));
    }

    static Stream<String> values() {
        return Stream.concat(VALUES.values().stream().filter(values -> !values.isEmpty()), Stream.of(EVERYTHING));
    }

    @ParameterizedTest
    @MethodSource("values")
    void theApiServerTakesWhatTheChartSays(String values, RealCluster cluster) throws Exception {
        DeployTest.kindsOfTheOperator(cluster.admin());
        cluster.admin().wouldApply(rendered(values));
    }

    @Test
    void theDirectoryAndTheArchiveAreOneChart() throws Exception {
        Programs.Result lint = helm("lint", "--strict", SOURCE.toString());
        assertThat(lint.code()).as(lint.output()).isZero();
        for (String values : List.of(VALUES.get("all"), VALUES.get("node"))) {
            assertThat(template(SOURCE, "kube-system", values)).isEqualTo(template(archive(), "kube-system", values));
        }
        Object version = ImageFiles.map(ImageFiles.read("cairn").config().get("Labels")).get("org.opencontainers.image.version");
        assertThat(archive()).hasFileName("cairn-" + version + ".tgz");
        assertThat(DeployTest.parse(helm("show", "chart", archive().toString()).output())).hasFieldOrPropertyWithValue("version", version)
                .hasFieldOrPropertyWithValue("appVersion", version);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "replicas: 3                                              | additional properties 'replicas' not allowed",
        "dns: {replicas: many}                                    | at '/dns/replicas': got string, want integer",
        "proxy: {mode: ebpf}                                      | at '/proxy/mode': value must be one of 'nftables', 'ipvs', 'iptables', 'userspace'",
        "clusterIP: 10.96.0                                       | at '/clusterIP': '10.96.0' does not match",
        "image: {registry: registry.example/}                     | at '/image/registry'",
        "monitoring: {enabled: true, parts: [kubelet]}            | at '/monitoring/parts/0': value must be one of 'dns', 'proxy', 'node-cache'",
        "dns: {enabled: false}                                    | nothing is enabled: set dns.enabled",
        "node: {enabled: true}                                    | in the place of dns: set dns.enabled to false",
        "{node: {enabled: true}, proxy: {enabled: true}}          | in the place of proxy: set proxy.enabled to false",
        "{node: {enabled: true}, nodeCache: {enabled: true}}      | in the place of nodeCache: set nodeCache.enabled to false",
        "proxy: {enabled: true}                                   | apiServer.host is not set: the address or name of the API server",
        "{proxy: {enabled: true, mode: ipvs}, nodeCache: {enabled: true}} | set nodeCache.atClusterIP to false",
        "{dns: {enabled: false}, nodeCache: {enabled: true}, autoscaling: {enabled: true}} | autoscaling.enabled is for the pods of dns",
        "{dns: {enabled: false}, nodeCache: {enabled: true}, networkPolicy: {enabled: true}} | networkPolicy.enabled is for the pods of dns",
        "{dns: {enabled: false}, nodeCache: {enabled: true}, rights: {podsVerified: true}} | rights.podsVerified is for dns or node",
        "autoscaling: {minReplicas: 11}                           | autoscaling.minReplicas is more than autoscaling.maxReplicas",
    })
    void valuesThatMakeNoSenseAreNamed(String values, String message) throws Exception {
        Programs.Result result = template(archive(), "kube-system", values);
        assertThat(result.code()).isEqualTo(1);
        assertThat(result.output()).contains(message);
    }

    /** That every mistake is told at once is worth a line of its own. */
    @Test
    void allMistakesAreToldAtOnce() throws Exception {
        assertThat(template(archive(), "kube-system", "node: {enabled: true}\nautoscaling: {minReplicas: 11}\n").output())
                .contains("set dns.enabled to false", "apiServer.host is not set", "more than autoscaling.maxReplicas");
    }

    @Test
    void valuesComeToWhereTheyBelong() throws Exception {
        Map<String, Map<String, Object>> objects = named(rendered(EVERYTHING));
        Map<String, String> images = Map.of("Deployment coredns", "names", "DaemonSet node-local-dns", "nodes", "DaemonSet cairn-proxy", "nodes");
        images.forEach((name, image) -> {
            Map<String, Object> object = Objects.requireNonNull(objects.get(name));
            Object pod = DeployTest.at(object, "spec.template.spec");
            assertThat(DeployTest.at(pod, "containers.0.image")).isEqualTo("registry.example:5000/dns/" + image + ":9.9");
            assertThat(DeployTest.at(pod, "containers.0.imagePullPolicy")).isEqualTo("Always");
            assertThat(DeployTest.at(pod, "imagePullSecrets.0.name")).isEqualTo("secret");
            assertThat(ImageFiles.list(DeployTest.at(pod, "containers.0.args"))).last().asString().isIn("-quiet", "--v=2");
            assertThat(ImageFiles.list(DeployTest.at(pod, "containers.0.env"))).last().isEqualTo(Map.of("name", "CAIRN_OPTS", "value", "-Xmx64m"));
            assertThat(DeployTest.at(pod, "containers.0.resources.requests.memory")).as("of the manifest").isNotNull();
            assertThat(DeployTest.at(pod, "containers.0.resources.limits.memory")).asString().isIn("300Mi", "200Mi");
            assertThat(DeployTest.at(pod, "nodeSelector")).isEqualTo(Map.of("kubernetes.io/os", "linux", "disk", "fast"));
            assertThat(ImageFiles.list(DeployTest.at(pod, "tolerations"))).hasSizeLessThan(2).isNotEqualTo(List.of(Map.of("operator", "Exists")));
            assertThat(DeployTest.at(pod, "affinity")).isEqualTo(Map.of("nodeAffinity", Map.of()));
            assertThat(DeployTest.at(pod, "priorityClassName")).isEqualTo("mine");
            assertThat(ImageFiles.map(DeployTest.at(object, "spec.template.metadata.annotations"))).containsEntry("note", "one");
            assertThat(ImageFiles.map(DeployTest.at(object, "spec.template.metadata.labels"))).containsEntry("team", "dns");
        });
        assertThat(DeployTest.at(objects.get("DaemonSet cairn-proxy"), "spec.template.spec.initContainers.0.image"))
                .isEqualTo("registry.example:5000/dns/nodes:9.9");
        assertThat(DeployTest.at(objects.get("Deployment coredns"), "spec.replicas")).isEqualTo(5);
        assertThat(DeployTest.at(objects.get("Service kube-dns"), "spec.clusterIP")).isEqualTo("10.96.7.10");
        assertThat(DeployTest.at(objects.get("ConfigMap coredns"), "data.Corefile")).asString()
                .contains("kubernetes example.internal in-addr.arpa", "disable success example.internal").doesNotContain("cluster.local");
        Object cache = DeployTest.at(objects.get("DaemonSet node-local-dns"), "spec.template.spec.containers.0");
        assertThat(ImageFiles.list(DeployTest.at(cache, "args"))).startsWith("-localip", "169.254.20.11", "-conf");
        assertThat(DeployTest.at(cache, "livenessProbe.httpGet.host")).isEqualTo("169.254.20.11");
        Map<String, Object> template = ImageFiles.map(DeployTest.at(objects.get("ConfigMap node-local-dns"), "data"));
        assertThat(template.get("Corefile.base")).asString().startsWith("example.internal:53 {").contains("health 169.254.20.11:8080\n");
        Map<String, Object> config = ImageFiles.map(DeployTest.at(objects.get("ConfigMap cairn-proxy"), "data"));
        assertThat(ImageFiles.map(DeployTest.parse(config.get("config.conf").toString()))).containsEntry("clusterCIDR", "10.1.0.0/16,fd00:1::/56")
                .containsEntry("nodePortAddresses", List.of("primary")).containsEntry("kind", "KubeProxyConfiguration");
        assertThat(DeployTest.at(objects.get("ConfigMap cairn-proxy-api-server"), "data")).isEqualTo(Map.of("host", "api.example.internal", "port", "443"));
        assertThat(ImageFiles.list(DeployTest.at(objects.get("NetworkPolicy coredns"), "spec.egress"))).last().isEqualTo(Map.of("ports", List.of(Map.of("port", 5353))));
        assertThat(ImageFiles.list(DeployTest.at(objects.get("NetworkPolicy coredns"), "spec.ingress"))).last().isEqualTo(Map.of("ports", List.of(Map.of("port", 443))));
        assertThat(objects.keySet()).contains("ServiceMonitor cairn-dns", "PodMonitor cairn-node-cache")
                .noneMatch(name -> name.contains("PrometheusRule") || name.contains("dashboard") || name.contains("HorizontalPodAutoscaler"));
        assertThat(ImageFiles.map(DeployTest.at(objects.get("ServiceMonitor cairn-dns"), "metadata.labels"))).containsEntry("release", "operator");
    }

    @Test
    void moreValuesComeToWhereTheyBelong() throws Exception {
        Map<String, Map<String, Object>> scaled = named(rendered("""
                autoscaling: {enabled: true, minReplicas: 3, maxReplicas: 4, targetCPUUtilizationPercentage: 50}
                dns: {corefile: ". {\\n  whoami # cluster.local 10.96.0.10\\n}\\n"}
                clusterIP: 10.96.7.10
                nodeCache: {enabled: true, localIP: "fd00::a", corefile: "mine"}
                """));
        Object scaler = DeployTest.at(scaled.get("HorizontalPodAutoscaler coredns"), "spec");
        assertThat(List.of(DeployTest.at(scaler, "minReplicas"), DeployTest.at(scaler, "maxReplicas"))).isEqualTo(List.of(3, 4));
        assertThat(DeployTest.at(scaler, "metrics.0.resource.target.averageUtilization")).isEqualTo(50);
        assertThat(DeployTest.at(scaled.get("ConfigMap coredns"), "data.Corefile")).as("as it was given").isEqualTo(". {\n  whoami # cluster.local 10.96.0.10\n}\n");
        assertThat(ImageFiles.map(DeployTest.at(scaled.get("ConfigMap node-local-dns"), "data"))).containsEntry("Corefile.base", "mine");
        assertThat(ImageFiles.list(DeployTest.at(scaled.get("DaemonSet node-local-dns"), "spec.template.spec.containers.0.args")))
                .startsWith("-localip", "fd00::a,10.96.7.10");

        Map<String, Map<String, Object>> node = named(rendered(VALUES.get("node") + "rights: {podsVerified: true}\nmonitoring: {enabled: true}\n"));
        assertThat(DeployTest.at(node.get("ClusterRoleBinding cairn-dns-pods"), "subjects.0.name")).isEqualTo("cairn-node");
        assertThat(node.keySet()).contains("PodMonitor cairn-proxy", "ServiceMonitor cairn-dns").doesNotContain("PodMonitor cairn-node-cache");
    }

    @Test
    void anotherNamespaceIsTheReleases() throws Exception {
        String elsewhere = template(archive(), "elsewhere", VALUES.get("all")).output();
        assertThat(elsewhere.replace("kube-system", "").length()).as("the one that a kube-proxy is in").isEqualTo(elsewhere.length() - "kube-system".length());
        assertThat(DeployTest.at(named(elsewhere).get("PodMonitor cairn-proxy-as-kube-proxy"), "spec.namespaceSelector.matchNames")).isEqualTo(List.of("kube-system"));
    }

    /** What is there already is kubeadm's. */
    @Test
    void aReleaseTakesThePlaceOfKubeadmsIsChangedAndGoesWithoutATrace() throws Exception {
        try (RealCluster cluster = RealCluster.start(directory.resolve("cluster"))) {
            KubeApi api = cluster.admin();
            api.create(DeployTest.resource("kubeadm-coredns.yaml"));
            String kubeconfig = cluster.adminKubeconfig().toString();
            String[] install = {"upgrade", "--install", "cairn", archive().toString(), "--namespace", "kube-system", "--kubeconfig", kubeconfig,
                "--set", "image.registry=registry.example,proxy.enabled=true,apiServer.host=192.0.2.1"};
            assertThat(helm(install).output()).contains("Deployment \"coredns\" in namespace \"kube-system\" exists and cannot be imported");
            succeeds(with(install, "--take-ownership"));

            String deployment = "/apis/apps/v1/namespaces/kube-system/deployments/coredns";
            String proxy = "/apis/apps/v1/namespaces/kube-system/daemonsets/cairn-proxy";
            Object version = DeployTest.at(DeployTest.parse(helm("show", "chart", archive().toString()).output()), "appVersion");
            assertThat(DeployTest.at(DeployTest.parse(api.get(deployment)), "spec.template.spec.containers.0.image")).isEqualTo("registry.example/cairn:" + version);
            Object names = DeployTest.at(DeployTest.parse(api.get(deployment)), "metadata.generation");
            Object services = DeployTest.at(DeployTest.parse(api.get(proxy)), "metadata.generation");

            succeeds(with(install, "--set", "dns.corefile=mine,proxy.config.nodePortAddresses={primary}"));
            assertThat(DeployTest.at(DeployTest.parse(api.get("/api/v1/namespaces/kube-system/configmaps/coredns")), "data.Corefile")).isEqualTo("mine");
            assertThat(DeployTest.at(DeployTest.parse(api.get(deployment)), "metadata.generation")).as("a Corefile is taken up by reload").isEqualTo(names);
            assertThat(DeployTest.at(DeployTest.parse(api.get(proxy)), "metadata.generation")).as("a proxy's configuration needs new pods").isNotEqualTo(services);

            String manifest = helm("get", "manifest", "cairn", "--namespace", "kube-system", "--kubeconfig", kubeconfig).output();
            List<String> paths = DeployTest.objects(manifest).stream().map(KubeApi::path).toList();
            assertThat(paths).hasSizeGreaterThan(10).contains(deployment, proxy);
            succeeds("uninstall", "cairn", "--namespace", "kube-system", "--kubeconfig", kubeconfig);
            assertThat(paths).allSatisfy(path -> assertThatThrownBy(() -> api.get(path)).hasMessageContaining(": 404 "));
        }
    }

    private static String[] with(String[] command, String... more) {
        return Stream.concat(Stream.of(command), Stream.of(more)).toArray(String[]::new);
    }

    private void succeeds(String... arguments) throws Exception {
        Programs.Result result = helm(arguments);
        assertThat(result.code()).as(result.output()).isZero();
    }
}
