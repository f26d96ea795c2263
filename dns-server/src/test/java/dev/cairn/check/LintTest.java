package dev.cairn.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.corefile.Corefile;
import dev.cairn.corefile.CorefileParser;
import dev.cairn.corefile.Problem;
import dev.cairn.corefile.Problems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LintTest {
    private static List<String> lint(String text) {
        Problems problems = new Problems();
        Corefile corefile = CorefileParser.parse("Corefile", text, _ -> null, problems);
        assertThat(problems.all()).isEmpty();
        Lint.lint(corefile, 53, problems);
        return problems.all().stream().map(Problem::toString).toList();
    }

    static Stream<Arguments> doubtful() {
        return Stream.of(
                Arguments.of(".:53 {\n forward . 127.0.0.1\n}", 2, "this server itself"),
                Arguments.of(".:5300 {\n forward . 9.9.9.9 localhost:5300\n}", 2, "this server itself"),
                Arguments.of(". {\n forward . [::1]:53\n}", 2, "this server itself"),
                Arguments.of(". {\n bind 169.254.20.10\n forward . 169.254.20.10\n}", 3, "this server itself"),
                Arguments.of(". {\n errors\n log\n}", 1, "nothing in this block answers"),
                Arguments.of("example.org {\n hosts /etc/hosts example.net\n}", 2, "never reached; move it"),
                Arguments.of(". {\n hosts {\n  10.0.0.1 a.example\n }\n forward . 9.9.9.9\n}", 5, "give it 'fallthrough'"),
                Arguments.of(". {\n whoami\n forward . 9.9.9.9\n}", 2, "whoami is never reached: forward at Corefile:3"));
    }

    @ParameterizedTest
    @MethodSource("doubtful")
    void warnsOfWhatIsSurelyNotMeant(String corefile, int line, String words) {
        assertThat(lint(corefile)).anySatisfy(message -> assertThat(message).startsWith("Corefile:" + line + ": ").contains(words));
    }

    static Stream<String> meant() {
        return Stream.of(
                ".:5300 {\n forward . 127.0.0.1\n}",
                ". {\n forward . 127.0.0.53\n}",
                ". {\n hosts {\n  10.0.0.1 a.example\n  fallthrough\n }\n forward . 9.9.9.9\n}",
                ". {\n hosts /etc/hosts example.net\n forward . 9.9.9.9\n}",
                "example.org {\n whoami\n}",
                ". {\n kubernetes cluster.local in-addr.arpa {\n  fallthrough in-addr.arpa\n }\n forward . 9.9.9.9\n"
                        + " cache 30 {\n  disable success cluster.local\n  disable denial cluster.local\n }\n}",
                ". {\n kubernetes cluster.local {\n  fallthrough\n }\n cache 30\n forward . 9.9.9.9\n}",
                ". {\n kubernetes cluster.local\n cache 30 example.org\n forward . 9.9.9.9\n}");
    }

    @ParameterizedTest
    @MethodSource("meant")
    void isSilentAboutWhatMakesSense(String corefile) {
        assertThat(lint(corefile)).isEmpty();
    }

    @Test
    void hasNothingAgainstTheCorefileOfKubeadm() throws IOException {
        Path kubeadm = Path.of(System.getProperty("cairn.root"), "dns-server/src/test/resources/corefiles/kubeadm.corefile");
        assertThat(lint(Files.readString(kubeadm))).isEmpty();
    }
}
