package dev.cairn.bench.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProcessorsTest {
    @ParameterizedTest
    @CsvSource({
        "FIRST, 2, 0", "LAST, 2, 1", "LAST, 1, 0", "LAST_TWO, 2, ''", "LAST_TWO, 4, '2,3'", "BEFORE_LAST_TWO, 2, ''", "BEFORE_LAST_TWO, 4, 0-1", "ANY, 4, ''",
    })
    void serversHaveTheLastProcessorsAndTheLoadTheOthers(Processors processors, int all, String list) {
        assertThat(processors.list(all)).isEqualTo(list);
    }
}
