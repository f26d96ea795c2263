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
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** What is in {@code deploy/} is taken by a real API server to the letter. */
@ExtendWith(SharedCluster.class)
class DeployTest {
    private static final Path DEPLOY = Path.of(System.getProperty("cairn.root"), "deploy");
    private static final List<String> KINDS = List.of("servicemonitors", "podmonitors", "prometheusrules");

    /** Every kustomization that can be applied by itself. */
    static List<String> kustomizations() throws IOException {
        try (Stream<Path> files = Files.walk(DEPLOY)) {
            return files.filter(file -> file.endsWith("kustomization.yaml"))
                    .map(file -> DEPLOY.relativize(file.getParent()).toString())
                    .filter(path -> !path.startsWith("components"))
                    .sorted()
                    .toList();
        }
    }

    /** The objects of a kustomization, as YAML. */
    static String build(Path kustomization) throws IOException, InterruptedException {
        Programs.Result built = Programs.run(Peers.find("kustomize").toString(), "build", kustomization.toString());
        assertThat(built.code()).as(built.output()).isZero();
        return built.output();
    }

    /** What stands in YAML, object by object. */
    static List<Map<String, Object>> objects(String yaml) {
        List<Map<String, Object>> objects = new ArrayList<>();
        new Load(LoadSettings.builder().build()).loadAllFromString(yaml).forEach(each -> objects.add(ImageFiles.map(each)));
        return objects;
    }

    static void kindsOfTheOperator(KubeApi api) throws IOException {
        try {
            api.get("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + KINDS.getFirst() + ".monitoring.coreos.com");
        } catch (IOException e) {
            api.create(resource("crds.yaml"));
        }
        for (String kind : KINDS) {
            Awaitility.await(kind).ignoreExceptions().until(() -> api.get("/apis/monitoring.coreos.com/v1/" + kind).contains("items"));
        }
    }

    static String resource(String name) throws IOException {
        return Files.readString(Path.of(System.getProperty("cairn.root"), "e2e/src/test/resources/addon", name));
    }

    @Test
    void allPartsAreTried() throws Exception {
        assertThat(kustomizations()).contains("all", "dns", "node", "node-cache", "monitoring", "monitoring/dns", "monitoring/node-cache", "monitoring/proxy",
                "proxy/nftables", "proxy/ipvs", "proxy/iptables", "proxy/userspace");
        String all = Files.readString(DEPLOY.resolve("all/kustomization.yaml"));
        try (Stream<Path> components = Files.list(DEPLOY.resolve("components"))) {
            assertThat(components.map(component -> "- ../components/" + component.getFileName()))
                    .allSatisfy(line -> assertThat(all).contains(line));
        }
    }

    @ParameterizedTest
    @MethodSource("kustomizations")
    void theApiServerTakesIt(String kustomization, RealCluster cluster) throws Exception {
        KubeApi api = cluster.admin();
        kindsOfTheOperator(api);
        String objects = build(DEPLOY.resolve(kustomization));
        assertThat(objects).contains("kind: ");
        api.wouldApply(objects);
    }

    @Test
    void aFieldThatDoesNotExistWouldBeSeen(RealCluster cluster) throws Exception {
        String objects = build(DEPLOY.resolve("dns")).replace("readOnlyRootFilesystem", "readOnlyRootFileSystem");
        assertThatThrownBy(() -> cluster.admin().wouldApply(objects)).hasMessageContaining("readOnlyRootFileSystem");
    }

    @Test
    void theDnsAddonIsThatOfKubeadmByNameAndConfiguration() throws Exception {
        Path kubeadm = Path.of(System.getProperty("cairn.root"), "dns-server/src/test/resources/corefiles/kubeadm.corefile");
        assertThat(DEPLOY.resolve("dns/Corefile")).hasSameTextualContentAs(kubeadm);
        Object ours = parse(SharedCluster.deployed("dns/deployment.yaml"));
        Object theirs = parse(resource("kubeadm-coredns.yaml"));
        for (String path : List.of("kind", "metadata.name", "metadata.namespace", "spec.selector.matchLabels",
                "spec.template.metadata.labels")) {
            assertThat(at(ours, path)).as(path).isEqualTo(at(theirs, path));
        }
        for (String path : List.of("serviceAccountName", "containers.0.name", "containers.0.args", "containers.0.resources.limits",
                "volumes")) {
            assertThat(at(ours, "spec.template.spec." + path)).as(path).isEqualTo(at(theirs, "spec.template.spec." + path));
        }
    }

    @ParameterizedTest
    @MethodSource("kustomizations")
    void imagesAreTheOnesThatAreMade(String kustomization) throws Exception {
        String objects = build(DEPLOY.resolve(kustomization));
        Object version = ImageFiles.map(ImageFiles.read("cairn").config().get("Labels")).get("org.opencontainers.image.version");
        assertThat(Pattern.compile("image: (?:registry.example/)?(\\S+)").matcher(objects).results().map(match -> match.group(1)))
                .allSatisfy(image -> assertThat(image).isIn("cairn:" + version, "cairn-node:" + version));
    }

    static Object parse(String yaml) {
        return Objects.requireNonNull(new Load(LoadSettings.builder().build()).loadFromString(yaml));
    }

    /** What stands at a path of keys and numbers. */
    static Object at(Object document, String path) {
        Object at = document;
        for (String step : path.split("\\.", -1)) {
            at = Objects.requireNonNull(at instanceof List<?> list ? list.get(Integer.parseInt(step)) : ImageFiles.map(at).get(step), path);
        }
        return at;
    }
}
