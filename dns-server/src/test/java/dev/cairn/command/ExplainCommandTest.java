package dev.cairn.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.CairnProcess;
import dev.cairn.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code cairn explain} as a user meets it. */
class ExplainCommandTest {
    private static final Path ROOT = Path.of(System.getProperty("cairn.root"));
    private static final Pattern EXAMPLE = Pattern.compile("^```\\n\\$ cairn (explain .*?)\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

    @TempDir
    Path directory;

    /** Runs it with a PATH of one directory, which may have a cairn-proxy, and without a directory to write to, as in a pod. */
    private static List<String> run(Path path, int expectedCode, String... args) throws Exception {
        List<String> environment = List.of("env", "-u", "KUBERNETES_SERVICE_HOST", "PATH=" + path, "JDK_JAVA_OPTIONS=-Djava.io.tmpdir=/proc");
        try (CairnProcess cairn = CairnProcess.startBy(environment, ROOT, args)) {
            assertThat(cairn.awaitExit()).as("exit code, output %s", cairn.output()).isEqualTo(expectedCode);
            assertThat(cairn.output()).noneMatch(line -> line.startsWith("\tat ") || line.contains("Exception"));
            return cairn.output().stream().filter(line -> !line.startsWith("NOTE: Picked up JDK_JAVA_OPTIONS")).toList();
        }
    }

    static Stream<String[]> examples() throws IOException {
        return EXAMPLE.matcher(Files.readString(ROOT.resolve("docs/explain.md"))).results()
                .map((MatchResult found) -> new String[] {found.group(1), found.group(2)});
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("examples")
    void prints_what_the_page_shows(String command, String output) throws Exception {
        boolean answered = output.lines().findFirst().orElse("").contains(": answered");
        assertThat(String.join("\n", run(directory, answered ? 0 : 1, command.split(" "))) + "\n").isEqualTo(output);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            explain web                                                          | cairn: which cluster? Add --manifests PATH, --kubeconfig FILE, --conf FILE or --server ADDRESS
            explain web --manifests nowhere                                      | cairn: there is no nowhere
            explain web WHAT --manifests examples/cluster                        | cairn: WHAT is not a record type; write A, AAAA, SRV, PTR or another
            explain web --manifests examples/cluster --kubeconfig README.md      | cairn: --kubeconfig and --manifests exclude each other; which cluster is it?
            explain web --server 127.0.0.1:99999                                 | cairn: --server 127.0.0.1:99999 has no valid port; write ADDRESS[:PORT]
            explain web --from nobody --manifests examples/cluster               | cairn: --from nobody: no namespace has such a pod with an address
            explain web --conf nowhere/Corefile                                  | nowhere/Corefile:1: cannot read nowhere/Corefile: there is no such file; correct the path
            """)
    void what_is_wrong_is_one_clear_line(String command, String line) throws Exception {
        assertThat(run(directory, 2, command.split("\\s+"))).containsExactly(line);
    }

    @Test
    void tells_all_that_is_wrong_with_manifests() throws Exception {
        int many = 3000;
        StringBuilder cluster = new StringBuilder("{apiVersion: v1, kind: Namespace, metadata: {name: default}}\n");
        for (int i = 0; i < many; i++) {
            cluster.append("---\n{apiVersion: v1, kind: Service, metadata: {name: bad-").append(i).append("}, spec: {clusterIP: nowhere}}\n");
        }
        Path manifests = Files.writeString(directory.resolve("cluster.yaml"), cluster);
        List<String> told = run(directory, 1, "explain", "bad-1", "--manifests", manifests.toString());
        assertThat(told.stream().filter(line -> line.contains("must be a valid IP address"))).hasSize(many);
    }

    @Test
    void json_has_the_documented_fields() throws Exception {
        List<String> lines = run(directory, 0, "explain", "web", "--from", "db-0", "--manifests", "examples/cluster", "-o", "json");
        Path file = Files.writeString(directory.resolve("result.json"), String.join("\n", lines));
        Path script = Files.writeString(directory.resolve("read.py"), """
                import json, sys
                e = json.load(open(sys.argv[1]))
                t = e['tries'][-1]
                print(e['answered'], e['client']['namespace'], e['resolvConf']['ndots'], t['name'], t['result'], t['objects'][0]['kind'],
                      t['legs'][0]['plugins'][0]['plugin'], t['heard'], len(e['connections']), e['connections'][0]['exitCode'])
                print(' '.join(sorted(set(list(e) + list(t) + list(t['legs'][0])))))
                """);
        List<String> read = Programs.run("python3", script.toString(), file.toString()).output().lines().toList();
        assertThat(read.getFirst()).isEqualTo("True shop 5 web.shop.svc.cluster.local. NOERROR Service kubernetes None 2 None");
        String page = Files.readString(ROOT.resolve("docs/explain.md"));
        assertThat(read.getLast().split(" ")).allSatisfy(field -> assertThat(page).containsPattern("`(tries\\[\\]\\.|\\.)?" + field + "`"));
    }

    @Test
    void runs_the_proxys_trace_if_it_is_there() throws Exception {
        Path proxy = Files.writeString(directory.resolve("cairn-proxy"), "#!/bin/sh\necho \"to $5\"\necho 'no such node' >&2\nexit 3\n");
        assertThat(proxy.toFile().setExecutable(true)).isTrue();
        assertThat(run(directory, 0, "explain", "search", "--from", "shop/db-0", "--manifests", "examples/cluster"))
                .containsSequence("Connections",
                        "  cairn-proxy trace --from 10.244.1.20 --to 10.101.86.105:9000/tcp --manifests examples/cluster",
                        "    to 10.101.86.105:9000/tcp", "    no such node");
        assertThat(run(directory, 0, "explain", "search", "--from", "shop/db-0", "--manifests", "examples/cluster", "--no-proxy"))
                .noneMatch(line -> line.startsWith("    to "));
    }
}
