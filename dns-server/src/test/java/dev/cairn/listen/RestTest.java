package dev.cairn.listen;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RestTest {
    private final List<Runnable> tasks = new ArrayList<>();
    private final List<Long> rests = new ArrayList<>();
    private final Rest rest = new Rest(rests::add);

    @ParameterizedTest
    @CsvSource({"0,0", "1,0", "2,0", "3,1", "15,1", "16,0", "200,0"})
    void comesOnlyAfterSeveralQueriesAndNotWhenThereAreManyAnyway(int queries, int times) {
        rest.afterAnswering(queries, tasks::add);
        endTurn();
        assertThat(rests).hasSize(times);
    }

    @ParameterizedTest
    @CsvSource({"1,1,0,0", "1,1,1,1", "0,0,3,1", "20,1,1,1", "20,20,20,0"})
    void countsAllConnectionsOfTheTurn(int first, int second, int third, int times) {
        for (int queries : new int[] {first, second, third}) {
            rest.afterAnswering(queries, tasks::add);
        }
        endTurn();
        assertThat(rests).hasSize(times);
    }

    @Test
    void aTurnKnowsNothingOfTheOneBefore() {
        rest.afterAnswering(5, tasks::add);
        rest.afterAnswering(7, tasks::add);
        endTurn();
        rest.afterAnswering(2, tasks::add);
        endTurn();
        assertThat(rests).hasSize(1);
    }

    private void endTurn() {
        assertThat(tasks).hasSizeLessThan(2);
        tasks.forEach(Runnable::run);
        tasks.clear();
    }
}
