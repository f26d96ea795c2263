package dev.cairn.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextFormatTest {
    /** As Go's strconv.FormatFloat(value, 'g', -1, 64) writes them, but for the smallest, of which Java tells a digit more. */
    @ParameterizedTest
    @CsvSource({
        "0, 0", "-0.0, 0", "1, 1", "-17, -17", "0.5, 0.5", "-0.00025, -0.00025", "0.0001, 0.0001", "0.00001, 1e-05", "1.5e-5, 1.5e-05",
        "999999, 999999", "999999.5, 999999.5", "1e6, 1e+06", "1234567, 1.234567e+06", "123.456, 123.456", "100.25, 100.25", "1e21, 1e+21",
        "1.7976931348623157e308, 1.7976931348623157e+308", "4.9e-324, 4.9e-324", "NaN, NaN", "Infinity, +Inf", "-Infinity, -Inf",
    })
    void writesNumbersAsGoDoes(double value, String text) {
        assertThat(TextFormat.number(value)).isEqualTo(text);
    }

    @RepeatedTest(20)
    void whatIsWrittenReadsBack(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        for (int i = 0; i < 1000; i++) {
            double value = i % 2 == 0 ? Double.longBitsToDouble(random.nextLong()) : random.nextInt() / Math.pow(10, random.nextInt(12));
            if (Double.isFinite(value)) {
                String text = TextFormat.number(value);
                assertThat(Double.parseDouble(text)).as(text).isEqualTo(value + 0.0);
                BigDecimal exact = new BigDecimal(Double.toString(value)).stripTrailingZeros();
                int exponent = exact.precision() - exact.scale() - 1;
                assertThat(text.contains("e")).as(text).isEqualTo(exact.signum() != 0 && (exponent < -4 || exponent >= 6));
                assertThat(new BigDecimal(text)).as(text).isEqualByComparingTo(exact);
            }
        }
    }
}
