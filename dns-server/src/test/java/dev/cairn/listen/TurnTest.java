package dev.cairn.listen;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TurnTest {
    private final List<Runnable> tasks = new ArrayList<>();
    private final List<Long> rests = new ArrayList<>();
    private final Turn turn = new Turn(rests::add);
    private final EmbeddedChannel first = new EmbeddedChannel();
    private final EmbeddedChannel second = new EmbeddedChannel();

    @AfterEach
    void close() {
        first.finishAndReleaseAll();
        second.finishAndReleaseAll();
    }

    @ParameterizedTest
    @CsvSource({"1,0", "2,0", "3,1", "15,1", "16,0", "200,0"})
    void restsOnlyAfterSeveralQueriesAndNotWhenThereAreManyAnyway(int queries, int times) {
        answer(first, queries);
        endTurn();
        assertThat(rests).hasSize(times);
    }

    @ParameterizedTest
    @CsvSource({"1,1,0", "1,2,1", "20,1,1", "20,20,0"})
    void countsAllConnectionsOfTheTurn(int ofFirst, int ofSecond, int times) {
        answer(first, ofFirst);
        answer(second, ofSecond);
        endTurn();
        assertThat(rests).hasSize(times);
    }

    @Test
    void knowsNothingOfTheOneBefore() {
        answer(first, 5);
        answer(second, 7);
        endTurn();
        answer(first, 2);
        endTurn();
        assertThat(rests).hasSize(1);
    }

    @Test
    void repliesOfAllConnectionsLeaveAtItsEnd() {
        answer(first, 1);
        answer(second, 1);
        assertThat(first.outboundMessages()).isEmpty();
        assertThat(second.outboundMessages()).isEmpty();
        endTurn();
        assertThat(first.outboundMessages()).hasSize(1);
        assertThat(second.outboundMessages()).hasSize(1);
    }

    @Test
    void repliesDoNotWaitForTheEndOfALongTurn() {
        answer(first, 1);
        answer(second, 63);
        assertThat(first.outboundMessages()).hasSize(1);
        assertThat(second.outboundMessages()).hasSize(1);
        answer(first, 1);
        assertThat(first.outboundMessages()).as("begins to count anew").hasSize(1);
        endTurn();
        assertThat(first.outboundMessages()).hasSize(2);
    }

    @Test
    void aConnectionThatWasClosedMeanwhileKeepsNoOneFromItsReplies() {
        answer(first, 1);
        answer(second, 1);
        first.close();
        endTurn();
        assertThat(second.outboundMessages()).hasSize(1);
    }

    private void answer(EmbeddedChannel connection, int queries) {
        connection.write("replies");
        turn.answered(queries, connection, tasks::add);
    }

    private void endTurn() {
        assertThat(tasks).hasSize(1);
        List.copyOf(tasks).forEach(Runnable::run);
        tasks.clear();
    }
}
