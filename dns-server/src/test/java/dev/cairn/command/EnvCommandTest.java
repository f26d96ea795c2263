package dev.cairn.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.cluster.api.FakeApi;
import dev.cairn.log.Log;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code cairn env} with each of its sources, and with what is wrong on its command line. */
class EnvCommandTest {
    private static final String WEB = """
            apiVersion: v1
            kind: Service
            metadata: {name: web, namespace: shop}
            spec: {ports: [{port: 80}]}
            """;

    @TempDir
    Path directory;

    private final ByteArrayOutputStream logged = new ByteArrayOutputStream();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private @Nullable PrintStream before;

    @BeforeEach
    void redirect() {
        before = Log.redirect(new PrintStream(logged, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void restore() {
        Log.redirect(before);
    }

    private int run(String... args) {
        CommandLine line = Cairn.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        line.getSubcommands().values().forEach(command -> {
            command.setOut(new PrintWriter(out, true));
            command.setErr(new PrintWriter(err, true));
        });
        return line.execute(args);
    }

    private String manifests(String text) throws IOException {
        return Files.writeString(directory.resolve("cluster.yaml"), text).toString();
    }

    private List<String> lines() {
        return out.toString().lines().toList();
    }

    @Test
    void theApiServerIsToldAlsoWhereNoManifestHasIt() throws IOException {
        assertThat(run("env", "-n", "shop", "--manifests", manifests(WEB))).isZero();
        assertThat(lines()).contains("KUBERNETES_SERVICE_HOST=10.96.0.1", "KUBERNETES_SERVICE_PORT=443", "KUBERNETES_SERVICE_PORT_HTTPS=443",
                "KUBERNETES_PORT_443_TCP=tcp://10.96.0.1:443", "WEB_SERVICE_PORT=80");
    }

    @Test
    void theAddressOfTheApiServerIsTheManifestsIfTheyHaveIt() throws IOException {
        String own = "apiVersion: v1\nkind: Service\nmetadata: {name: kubernetes}\nspec: {clusterIP: 10.7.0.1, ports: [{port: 6443}]}\n";
        assertThat(run("env", "--manifests", manifests(own))).isZero();
        assertThat(lines()).contains("KUBERNETES_SERVICE_HOST=10.7.0.1", "KUBERNETES_SERVICE_PORT=6443");
    }

    @Test
    void whoHasChosenTheFirstAddressKeepsIt() throws IOException {
        assertThat(run("env", "-n", "shop", "--manifests", manifests(WEB.replace("{ports", "{clusterIP: 10.96.0.1, ports")))).isZero();
        assertThat(lines()).contains("WEB_SERVICE_HOST=10.96.0.1").anyMatch(line -> line.startsWith("KUBERNETES_SERVICE_HOST=10."))
                .doesNotContain("KUBERNETES_SERVICE_HOST=10.96.0.1");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void addressesComeFromTheRangeThatIsGiven() throws IOException {
        assertThat(run("env", "-n", "shop", "--manifests", manifests(WEB), "--service-cidr", "10.7.0.0/24")).isZero();
        assertThat(lines()).contains("KUBERNETES_SERVICE_HOST=10.7.0.1").anyMatch(line -> line.startsWith("WEB_SERVICE_HOST=10.7.0."));
    }

    @Test
    void standardOutputHasNothingButVariables() throws IOException {
        assertThat(run("env", "-n", "shop", "--manifests", manifests(WEB + "---\nkind: Service\nmetadata: {name: Bad}\n"))).isZero();
        assertThat(lines()).isNotEmpty().allMatch(line -> line.matches("[A-Z0-9_]+=.*"));
        Log.flush();
        assertThat(logged.toString(StandardCharsets.UTF_8)).as("where standard output would be").isEmpty();
    }

    @Test
    void whatAnApiServerTellsIsPrinted() throws IOException {
        try (FakeApi api = FakeApi.start()) {
            api.list("services", FakeApi.page("9", "", FakeApi.service("web", "1", "10.0.0.5")));
            Path kubeconfig = Files.writeString(directory.resolve("kubeconfig"), """
                    apiVersion: v1
                    kind: Config
                    current-context: here
                    contexts: [{name: here, context: {cluster: fake, user: nobody}}]
                    clusters: [{name: fake, cluster: {server: "%s"}}]
                    users: [{name: nobody, user: {token: secret}}]
                    """.formatted(api.url()));
            assertThat(run("env", "-n", "shop", "--kubeconfig", kubeconfig.toString())).isZero();
            assertThat(lines()).contains("WEB_SERVICE_HOST=10.0.0.5", "WEB_SERVICE_PORT_HTTP=80");
            assertThat(api.requests("list endpointslices")).as("nothing is asked for that is of no use").isEmpty();
        }
    }

    @Test
    void mistakesAreOneClearLine() throws IOException {
        String there = manifests(WEB);
        assertThat(run("env", "--manifests", directory.resolve("nowhere").toString())).isEqualTo(Cairn.USAGE);
        assertThat(run("env", "--kubeconfig", directory.resolve("nothing").toString())).isEqualTo(Cairn.USAGE);
        assertThat(run("env", "--manifests", there, "--kubeconfig", there)).isEqualTo(Cairn.USAGE);
        assertThat(run("env", "--kubeconfig", there, "--service-cidr", "10.0.0.0/8")).isEqualTo(Cairn.USAGE);
        assertThat(run("env", "--manifests", there, "--service-cidr", "nonsense")).isEqualTo(Cairn.USAGE);
        assertThat(err.toString().lines()).satisfiesExactly(
                line -> assertThat(line).endsWith("nowhere: there is no such file or directory"),
                line -> assertThat(line).endsWith("nothing: there is no such file or directory"),
                line -> assertThat(line).contains("and not both"),
                line -> assertThat(line).contains("--service-cidr goes with --manifests"),
                line -> assertThat(line).contains("--service-cidr: "));
        assertThat(lines()).isEmpty();
    }
}
