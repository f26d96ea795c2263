package dev.cairn.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The API server dies, comes back, has changed meanwhile, changes its mind about tokens or rights: answers go on, and nothing is missed. */
@ExtendWith(SharedCluster.class)
class OutageTest {
    @TempDir
    Path directory;

    private static void service(KubeApi api, String namespace, String name, String address) throws IOException {
        api.create("""
                apiVersion: v1
                kind: Service
                metadata: {name: %s, namespace: %s}
                spec: {clusterIP: %s, ports: [{name: http, port: 80}]}
                """.formatted(name, namespace, address));
    }

    private static void namespace(KubeApi api, String name) throws IOException {
        api.create("{apiVersion: v1, kind: Namespace, metadata: {name: " + name + "}}");
    }

    @Test
    void answersGoOnWhileTheApiServerIsAwayAndWhatChangedMeanwhileIsCaughtUp(RealCluster cluster) throws Exception {
        KubeApi api = cluster.admin();
        namespace(api, "outage");
        service(api, "outage", "stays", "10.96.0.151");
        service(api, "outage", "goes", "10.96.0.152");
        service(api, "outage", "changes", "10.96.0.153");
        try (PodOfCairn cairn = new PodOfCairn(cluster, directory, api.tokenFor("kube-system", SharedCluster.ACCOUNT), "");
                Load load = new Load(cairn, "stays.outage.svc.cluster.local", "10.96.0.151")) {
            cairn.becomes("goes.outage.svc.cluster.local", "A", "10.96.0.152");
            load.start();
            for (int round = 0; round < 2; round++) {
                cluster.killApiServer();
                String name = "new-" + round;
                String address = "10.96.0.16" + round;
                int current = round;
                cluster.behindTheScenes(other -> {
                    service(other, "outage", name, address);
                    if (current == 0) {
                        other.delete("/api/v1/namespaces/outage/services/goes");
                        other.merge("/api/v1/namespaces/outage/services/changes",
                                Map.of("spec", Map.of("ports", List.of(Map.of("name", "https", "port", 443)))));
                    }
                });
                assertThat(cairn.answers("stays.outage.svc.cluster.local", "A")).containsExactly("10.96.0.151");
                load.makesProgress();
                cluster.startApiServerAgain();
                cairn.becomes(name + ".outage.svc.cluster.local", "A", address);
                cairn.becomes("goes.outage.svc.cluster.local", "A", "NXDOMAIN");
                cairn.becomes("_https._tcp.changes.outage.svc.cluster.local", "SRV", "0 100 443 changes.outage.svc.cluster.local.");
                service(cluster.admin(), "outage", "after-" + round, "10.96.0.17" + round);
                cairn.becomes("after-" + round + ".outage.svc.cluster.local", "A", "10.96.0.17" + round);
            }
            load.makesProgress();
            assertThat(load.wrong).isEmpty();
        } finally {
            cluster.reviveApiServer();
        }
    }

    @Test
    void anApiServerThatIsAbsentAtTheStartIsWaitedFor(RealCluster cluster) throws Exception {
        KubeApi api = cluster.admin();
        namespace(api, "late");
        service(api, "late", "s", "10.96.0.154");
        String token = api.tokenFor("kube-system", SharedCluster.ACCOUNT);
        cluster.killApiServer();
        try (PodOfCairn cairn = new PodOfCairn(cluster, directory, token, "startup_timeout 1s")) {
            assertThat(cairn.answers("s.late.svc.cluster.local", "A")).containsExactly("SERVFAIL");
            cairn.process().awaitOutput("API server " + cluster.url() + " away: connection refused");
            cluster.startApiServerAgain();
            cairn.becomes("s.late.svc.cluster.local", "A", "10.96.0.154");
        } finally {
            cluster.reviveApiServer();
        }
    }

    @Test
    void aTokenThatWasReplacedIsUsedWhenTheOldOneIsWorthNothingAnyMore(RealCluster cluster) throws Exception {
        KubeApi api = cluster.admin();
        namespace(api, "rotated");
        String account = """
                apiVersion: v1
                kind: ServiceAccount
                metadata: {name: rotated, namespace: kube-system}
                """;
        api.create(account);
        api.create("""
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: rotated}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: "system:coredns"}
                subjects: [{kind: ServiceAccount, name: rotated, namespace: kube-system}]
                """);
        String old = api.tokenFor("kube-system", "rotated");
        try (PodOfCairn cairn = new PodOfCairn(cluster, directory, old, "")) {
            cairn.awaitReady();
            // A token names its account by an id that a new account of the same name does not have.
            api.delete("/api/v1/namespaces/kube-system/serviceaccounts/rotated");
            api.create(account);
            cairn.rotate(api.tokenFor("kube-system", "rotated"));
            cluster.killApiServer();
            cluster.startApiServerAgain();
            KubeApi withOld = new KubeApi(cluster.url(), old, cluster.authority());
            Awaitility.await().until(() -> refused(withOld));
            service(cluster.admin(), "rotated", "s", "10.96.0.155");
            cairn.becomes("s.rotated.svc.cluster.local", "A", "10.96.0.155");
        } finally {
            cluster.reviveApiServer();
        }
    }

    private static boolean refused(KubeApi api) {
        try {
            api.get("/api/v1/services?limit=1");
            return false;
        } catch (IOException e) {
            return e.getMessage().contains("401");
        }
    }

    @Test
    void aMissingRightIsNamedAndUsedAsSoonAsItIsGiven(RealCluster cluster) throws Exception {
        KubeApi api = cluster.admin();
        namespace(api, "rights");
        service(api, "rights", "s", "10.96.0.156");
        String role = """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRole
                metadata: {name: half}
                rules: [{apiGroups: [""], resources: [namespaces, services], verbs: [list, watch]}%s]
                """;
        api.create(role.formatted(""));
        api.create("""
                apiVersion: v1
                kind: ServiceAccount
                metadata: {name: half, namespace: kube-system}
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: half}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: half}
                subjects: [{kind: ServiceAccount, name: half, namespace: kube-system}]
                """);
        try (PodOfCairn cairn = new PodOfCairn(cluster, directory, api.tokenFor("kube-system", "half"), "")) {
            cairn.process().awaitOutput("endpointslices");
            assertThat(cairn.process().output()).anySatisfy(line -> assertThat(line)
                    .contains("endpointslices").contains("discovery.k8s.io").contains("list").contains("watch"));
            assertThat(cairn.answers("s.rights.svc.cluster.local", "A")).containsExactly("SERVFAIL");
            api.replace(role.formatted(", {apiGroups: [discovery.k8s.io], resources: [endpointslices], verbs: [list, watch]}"));
            cairn.becomes("s.rights.svc.cluster.local", "A", "10.96.0.156");
        }
    }

    /** Asks the same question without a pause and notes every reply that is not the right one. */
    private static final class Load implements AutoCloseable {
        private final PodOfCairn cairn;
        private final String name;
        private final String expected;
        private final AtomicLong right = new AtomicLong();
        private final Thread thread = Thread.ofPlatform().daemon().unstarted(this::run);
        private volatile boolean ended;
        final Queue<String> wrong = new ConcurrentLinkedQueue<>();

        Load(PodOfCairn cairn, String name, String expected) {
            this.cairn = cairn;
            this.name = name;
            this.expected = expected;
        }

        void start() {
            thread.start();
        }

        private void run() {
            while (!ended) {
                try {
                    List<String> answers = cairn.answers(name, "A");
                    if (answers.equals(List.of(expected))) {
                        right.incrementAndGet();
                    } else {
                        wrong.add(answers.toString());
                    }
                } catch (IOException e) {
                    wrong.add(e.toString());
                }
            }
        }

        /** Waits until a hundred more were answered rightly. */
        void makesProgress() {
            long before = right.get();
            Awaitility.await().until(() -> right.get() > before + 100 || !wrong.isEmpty());
        }

        @Override
        public void close() {
            ended = true;
            Awaitility.await().until(() -> !thread.isAlive());
        }
    }
}
