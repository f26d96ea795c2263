package dev.cairn.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class AxisTest {
    private static final Offset<Double> NEAR = Offset.offset(1e-6);

    @Test
    void aLinearAxisBeginsAtZeroAndHasRoundSteps() {
        Axis axis = Axis.linear(7.9, 300, 100);
        assertThat(axis.ticks()).containsExactly(0.0, 2.0, 4.0, 6.0, 8.0);
        assertThat(axis.place(0)).isCloseTo(300, NEAR);
        assertThat(axis.place(8)).isCloseTo(100, NEAR);
        assertThat(axis.place(4)).isCloseTo(200, NEAR);
    }

    @Test
    void aLogarithmicAxisGivesEachFactorTheSameLength() {
        Axis axis = Axis.logarithmic(1000, 30_000, 0, 100);
        assertThat(axis.ticks()).containsExactly(1000.0, 2000.0, 5000.0, 10_000.0, 20_000.0, 50_000.0);
        assertThat(axis.place(1000)).isCloseTo(0, NEAR);
        assertThat(axis.place(50_000)).isCloseTo(100, NEAR);
        assertThat(axis.place(20_000) - axis.place(10_000)).isCloseTo(axis.place(2000) - axis.place(1000), NEAR);
    }

    @Test
    void manyDecadesHaveOnlyPowersOfTen() {
        assertThat(Axis.logarithmic(1, 100_000, 0, 1).ticks()).containsExactly(1.0, 10.0, 100.0, 1000.0, 10_000.0, 100_000.0);
    }

    @Test
    void oneValueAloneHasAPlace() {
        assertThat(Axis.logarithmic(10, 10, 0, 100).place(10)).isFinite();
        assertThat(Axis.linear(0.003, 0, 100).place(0.003)).isBetween(0.0, 100.0);
    }
}
