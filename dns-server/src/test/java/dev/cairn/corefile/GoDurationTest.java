package dev.cairn.corefile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GoDurationTest {

    /** Expected values printed by Go's time.ParseDuration and Duration.String. */
    @ParameterizedTest
    @CsvSource({
        "0, 0, 0s",
        "5s, 5000000000, 5s",
        "1m30s, 90000000000, 1m30s",
        "1.5h, 5400000000000, 1h30m0s",
        "100ms, 100000000, 100ms",
        "10us, 10000, 10µs",
        "10µs, 10000, 10µs",
        "1.5ms, 1500000, 1.5ms",
        "0s, 0, 0s",
        "+5s, 5000000000, 5s",
        "-5s, -5000000000, -5s",
        "90s, 90000000000, 1m30s",
        "3600s, 3600000000000, 1h0m0s",
        "1h, 3600000000000, 1h0m0s",
        "25h, 90000000000000, 25h0m0s",
        "1ns, 1, 1ns",
        "999ns, 999, 999ns",
        "1us1ns, 1001, 1.001µs",
        "1500us, 1500000, 1.5ms",
        ".5s, 500000000, 500ms",
        "1.s, 1000000000, 1s",
        "0.1s, 100000000, 100ms",
        "1h0.5s, 3600500000000, 1h0m0.5s",
        "1m0.000000001s, 60000000001, 1m0.000000001s",
        "0.3333333333333333333h, 1200000000000, 20m0s",
        "0.100000000000000000000h, 360000000000, 6m0s",
        "9223372036854775807ns, 9223372036854775807, 2562047h47m16.854775807s",
        "2562047h47m16.854775807s, 9223372036854775807, 2562047h47m16.854775807s",
        "60000ms, 60000000000, 1m0s",
        "1001ms, 1001000000, 1.001s",
    })
    void durationsAreReadAndPrintedAsGoDoes(String text, long nanos, String printed) {
        assertThat(GoDuration.parse(text).toNanos()).isEqualTo(nanos);
        assertThat(GoDuration.format(GoDuration.parse(text))).isEqualTo(printed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-", ".", "s", ".s", "3", "1h30", "3x", "1.2.3s", "1 s", "9223372037s", "99999999999999999999s", "1S",
        "1d"})
    void whatGoRefusesIsRefused(String text) {
        assertThatThrownBy(() -> GoDuration.parse(text)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("write ");
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = '|', value = {
        "30 | \"30\" has no unit: write 30s for seconds, or another unit of ms, s, m, h",
        "5d | \"5d\" has the unknown unit \"d\": write one of ns, us, ms, s, m, h",
        "soon | \"soon\" is not a duration: write a number with a unit, such as 30s",
    })
    void messagesSayWhatToWrite(String text, String message) {
        assertThatThrownBy(() -> GoDuration.parse(text)).hasMessage(message);
    }
}
