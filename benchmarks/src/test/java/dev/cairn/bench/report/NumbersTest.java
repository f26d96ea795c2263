package dev.cairn.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumbersTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "0 | 0", "1 | 1", "0.0123 | 0.012", "0.5 | 0.50", "7.966 | 7.97", "9.999 | 10.0", "41.76 | 41.8", "99.97 | 100", "134269.4 | 134,269", "-2.5 | -2.50",
        "NaN | -", "Infinity | never",
    })
    void numbersHaveAboutThreeDigits(double value, String text) {
        assertThat(Numbers.text(value)).isEqualTo(text);
    }
}
