package dev.cairn.listen;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RestTest {
    private final List<Runnable> tasks = new ArrayList<>();
    private final Rest rest = new Rest();

    @ParameterizedTest
    @CsvSource({"0,0", "1,0", "2,0", "3,1", "15,1", "16,0", "200,0"})
    void comesOnlyAfterSeveralQueriesAndNotWhenThereAreManyAnyway(int queries, int rests) {
        rest.afterAnswering(queries, tasks::add);
        assertThat(tasks).hasSize(rests);
    }

    @Test
    void comesOncePerTurnHoweverManyConnectionsThereAre() {
        rest.afterAnswering(5, tasks::add);
        rest.afterAnswering(7, tasks::add);
        assertThat(tasks).hasSize(1);
        tasks.getFirst().run();
        rest.afterAnswering(5, tasks::add);
        assertThat(tasks).hasSize(2);
    }
}
