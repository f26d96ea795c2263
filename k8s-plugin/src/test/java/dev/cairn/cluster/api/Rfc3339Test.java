package dev.cairn.cluster.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Rfc3339Test {
    @ParameterizedTest
    @ValueSource(strings = {
        "1970-01-01T00:00:00Z", "2026-11-16T04:30:00Z", "2024-02-29T23:59:59Z", "2026-11-16T04:30:00.123456Z", "2026-11-16T04:30:00+02:00",
    })
    void times_are_those_of_the_jdk(String text) {
        assertThat(Rfc3339.millis(text)).isEqualTo(OffsetDateTime.parse(text).toInstant().toEpochMilli());
    }

    @Test
    void days_are_those_of_the_jdk() {
        for (LocalDate day = LocalDate.of(1895, 12, 25); day.getYear() < 2105; day = day.plusDays(1)) {
            assertThat(Rfc3339.millis(day + "T00:00:00Z")).as("%s", day).isEqualTo(day.toEpochDay() * 86_400_000);
        }
        for (String edge : List.of("0000-01-01", "0000-02-29", "0000-12-31", "0001-01-01", "0400-02-29", "9999-12-31")) {
            assertThat(Rfc3339.millis(edge + "T00:00:00Z")).as(edge).isEqualTo(LocalDate.parse(edge).toEpochDay() * 86_400_000);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-00-10T00:00:00Z", "2026-01-00T00:00:00Z", "2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01t00:00:0xZ", "now"})
    void what_is_no_time_is_refused(String text) {
        assertThatThrownBy(() -> Rfc3339.millis(text)).isInstanceOf(DateTimeException.class);
    }
}
