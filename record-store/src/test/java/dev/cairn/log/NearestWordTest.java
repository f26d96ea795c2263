package dev.cairn.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestWordTest {

    @ParameterizedTest
    @CsvSource({
        "kubernets, kubernetes", "kuberentes, kubernetes", "forwrad, forward", "chace, cache", "TTL, ttl", "tll, ttl", "lgo, log",
        "fallthru, ''", "xyz, ''", "a, ''", "'', ''", "unrelated, ''",
    })
    void aWordIsGuessedOnlyIfItIsClose(String wrong, String nearest) {
        String guess = NearestWord.of(wrong, List.of("kubernetes", "forward", "cache", "ttl", "log", "fallthrough"));
        assertThat(guess == null ? "" : guess).isEqualTo(nearest);
    }
}
