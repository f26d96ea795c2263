package dev.cairn.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.CairnProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.Message;
import org.xbill.DNS.Section;

/** What kubeadm set up, with nothing but the image changed. */
@ExtendWith(SharedCluster.class)
class SwapTest {
    /** Where pods find who they are. */
    static final String ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";
    private static final Object KUBEADM = kubeadm();
    private static final String NAME = "web.swap.svc.cluster.local";
    private static final String ADDRESS = "10.96.0.157";

    @TempDir
    Path directory;

    private static Object kubeadm() {
        try {
            return DeployTest.at(DeployTest.parse(DeployTest.resource("kubeadm-coredns.yaml")), "spec.template.spec.containers.0");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String text(String path) {
        return DeployTest.at(KUBEADM, path).toString();
    }

    private static int port(String name) {
        for (Object port : ImageFiles.list(DeployTest.at(KUBEADM, "ports"))) {
            if (name.equals(ImageFiles.map(port).get("name"))) {
                return (Integer) DeployTest.at(port, "containerPort");
            }
        }
        throw new AssertionError(name);
    }

    /** Creates a namespace with a Service {@code web} in it, which has an endpoint; without an address it gets one. */
    static void service(KubeApi api, String namespace, String address) throws IOException {
        api.create("""
                apiVersion: v1
                kind: Namespace
                metadata: {name: %1$s}
                ---
                apiVersion: v1
                kind: Service
                metadata: {name: web, namespace: %1$s}
                spec: {clusterIP: "%2$s", ports: [{name: http, port: 80, targetPort: 8080}]}
                ---
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {name: web-1, namespace: %1$s, labels: {kubernetes.io/service-name: web}}
                addressType: IPv4
                ports: [{name: http, port: 8080, protocol: TCP}]
                endpoints: [{addresses: [10.244.7.9], conditions: {ready: true}}]
                """.formatted(namespace, address));
    }

    /** What the kubelet mounts for a service account. */
    static Path account(RealCluster cluster, String name, Path directory) throws IOException {
        Path files = Files.createDirectories(directory.resolve("account-" + name));
        Files.copy(cluster.authority(), files.resolve("ca.crt"));
        Files.writeString(files.resolve("token"), cluster.admin().tokenFor("kube-system", name));
        Files.writeString(files.resolve("namespace"), "kube-system");
        for (String file : List.of("ca.crt", "token", "namespace")) {
            Files.setPosixFilePermissions(files.resolve(file), PosixFilePermissions.fromString("rw-r--r--"));
        }
        return files;
    }

    /** What the roles of a kustomization of {@code deploy/} allow. */
    private static Set<String> allowed(String kustomization, String account) throws Exception {
        String built = DeployTest.build(Path.of(System.getProperty("cairn.root"), "deploy", kustomization));
        return Rights.of(DeployTest.objects(built), account).each();
    }

    /** A pod of the Deployment. */
    private record Pod(PodNetwork network, CairnProcess process) implements AutoCloseable {
        void awaitReady() {
            Awaitility.await("ready: " + process.output()).ignoreExceptions().until(() -> probe("readinessProbe") == 200);
        }

        /** CoreDNS may tell that it is ready some milliseconds before it listens; of ours that would be a defect, which the load finds. */
        void awaitListening() {
            Awaitility.await("port 53: " + process.output()).until(() -> network.datagrams().contains(":0035 "));
        }

        /** What a probe of the Deployment gets. */
        int probe(String name) throws IOException {
            return network.get(port(text(name + ".httpGet.port")), text(name + ".httpGet.path")).status();
        }

        @Override
        public void close() throws IOException {
            process.close();
            network.close();
        }
    }

    private Pod coreDns(RealCluster cluster, Path corefile) throws IOException {
        PodNetwork network = new PodNetwork();
        network.reach(cluster.port());
        List<String> command = new ArrayList<>(network.prefix());
        command.addAll(new PodView(cluster, directory, cluster.admin().tokenFor("kube-system", SharedCluster.ACCOUNT)).prefix());
        command.addAll(List.of(Peers.find("coredns").toString(), "-conf", corefile.toString()));
        return new Pod(network, CairnProcess.startAs(directory, command));
    }

    private static Pod cairn(RealCluster cluster, Container container) throws IOException {
        PodNetwork network = new PodNetwork();
        network.reach(cluster.port());
        List<String> command = new ArrayList<>(List.of("/coredns"));
        ImageFiles.list(DeployTest.at(KUBEADM, "args")).forEach(argument -> command.add(argument.toString()));
        return new Pod(network, container.start(network, command.toArray(String[]::new)));
    }

    @Test
    void coreDnsIsReplacedAndUpgradedWithoutALostQuery(RealCluster cluster) throws Exception {
        service(cluster.admin(), "swap", ADDRESS);
        assertThat(text("securityContext")).contains("add=[NET_BIND_SERVICE]", "drop=[ALL]", "allowPrivilegeEscalation=false",
                "readOnlyRootFilesystem=true");
        Path conf = Files.createDirectories(directory.resolve("conf"));
        Path corefile = Files.writeString(conf.resolve("Corefile"), SharedCluster.deployed("dns/Corefile"));   // kubeadm's
        Path resolv = Files.writeString(directory.resolve("resolv.conf"), "nameserver 192.0.2.53\n");
        Container container = new Container("cairn", Files.createDirectories(directory.resolve("image")))
                .mount(conf, text("volumeMounts.0.mountPath")).mount(resolv, "/etc/resolv.conf")
                .mount(account(cluster, "coredns", directory), ACCOUNT)
                .variable("KUBERNETES_SERVICE_HOST", "127.0.0.1").variable("KUBERNETES_SERVICE_PORT", "" + cluster.port());
        Container before = container.limit(Container.MEMORY);
        Container after = container.limit(Container.MEMORY);
        try (Pod old = coreDns(cluster, corefile); Pod first = cairn(cluster, before); Pod second = cairn(cluster, after)) {
            old.awaitReady();
            old.awaitListening();
            try (Load load = new Load(old.network())) {
                rollOut(load, old, first);
                rollOut(load, first, second);
            }
            assertThat(second.probe("livenessProbe")).isEqualTo(200);
            assertThat(second.network().get(port("metrics"), "/metrics").body())
                    .contains("coredns_dns_requests_total{", "cairn_kubernetes_synced{");
            assertThat(first.process().output()).noneMatch(line -> line.contains("[ERROR]") || line.contains("Exception"));
        } finally {
            before.endLimit();
            after.endLimit();
        }
        assertThat(cluster.askedBy("kube-system", "coredns")).isEqualTo(allowed("dns", "coredns"));
    }

    /** As a Deployment does it: the new pod gets queries once it is ready, and the old one is ended while some still go to it. */
    private static void rollOut(Load load, Pod from, Pod to) throws Exception {
        to.awaitReady();
        load.to(List.of(from.network(), to.network()));
        load.makesProgress();
        from.process().signal("TERM");
        load.makesProgress();
        load.to(List.of(to.network()));
        load.makesProgress();
        from.process().awaitExit();
        load.makesProgress();
        assertThat(load.wrong).isEmpty();
    }

    /** Asks the pods behind a Service in turn, without a pause, and notes every reply that is not the right one. */
    private static final class Load implements AutoCloseable {
        final Queue<String> wrong = new ConcurrentLinkedQueue<>();
        private final AtomicLong right = new AtomicLong();
        private final Thread thread = Thread.ofPlatform().daemon().unstarted(this::run);
        private volatile List<PodNetwork> pods;
        private volatile boolean ended;

        Load(PodNetwork pod) {
            pods = List.of(pod);
            thread.start();
        }

        void to(List<PodNetwork> ready) {
            pods = ready;
        }

        private void run() {
            for (int i = 0; !ended; i++) {
                List<PodNetwork> ready = pods;
                PodNetwork pod = ready.get(i % ready.size());
                try (PodNetwork.Client client = pod.client()) {
                    Message reply = client.ask(NAME, "A");
                    if (reply.getSection(Section.ANSWER).size() == 1
                            && ((ARecord) reply.getSection(Section.ANSWER).getFirst()).getAddress().getHostAddress().equals(ADDRESS)) {
                        right.incrementAndGet();
                    } else {
                        wrong.add(reply.toString());
                    }
                } catch (IOException e) {
                    wrong.add("query " + i + " to " + pod + " of " + ready + ": " + e + "; " + pod.datagrams());
                }
            }
        }

        /** Waits until fifty more were answered rightly. */
        void makesProgress() {
            long before = right.get();
            Awaitility.await().until(() -> right.get() >= before + 50 || !wrong.isEmpty());
        }

        @Override
        public void close() {
            ended = true;
            Awaitility.await().until(() -> !thread.isAlive());
        }
    }

    @Test
    void kubeProxyIsReplaced(RealCluster cluster) throws Exception {
        KubeApi api = cluster.admin();
        service(api, "swap-proxy", "10.96.0.158");
        api.create("""
                apiVersion: v1
                kind: ServiceAccount
                metadata: {name: kube-proxy, namespace: kube-system}
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: kube-proxy}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cairn-proxy}
                subjects: [{kind: ServiceAccount, name: kube-proxy, namespace: kube-system}]
                """);
        Path files = Files.createDirectories(directory.resolve("kube-proxy"));
        Files.writeString(files.resolve("config.conf"), DeployTest.resource("kube-proxy.conf"));
        Files.writeString(files.resolve("kubeconfig.conf"),
                DeployTest.resource("kube-proxy.kubeconfig").replace("PORT", "" + cluster.port()));
        Container container = new Container("cairn-node", Files.createDirectories(directory.resolve("image")))
                .capabilities(Container.NETWORK).mount(files, "/var/lib/kube-proxy")
                .mount(account(cluster, "kube-proxy", directory), ACCOUNT);
        PodNetwork network = new PodNetwork();
        network.reach(cluster.port());
        try (Pod pod = new Pod(network, container.start(network, "/usr/local/bin/kube-proxy", "--config=/var/lib/kube-proxy/config.conf",
                "--hostname-override=swapped"))) {
            Awaitility.await("rules; " + pod.process().output()).untilAsserted(() ->
                    assertThat(network.run("nft", "list", "table", "ip", "cairn-proxy")).as(pod.process().output().toString())
                            .contains("10.96.0.158", "10.244.7.9"));
            assertThat(network.get(10256, "/livez").status()).isEqualTo(200);
            assertThat(network.get(10249, "/metrics").body()).contains("kubeproxy_sync_proxy_rules_duration_seconds");
            network.run("nft", "delete", "table", "ip", "cairn-proxy");
            Awaitility.await("repaired").until(() -> network.run("nft", "list", "table", "ip", "cairn-proxy").contains("10.244.7.9"));
            Set<String> allowed = allowed("proxy/base", "cairn-proxy");
            Awaitility.await("all rights are used").untilAsserted(() ->
                    assertThat(cluster.askedBy("kube-system", "kube-proxy")).isEqualTo(allowed));
        }
    }
}
