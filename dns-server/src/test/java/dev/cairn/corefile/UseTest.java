package dev.cairn.corefile;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UseTest {

    private final Problems problems = new Problems();

    /** The uses of the first directive of a server block. */
    private List<Use> uses(String directives) {
        ServerBlock block = CorefileParser.parse("Corefile", ". {\n" + directives + "\n}", name -> null, problems).blocks().getFirst();
        return Use.of(block.uses(block.directives().getFirst().name().text()), problems);
    }

    private Use use(String directive) {
        return uses(directive).getFirst();
    }

    private List<String> messages() {
        return problems.all().stream().map(Problem::toString).toList();
    }

    @Test
    void argumentsAreSeenInOrder() {
        Use use = use("forward . 1.1.1.1 {\nmax_fails 3\nforce_tcp\n}");
        assertThat(use.name()).isEqualTo("forward");
        assertThat(use.at()).hasToString("Corefile:2");
        assertThat(use.count()).isEqualTo(2);
        assertThat(use.args()).containsExactly(".", "1.1.1.1");
        assertThat(use.tokens()).extracting(Token::text).containsExactly(".", "1.1.1.1");
        assertThat(use.arg(1)).isEqualTo("1.1.1.1");
        assertThat(use.arg(2, "none")).isEqualTo("none");
        assertThat(use.hasBlock()).isTrue();
        assertThat(use.block()).extracting(Use::name).containsExactly("max_fails", "force_tcp");
        assertThat(use.block().getFirst().hasBlock()).isFalse();
        assertThat(messages()).isEmpty();
    }

    @Test
    void aMissingArgumentIsReported() {
        assertThat(use("log").arg(0)).isEmpty();
        assertThat(messages()).containsExactly("Corefile:2: plugin/log: argument 1 is missing: the line has only 0");
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', value = {
        "1, 1, `1 argument`", "2, 2, `2 arguments`", "0, 0, `no arguments`", "0, 1, `at most 1 argument`", "1, 2, `1 to 2 arguments`",
        "4, 2147483647, `at least 4 arguments`",
    })
    void aWrongNumberOfArgumentsIsReported(int min, int max, String wanted) {
        assertThat(use("kubernetes {\nttl 1 2 3\n}").block().getFirst().expect(min, max, "ttl SECONDS")).isFalse();
        assertThat(messages()).containsExactly("Corefile:3: plugin/kubernetes: ttl: wants " + wanted + ", got 3; write: ttl SECONDS");
    }

    @Test
    void aRightNumberOfArgumentsIsNot() {
        assertThat(use("a 1 2").expect(0, 2, "")).isTrue();
        assertThat(use("a 1 2").expect(2, Integer.MAX_VALUE, "")).isTrue();
        assertThat(messages()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"5, 5", "+5, 5", "1, 1", "10, 10"})
    void numbersAreRead(String text, int expected) {
        assertThat(use("a " + text).intArg(0, 1, 10, 7)).isEqualTo(expected);
        assertThat(use("a " + text).intArg(1, 1, 10, 7)).isEqualTo(7);
        assertThat(messages()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0", "11", "x", "1.5", "''", "99999999999", "5s"})
    void otherNumbersAreReported(String text) {
        assertThat(use("a \"" + text + "\"").intArg(0, 1, 10, 7)).isEqualTo(7);
        assertThat(messages()).containsExactly("Corefile:2: plugin/a: \"" + text + "\" is not a whole number from 1 to 10");
    }

    @Test
    void durationsAreReadOrReported() {
        Duration second = Duration.ofSeconds(1);
        Duration hour = Duration.ofHours(1);
        assertThat(use("a 1m30s").durationArg(0, second, hour, second)).isEqualTo(Duration.ofSeconds(90));
        assertThat(use("a").durationArg(0, second, hour, hour)).isEqualTo(hour);
        assertThat(messages()).isEmpty();
        assertThat(use("a 30").durationArg(0, second, hour, hour)).isEqualTo(hour);
        assertThat(use("a 2h").durationArg(0, second, hour, hour)).isEqualTo(hour);
        assertThat(messages()).containsExactly(
            "Corefile:2: plugin/a: \"30\" has no unit: write 30s for seconds, or another unit of ms, s, m, h",
            "Corefile:2: plugin/a: 2h is out of range: write a duration from 1s to 1h0m0s");
    }

    @Test
    void choicesIgnoreCase() {
        Map<String, Integer> choices = Map.of("random", 1, "sequential", 2);
        assertThat(use("a Random").choice(0, choices, 0)).isEqualTo(1);
        assertThat(use("a").choice(0, choices, 0)).isEqualTo(0);
        assertThat(messages()).isEmpty();
        assertThat(use("a randm").choice(0, choices, 0)).isEqualTo(0);
        assertThat(messages()).containsExactly("Corefile:2: plugin/a: \"randm\" is not known here, did you mean random? (known: "
            + "random, sequential)");
    }

    @Test
    void zonesAreNormalizedAndExpanded() {
        assertThat(use("cache 30 Example.org 10.0.0.0/15").zones(1)).containsExactly("example.org.", "0.10.in-addr.arpa.",
            "1.10.in-addr.arpa.");
        assertThat(use("cache").zones(1)).isEmpty();
        assertThat(messages()).isEmpty();
    }

    @Test
    void unknownPropertiesAreReportedWithTheNearestWord() {
        use("cache {\nsucces 1\n}").block().getFirst().unknown(List.of("success", "denial"));
        assertThat(messages()).containsExactly("Corefile:3: plugin/cache: unknown property \"succes\", did you mean success? (known: "
            + "denial, success)");
    }

    @Test
    void repeatsAreReportedWithTheFirstPlace() {
        Use.onlyOnce(uses("loop"));
        Use.onlyOnce(List.of());
        assertThat(messages()).isEmpty();
        Use.onlyOnce(uses("reload\nlog\nreload"));
        assertThat(messages()).containsExactly(
            "Corefile:4: plugin/reload: can only be used once per server block, and is already used at Corefile:2: remove one of them");
    }

    @Test
    void errorsAndWarningsCarryThePluginsName() {
        use("log").error("wrong");
        use("log").warning("strange");
        assertThat(problems.hasErrors()).isTrue();
        assertThat(messages()).containsExactly("Corefile:2: plugin/log: wrong", "Corefile:2: plugin/log: strange");
    }
}
