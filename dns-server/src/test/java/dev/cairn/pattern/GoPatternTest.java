package dev.cairn.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.regex.Matcher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is expected is what Go's regexp package finds. */
class GoPatternTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ^a.c$                  | abc       | abc
            [[:alpha:]]+           | 12ab3     | ab
            [[:^alpha:]]+          | ab12      | 12
            [[:word:].]+           | -a_1.b-   | a_1.b
            [[]                    | x[y       | [
            [&&a]+                 | b&a&      | &a&
            []a]+                  | x]a       | ]a
            a{2}                   | aaa       | aa
            a{x}                   | a{x}      | a{x}
            \\Qa.c\\E              | xabca.c   | a.c
            (?i)ABC                | xabcx     | abc
            (?i:A)b                | ab        | ab
            \\pL+                  | 12ab      | ab
            \\p{Greek}             | aλb       | λ
            \\PL+                  | ab12      | 12
            [\\d.]+                | a1.2b     | 1.2
            (?P<first_one>a)(b)    | ab        | ab
            """)
    void findsWhatGoFinds(String pattern, String text, String expected) {
        Matcher match = GoPattern.compile(pattern).find(text);
        assertThat(match).isNotNull();
        assertThat(match.group()).isEqualTo(expected);
    }

    @Test
    void groupsHaveNumbersAndNames() {
        GoPattern pattern = GoPattern.compile("(?:x)?(a)(?P<the_b>b)(?<c>c)");
        assertThat(pattern.groupCount()).isEqualTo(3);
        assertThat(pattern.groupNames()).containsOnlyKeys("the_b", "c").containsEntry("the_b", 2).containsEntry("c", 3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"(a", "[a", "a\\", "(?=a)", "(?!a)", "(?<=a)b", "(?>a)", "(a)\\1", "[[:foo:]]", "(?U)a*", "\\p", "*a"})
    void refusesWhatGoRefuses(String pattern) {
        assertThatThrownBy(() -> GoPattern.compile(pattern)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(pattern);
    }

    @Test
    void aPatternThatIsTooLongIsRefused() {
        assertThatThrownBy(() -> GoPattern.compile("a".repeat(10_001))).hasMessageContaining("too long");
    }

    @Test
    void aMatchThatWouldTakeForEverIsGivenUp() {
        GoPattern pattern = GoPattern.compile("^.*a.*a.*a.*a.*x$");
        assertThat(pattern.find("a".repeat(200) + "x")).isNotNull();
        assertThatExceptionOfType(PatternTooCostly.class).isThrownBy(() -> pattern.find("a".repeat(250)));
        assertThat(pattern.find("aaaax")).isNotNull();
    }
}
