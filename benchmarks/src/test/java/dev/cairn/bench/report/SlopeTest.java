package dev.cairn.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class SlopeTest {
    @Test
    void pointsOnALineGiveThatLine() {
        Slope slope = Slope.fit(List.of(new LineChart.Point(1000, 102), new LineChart.Point(3000, 106), new LineChart.Point(10_000, 120)));
        assertThat(slope.start()).isCloseTo(100, Offset.offset(1e-9));
        assertThat(slope.perUnit()).isCloseTo(0.002, Offset.offset(1e-12));
        assertThat(slope.at(100_000)).isCloseTo(300, Offset.offset(1e-6));
    }

    @Test
    void oneSizeHasNoSlope() {
        assertThatThrownBy(() -> Slope.fit(List.of(new LineChart.Point(1, 1), new LineChart.Point(1, 2)))).isInstanceOf(IllegalArgumentException.class);
    }
}
