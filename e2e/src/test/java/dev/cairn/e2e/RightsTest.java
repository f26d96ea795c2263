package dev.cairn.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The rights that {@code deploy/} gives are enough and not one too many: what an API server was asked for, by its audit log, is what the
 * roles allow, verb by verb. Those of the proxy are looked at where it runs, in {@link DeployedTest}, and both once more in {@link SwapTest}.
 */
@ExtendWith(SharedCluster.class)
class RightsTest {
    private static final Path DEPLOY = Path.of(System.getProperty("cairn.root"), "deploy");

    @TempDir
    Path directory;

    /** The objects of the DNS addon with a component, as an overlay of a user's would have them. */
    private List<Map<String, Object>> dnsWith(String component) throws Exception {
        Path from = directory.toRealPath();
        String components = component.isEmpty() ? "" : "components: [" + from.relativize(DEPLOY.resolve("components/" + component)) + "]\n";
        Files.writeString(directory.resolve("kustomization.yaml"),
                "resources: [" + from.relativize(DEPLOY.resolve("dns")) + "]\n" + components);
        return DeployTest.objects(DeployTest.build(directory));
    }

    private static void serviceImports(KubeApi api) throws IOException {
        api.create(DeployTest.resource("serviceimports.yaml"));
        Awaitility.await().ignoreExceptions().until(() -> !api.get("/apis/multicluster.x-k8s.io/v1alpha1/serviceimports").isEmpty());
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({
        "'',            ttl 30",
        "pods-verified, pods verified",
        "multicluster,  multicluster cluster.local",
    })
    void theServerUsesEveryRight(String component, String option, RealCluster cluster) throws Exception {
        if (component.equals("multicluster")) {
            serviceImports(cluster.admin());
        }
        Rights rights = Rights.of(dnsWith(component), "coredns");
        String account = "rights-" + (component.isEmpty() ? "dns" : component);
        rights.giveTo(account, cluster.admin());
        try (PodOfCairn cairn = new PodOfCairn(cluster, directory, cluster.admin().tokenFor("kube-system", account), option)) {
            cairn.awaitReady();
            Awaitility.await().untilAsserted(() ->
                    assertThat(cluster.askedBy("kube-system", account)).as(cairn.process().output().toString()).isEqualTo(rights.each()));
        }
    }

    @Test
    void noRoleIsOverlooked() throws Exception {
        Set<String> all = new TreeSet<>();
        List<Map<String, Object>> everything = new ArrayList<>(DeployTest.objects(DeployTest.build(DEPLOY.resolve("all"))));
        Rights.roles(everything).forEach(role -> all.add(DeployTest.at(role, "metadata.name").toString()));
        assertThat(all).containsExactly("cairn-dns-multicluster", "cairn-dns-pods", "cairn-proxy", "system:coredns");
        Rights proxy = Rights.of(everything, "cairn-proxy");
        assertThat(proxy.each()).isNotEmpty();
        for (String mode : List.of("nftables", "ipvs", "iptables", "userspace")) {
            assertThat(Rights.of(DeployTest.objects(DeployTest.build(DEPLOY.resolve("proxy/" + mode))), "cairn-proxy")).isEqualTo(proxy);
        }
        assertThat(Rights.roles(DeployTest.objects(DeployTest.build(DEPLOY.resolve("node-cache"))))).isEmpty();
    }
}
