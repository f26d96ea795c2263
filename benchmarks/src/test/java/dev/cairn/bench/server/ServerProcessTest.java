package dev.cairn.bench.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ServerProcessTest {
    /** Knot gives its workers the first processors, so that one that is to be compared would share that of the load. */
    @ParameterizedTest
    @EnumSource(names = {"FIRST", "LAST"})
    void aServerThatChoosesItsProcessorsRunsWhereItIsToldTo(Processors processors, @TempDir Path directory) throws Exception {
        try (Fleet fleet = new Fleet(directory, Path.of("unused"))) {
            ServerProcess knot = fleet.knot("example", "a 30 A 10.0.0.1\n", processors).awaitAnswer("a.example");
            assertThat(knot.allowedProcessors()).hasSizeGreaterThan(1)
                    .containsOnly(processors.list(Runtime.getRuntime().availableProcessors()));
        }
    }
}
