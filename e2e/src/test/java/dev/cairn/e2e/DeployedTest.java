package dev.cairn.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.CairnProcess;
import dev.cairn.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs the containers of {@code deploy/} as they stand there: command, arguments, environment, mounts, capabilities, seccomp profile and
 * memory limit.
 */
@ExtendWith(SharedCluster.class)
class DeployedTest {
    private static final Map<String, Integer> CAPABILITIES = Map.of("NET_BIND_SERVICE", 10, "NET_ADMIN", 12, "NET_RAW", 13);
    private static final Pattern COMPLAINT = Pattern.compile("\\[(WARNING|ERROR)]");
    private static final Pattern SLOW = Pattern.compile("not synced after [0-9]+ s|plugin/health: Local health request .* took more than");
    private static final Path DEPLOY = Path.of(System.getProperty("cairn.root"), "deploy");

    @TempDir
    Path directory;

    private final List<Map<String, Object>> objects = new ArrayList<>();
    private PodNetwork network;

    @BeforeEach
    void makeNetwork() throws Exception {
        network = new PodNetwork();
    }

    @AfterEach
    void removeNetwork() throws Exception {
        network.close();
    }

    private void build(String kustomization) throws Exception {
        objects.addAll(DeployTest.objects(DeployTest.build(DEPLOY.resolve(kustomization))));
    }

    private Map<String, Object> object(String kind, String name) {
        return objects.stream().filter(each -> each.get("kind").equals(kind))
                .filter(each -> DeployTest.at(each, "metadata.name").equals(name)).findFirst().orElseThrow();
    }

    private Object pod() {
        Object set = objects.stream().filter(each -> List.of("DaemonSet", "Deployment").contains(each.get("kind"))).findFirst().orElseThrow();
        return DeployTest.at(set, "spec.template.spec");
    }

    /** What the kubelet would mount: files of ConfigMaps, an empty directory, or in place of a path of the node an empty file. */
    private Path volume(String name) throws IOException {
        for (Object each : ImageFiles.list(DeployTest.at(pod(), "volumes"))) {
            Map<String, Object> volume = ImageFiles.map(each);
            if (volume.get("name").equals(name)) {
                Path place = directory.resolve("volume-" + name);
                if (volume.containsKey("hostPath")) {
                    return Files.exists(place) ? place : Files.createFile(place);
                }
                Files.createDirectories(place);
                if (volume.get("configMap") instanceof Map<?, ?> map && !Boolean.TRUE.equals(map.get("optional"))) {
                    Object data = DeployTest.at(object("ConfigMap", Objects.toString(map.get("name"))), "data");
                    for (Map.Entry<String, Object> file : ImageFiles.map(data).entrySet()) {
                        Files.writeString(place.resolve(file.getKey()), file.getValue().toString());
                    }
                }
                return place;
            }
        }
        throw new AssertionError("no volume " + name);
    }

    /** What the kubelet would set; where the API server and the node are is different here. */
    private static Map<String, String> environment(Object container, int apiServer) {
        Map<String, String> environment = new HashMap<>();
        Map<String, String> here = Map.of("KUBERNETES_SERVICE_HOST", "127.0.0.1", "KUBERNETES_SERVICE_PORT", "" + apiServer,
                "NODE_NAME", "deployed", "NODE_ADDRESS", "10.244.7.2");
        if (ImageFiles.map(container).get("env") instanceof List<?> variables) {
            for (Object variable : variables) {
                String name = DeployTest.at(variable, "name").toString();
                environment.put(name, Objects.requireNonNull(here.get(name), name));
            }
        }
        return environment;
    }

    private static String[] command(Object container, Map<String, String> environment, List<String> more) {
        List<String> words = new ArrayList<>();
        for (String part : List.of("command", "args")) {
            for (Object word : ImageFiles.list(ImageFiles.map(container).getOrDefault(part, List.of()))) {
                String text = word.toString();
                for (Map.Entry<String, String> variable : environment.entrySet()) {
                    text = text.replace("$(" + variable.getKey() + ")", variable.getValue());
                }
                words.add(text);
            }
        }
        words.addAll(more);
        return words.toArray(String[]::new);
    }

    private Container container(Object spec, Map<String, String> environment) throws Exception {
        String image = DeployTest.at(spec, "image").toString().replaceFirst(":.*", "");
        Container made = new Container(image, Files.createDirectories(directory.resolve("image")));
        for (Object mount : ImageFiles.list(DeployTest.at(spec, "volumeMounts"))) {
            made = made.mount(volume(DeployTest.at(mount, "name").toString()), DeployTest.at(mount, "mountPath").toString());
        }
        for (Map.Entry<String, String> variable : environment.entrySet()) {
            made = made.variable(variable.getKey(), variable.getValue());
        }
        long set = 0;
        assertThat(DeployTest.at(pod(), "securityContext.seccompProfile.type")).isEqualTo("RuntimeDefault");
        assertThat(DeployTest.at(spec, "securityContext.allowPrivilegeEscalation")).isEqualTo(false);
        assertThat(DeployTest.at(spec, "securityContext.readOnlyRootFilesystem")).isEqualTo(true);
        assertThat(DeployTest.at(spec, "securityContext.capabilities.drop")).isEqualTo(List.of("ALL"));
        for (Object name : ImageFiles.list(DeployTest.at(spec, "securityContext.capabilities.add"))) {
            set |= 1L << Objects.requireNonNull(CAPABILITIES.get(name.toString()), name.toString());
        }
        return made.capabilities(Long.toHexString(set));
    }

    /** Runs the init container to its end, with the rights that it asks for. */
    private void prepare(Container container, Map<String, String> environment, List<String> more) throws Exception {
        Object init = DeployTest.at(pod(), "initContainers.0");
        assertThat(DeployTest.at(init, "securityContext.privileged")).isEqualTo(true);
        Programs.Result settings = container.privileged().run(network, command(init, environment, more));
        assertThat(settings.code()).as(settings.output()).isZero();
    }

    /** A process that has not complained, but maybe of how long things take on a busy machine. */
    static void isContent(CairnProcess process) {
        assertThat(process.output()).noneMatch(line -> COMPLAINT.matcher(line).find() && !SLOW.matcher(line).find());
    }

    /** The memory limit, in bytes. */
    private static long limit(Object container) {
        return Long.parseLong(DeployTest.at(container, "resources.limits.memory").toString().replaceFirst("Mi$", "")) << 20;
    }

    private void lives(Object main) {
        String path = DeployTest.at(main, "livenessProbe.httpGet.path").toString();
        Awaitility.await(path).ignoreExceptions().until(() -> network.get(10256, path).status() == 200);
    }

    private void answers(String url, String part) {
        Awaitility.await(url).untilAsserted(() -> assertThat(network.run("curl", "-s", url)).contains(part));
    }

    @ParameterizedTest
    @CsvSource({
        "nftables,  nft list ruleset,   nft flush ruleset",
        "iptables,  iptables-nft-save,  nft flush ruleset",
        "userspace, nft list ruleset,   nft flush ruleset",
    })
    void theProxyProgramsServicesAndUsesEveryRight(String mode, String look, String disturb, RealCluster cluster) throws Exception {
        KubeApi api = cluster.admin();
        String namespace = "deployed-" + mode;
        SwapTest.service(api, namespace, "");
        Object service = DeployTest.parse(api.get("/api/v1/namespaces/" + namespace + "/services/web"));
        String address = DeployTest.at(service, "spec.clusterIP").toString();

        build("proxy/" + mode);
        network.reach(cluster.port());
        Object main = DeployTest.at(pod(), "containers.0");
        Map<String, String> environment = environment(main, cluster.port());
        Rights rights = Rights.of(objects, DeployTest.at(pod(), "serviceAccountName").toString());
        rights.giveTo(namespace, api);
        Container container = container(main, environment).mount(SwapTest.account(cluster, namespace, directory), SwapTest.ACCOUNT);
        List<String> more = List.of("--conntrack-max-per-core=0");   // the machine's, and not the namespace's
        prepare(container, environment, more);
        try (CairnProcess proxy = container.start(network, command(main, environment, more))) {
            Awaitility.await().untilAsserted(() ->
                    assertThat(network.run(look.split(" "))).as(proxy.output().toString()).contains(address));
            lives(main);
            answers("http://10.244.7.2:10249/metrics", "cairn_proxy_services ");
            isContent(proxy);
            network.run(disturb.split(" "));   // of which an event is written
            Awaitility.await().untilAsserted(() ->
                    assertThat(cluster.askedBy("kube-system", namespace)).as(proxy.output().toString()).isEqualTo(rights.each()));
        }
    }

    private static String quoted(List<String> command) {
        return command.stream().map(word -> "'" + word.replace("'", "'\\''") + "'").collect(Collectors.joining(" "));
    }

    /**
     * In a virtual machine, since few kernels have IPVS. From there is no way to an API server, so that the cluster is from files; and its kernel
     * has no nftables for IP, so that rules beside IPVS are of the legacy kind of iptables, which the image has beside the other.
     */
    @Test
    void theProxyMakesVirtualServersWhereTheKernelHasThem() throws Exception {
        build("proxy/ipvs");
        Object main = DeployTest.at(pod(), "containers.0");
        Map<String, String> environment = environment(main, 6443);
        Container container = container(main, environment);
        container = container.mount(container.root().resolve("usr/sbin/xtables-legacy-multi"), "/usr/sbin/xtables-nft-multi")
                .mount(Path.of(System.getProperty("cairn.root"), "examples/cluster"), "/manifests");
        List<String> more = List.of("--manifests=/manifests");
        String settings = quoted(container.privileged().commandLine(command(DeployTest.at(pod(), "initContainers.0"), environment, more)));
        String proxy = quoted(container.commandLine(command(main, environment, more)));
        String node = """
                set -e
                modprobe -d /run/root -a iptable_nat iptable_filter iptable_mangle ip6table_nat ip6table_filter ip6table_mangle
                ip link add eth0 type dummy
                ip address add 10.244.7.2/24 dev eth0
                ip link set eth0 up
                %s
                %s &
                until curl -sf http://10.244.7.2:10249/metrics | grep -x 'cairn_proxy_services 4'; do kill -0 $!; sleep 0.2; done
                cat /proc/net/ip_vs
                iptables-save
                curl -sf http://10.244.7.2:10256%s
                kill $!
                wait $! || test $? = 143
                """.formatted(settings, proxy, DeployTest.at(main, "livenessProbe.httpGet.path"));
        Path machine = Path.of(System.getProperty("cairn.root"), "tools", "ipvs-vm");
        Programs.Result told = Programs.run(machine.toString(), "-t", "280", "sh", "-c", node);
        assertThat(told.code()).as(told.output()).isZero();
        assertThat(told.output())
                .containsPattern("TCP  0AF40702:7580 rr +\n  -> 0AF4010A:1F90 ")   // port 30080 of the node to port 8080 of the pod of web-outside
                .contains("-A PREROUTING -j CAIRN-IPVS-", "\"healthy\":true").doesNotContainPattern(COMPLAINT);
    }

    /** A service, headless or not, with an endpoint, in a namespace of its own; its address, if it has one. */
    private static String serve(KubeApi api, String namespace, String service, String spec) throws IOException {
        api.create("""
                apiVersion: v1
                kind: Service
                metadata: {name: %2$s, namespace: %1$s}
                spec: {%3$s ports: [{name: http, port: 80, targetPort: 8080}]}
                ---
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {name: %2$s-1, namespace: %1$s, labels: {kubernetes.io/service-name: %2$s}}
                addressType: IPv4
                ports: [{name: http, port: 8080, protocol: TCP}]
                endpoints: [{addresses: [10.244.7.9], conditions: {ready: true}}]
                """.formatted(namespace, service, spec));
        Object made = DeployTest.parse(api.get("/api/v1/namespaces/" + namespace + "/services/" + service));
        return DeployTest.at(made, "spec.clusterIP").toString();
    }

    @Test
    void oneProcessServesNamesAndServicesFromOneWatch(RealCluster cluster) throws Exception {
        KubeApi api = cluster.admin();
        api.create("{apiVersion: v1, kind: Namespace, metadata: {name: deployed-node}}");
        String address = serve(api, "deployed-node", "web", "");
        serve(api, "deployed-node", "db", "clusterIP: None,");

        build("node");
        network.reach(cluster.port());
        Object main = DeployTest.at(pod(), "containers.0");
        Map<String, String> environment = environment(main, cluster.port());
        String name = DeployTest.at(pod(), "serviceAccountName").toString();
        Path account = SwapTest.account(cluster, name, directory);
        Path resolv = Files.writeString(directory.resolve("resolv.conf"), "nameserver 192.0.2.53\n");
        Container container = container(main, environment).mount(account, SwapTest.ACCOUNT).mount(resolv, "/etc/resolv.conf");
        List<String> more = List.of("--conntrack-max-per-core=0");   // the machine's, and not the namespace's
        prepare(container, environment, more);
        try (CairnProcess node = container.start(network, command(main, environment, more))) {
            Awaitility.await().untilAsserted(() ->
                    assertThat(network.run("nft", "list", "ruleset")).as(node.output().toString()).contains(address, "10.244.7.9"));
            answers("http://10.244.7.2:8181" + DeployTest.at(main, "readinessProbe.httpGet.path"), "OK");
            for (Map.Entry<String, String> answer : Map.of("web", address, "db", "10.244.7.9").entrySet()) {
                String[] dig = {"dig", "@10.244.7.2", "+short", "+tries=1", "+time=30", answer.getKey() + ".deployed-node.svc.cluster.local"};
                Awaitility.await().untilAsserted(() -> assertThat(network.run(dig)).isEqualTo(answer.getValue() + "\n"));
            }
            lives(main);
            answers("http://10.244.7.2:10249/metrics", "cairn_proxy_services ");
            answers("http://10.244.7.2:9153/metrics", "coredns_dns_requests_total{");
            isContent(node);
            Awaitility.await("one watch of each kind, and of no other").untilAsserted(() -> assertThat(cluster.watchedBy("kube-system", name))
                    .containsExactly("endpointslices", "namespaces", "nodes", "servicecidrs", "services"));
            network.run("nft", "flush", "ruleset");   // of which an event is written
            Awaitility.await("every right is used, and no other").untilAsserted(() ->
                    assertThat(cluster.askedBy("kube-system", name)).isEqualTo(Rights.of(objects, name).each()));
            Awaitility.await("repaired").untilAsserted(() -> assertThat(network.run("nft", "list", "ruleset")).contains(address));
            node.signal("TERM");
            assertThat(node.awaitExit()).as(String.join("\n", node.output())).isZero();
        }
        assertThat(network.run("nft", "list", "ruleset")).as("rules stay").contains(address);
    }

    @Test
    void theDnsServerAnswersInItsMemoryAndUsesEveryRight(RealCluster cluster) throws Exception {
        KubeApi api = cluster.admin();
        api.create("{apiVersion: v1, kind: Namespace, metadata: {name: deployed-dns}}");
        String address = serve(api, "deployed-dns", "web", "");

        build("dns");
        network.reach(cluster.port());
        Object main = DeployTest.at(pod(), "containers.0");
        String name = DeployTest.at(pod(), "serviceAccountName").toString();
        Rights rights = Rights.of(objects, name);
        rights.giveTo("deployed-dns", api);
        Path resolv = Files.writeString(directory.resolve("resolv.conf"), "nameserver 192.0.2.53\n");
        Container container = container(main, Map.of("KUBERNETES_SERVICE_HOST", "127.0.0.1", "KUBERNETES_SERVICE_PORT", "" + cluster.port()))
                .mount(SwapTest.account(cluster, "deployed-dns", directory), SwapTest.ACCOUNT).mount(resolv, "/etc/resolv.conf")
                .limit(limit(main));
        List<String> words = new ArrayList<>(List.of("/coredns"));   // the image's own entry
        words.addAll(List.of(command(main, Map.of(), List.of())));
        try (CairnProcess server = container.start(network, words.toArray(String[]::new))) {
            server.awaitOutput("Cairn-");
            assertThat(container.holds(server)).as("in the memory group").isTrue();
            Map<String, String> probes = Map.of("startupProbe", ":8080", "livenessProbe", ":8080", "readinessProbe", ":8181");
            probes.forEach((probe, port) -> answers("http://10.244.7.2" + port + DeployTest.at(main, probe + ".httpGet.path"), "OK"));
            String[] dig = {"dig", "@10.244.7.2", "+short", "+tries=1", "+time=30", "web.deployed-dns.svc.cluster.local"};
            Awaitility.await().untilAsserted(() -> assertThat(network.run(dig)).as(server.output().toString()).isEqualTo(address + "\n"));
            answers("http://10.244.7.2:9153/metrics", "coredns_dns_requests_total{");
            isContent(server);
            Awaitility.await("every right is used, and no other").untilAsserted(() ->
                    assertThat(cluster.askedBy("kube-system", "deployed-dns")).isEqualTo(rights.each()));
            server.signal("TERM");
            assertThat(server.awaitExit()).as(String.join("\n", server.output())).isZero();
        } finally {
            container.endLimit();
        }
    }

    @Test
    void theNodeCacheServesBothAddresses(RealCluster cluster) throws Exception {
        build("node-cache");
        Object main = DeployTest.at(pod(), "containers.0");
        Path resolv = Files.writeString(directory.resolve("resolv.conf"), "nameserver 192.0.2.53\n");
        Container container = container(main, Map.of("KUBE_DNS_UPSTREAM_SERVICE_HOST", "10.244.7.3")).mount(resolv, "/etc/resolv.conf")
                .limit(limit(main));
        String[] probe = ImageFiles.list(DeployTest.at(main, "readinessProbe.exec.command")).stream().map(Object::toString).toArray(String[]::new);
        assertThat(container.run(network, probe).code()).as("before it is up").isEqualTo(1);
        try (CairnProcess cache = container.start(network, command(main, environment(main, cluster.port()), List.of()))) {
            cache.awaitOutput("Cairn-");
            assertThat(container.run(network, probe).code()).as("once it listens").isZero();
            for (String address : List.of("169.254.20.10", "10.96.0.10")) {
                assertThat(network.run("dig", "@" + address, "version.bind", "TXT", "CH", "+noall", "+comments")).contains("status: ");
            }
            Object get = DeployTest.at(main, "livenessProbe.httpGet");
            answers("http://" + DeployTest.at(get, "host") + ":" + DeployTest.at(get, "port") + DeployTest.at(get, "path"), "OK");
            assertThat(volume("corefile").resolve("Corefile")).content()
                    .contains("forward . 10.244.7.3", "bind 169.254.20.10 10.96.0.10");
            assertThat(container.holds(cache)).as("in the memory group").isTrue();
            cache.signal("TERM");
            assertThat(cache.awaitExit()).as(String.join("\n", cache.output())).isZero();
        } finally {
            container.endLimit();
        }
    }
}
