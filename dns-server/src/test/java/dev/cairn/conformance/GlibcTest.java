package dev.cairn.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.Programs;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names as programs in a pod resolve them: by the C library, with the search path and {@code ndots:5} of the kubelet. */
class GlibcTest {
    @TempDir
    static Path directory;

    private static Pod pod;

    @BeforeAll
    static void start() throws Exception {
        pod = new Pod(directory, """
                .:53 {
                    bind 127.0.0.1
                    log
                    hosts {
                        10.0.0.1 web.testns.svc.cluster.local
                        fd00::1 web.testns.svc.cluster.local
                        10.0.0.2 web.other.svc.cluster.local
                        fd00::3 only-six.testns.svc.cluster.local
                        192.0.2.1 www.example.org
                    }
                }
                """, "testns.svc.cluster.local svc.cluster.local cluster.local");
    }

    @AfterAll
    static void stop() {
        if (pod != null) {
            pod.close();
        }
    }

    private static Set<String> addresses(String output) {
        Set<String> addresses = new TreeSet<>();
        output.lines().map(line -> line.split("\\s+", 2)[0]).forEach(addresses::add);
        return addresses;
    }

    @ParameterizedTest
    @CsvSource({
        "web,                           10.0.0.1 fd00::1",
        "WEB,                           10.0.0.1 fd00::1",
        "web.testns,                    10.0.0.1 fd00::1",
        "web.testns.svc,                10.0.0.1 fd00::1",
        "web.testns.svc.cluster.local,  10.0.0.1 fd00::1",
        "web.testns.svc.cluster.local., 10.0.0.1 fd00::1",
        "web.other,                     10.0.0.2",
        "web.other.svc,                 10.0.0.2",
        "only-six,                      fd00::3",
        "www.example.org,               192.0.2.1",
    })
    void resolvesThroughTheSearchPath(String name, String expected) throws Exception {
        Programs.Result result = pod.run("getent", "ahosts", name);
        assertThat(result.code()).as("exit code; %s, server %s", result.output(), pod.log()).isZero();
        assertThat(addresses(result.output())).containsExactlyInAnyOrder(expected.split(" ", -1));
    }

    @ParameterizedTest
    @CsvSource({"nobody", "nobody.testns", "web.nowhere", "web.", "svc.cluster.local"})
    void saysThatANameIsNotThere(String name) throws Exception {
        assertThat(pod.run("getent", "ahosts", name)).isEqualTo(new Programs.Result(2, ""));
    }

    @Test
    void findsTheNameOfAnAddress() throws Exception {
        assertThat(pod.run("getent", "hosts", "10.0.0.2").output().split("\\s+")).startsWith("10.0.0.2", "web.other.svc.cluster.local");
    }

    @Test
    void asksForTheLongestNameFirst() throws Exception {
        pod.run("getent", "ahosts", "first.example");
        Awaitility.await().until(() -> asked("first.example.").contains("first.example."));
        assertThat(asked("first.example.")).containsExactly("first.example.testns.svc.cluster.local.", "first.example.svc.cluster.local.",
                "first.example.cluster.local.", "first.example.");
    }

    /** The names that begin so, in the order in which they were first asked for. */
    private static List<String> asked(String beginning) {
        return pod.log().stream()
                .flatMap(line -> Arrays.stream(line.split(" ", -1)))
                .filter(word -> word.startsWith(beginning))
                .distinct()
                .toList();
    }
}
