package dev.cairn.cluster.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DateTimeException;
import java.time.OffsetDateTime;
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

    @ParameterizedTest
    @ValueSource(strings = {"2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01t00:00:0xZ", "now"})
    void what_is_no_time_is_refused(String text) {
        assertThatThrownBy(() -> Rfc3339.millis(text)).isInstanceOf(DateTimeException.class);
    }
}
