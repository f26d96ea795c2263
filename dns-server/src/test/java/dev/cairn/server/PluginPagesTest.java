package dev.cairn.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.check.CorefileCheck;
import dev.cairn.corefile.Problem;
import dev.cairn.plugin.PluginSetup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages are the manual: each plugin has one, in the same shape, and what it shows can be served. */
class PluginPagesTest {
    private static final Path ROOT = Path.of(System.getProperty("cairn.root"));
    private static final Pattern EXAMPLE = Pattern.compile("^~~~ corefile\\n(.*?)^~~~$", Pattern.MULTILINE | Pattern.DOTALL);

    static Stream<String> plugins() {
        return PluginList.inOrder().stream().map(PluginSetup::name);
    }

    private static String page(String plugin) throws IOException {
        return Files.readString(ROOT.resolve("docs/plugins/" + plugin + ".md"));
    }

    private static List<String> errors(ConfigSource source) {
        return CorefileCheck.check(source, 53).stream()
                .filter(problem -> problem.severity() == Problem.Severity.ERROR)
                .map(Problem::toString)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("plugins")
    void everyPluginHasAPageOfTheSameShape(String plugin) throws IOException {
        assertThat(page(plugin)).startsWith("# " + plugin + "\n")
                .containsSubsequence("\n## Name\n", "\n## Description\n", "\n## Syntax\n", "\n## Metrics\n", "\n## Examples\n",
                        "\n## Differences from CoreDNS\n");
    }

    @ParameterizedTest
    @MethodSource("plugins")
    void theExamplesOfAPageCanBeServed(String plugin) throws IOException {
        List<String> examples = EXAMPLE.matcher(page(plugin)).results().map((MatchResult found) -> found.group(1)).toList();
        assertThat(examples).as("examples of %s", plugin).isNotEmpty();
        for (String example : examples) {
            assertThat(errors(ConfigSource.text("docs/plugins/" + plugin + ".md", example))).as(example).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("plugins")
    void theIndexNamesEveryPlugin(String plugin) throws IOException {
        assertThat(Files.readString(ROOT.resolve("docs/plugins/README.md"))).contains("[" + plugin + "](" + plugin + ".md)");
        assertThat(Files.readString(ROOT.resolve("README.md"))).containsPattern("\\b" + plugin + "\\b");
    }

    @Test
    void theIndexSaysWhyAPluginIsMissing() throws IOException {
        List<String> here = plugins().toList();
        String index = Files.readString(ROOT.resolve("docs/plugins/README.md"));
        assertThat(PluginList.names()).filteredOn(name -> !here.contains(name)).allSatisfy(name -> assertThat(index).contains("`" + name + "`"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Corefile.example", "examples/hosts/Corefile"})
    void theSampleConfigurationsHaveNoProblems(String file) {
        assertThat(CorefileCheck.check(ConfigSource.file(ROOT.resolve(file)), 53)).isEmpty();
    }
}
