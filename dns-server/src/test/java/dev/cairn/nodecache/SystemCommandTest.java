package dev.cairn.nodecache;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SystemCommandTest {
    @Test
    void whatAProgramSaysAndItsCodeAreTold() {
        assertThat(SystemCommand.run(List.of("sh", "-c", "cat; echo wrong >&2; exit 3"), "in\n")).isEqualTo(new SystemCommand.Result(3, "in\nwrong"));
        assertThat(SystemCommand.run("/no/such/program").ok()).isFalse();
    }

    @Test
    void aProgramThatDoesNotEndIsEnded() {
        SystemCommand.Result result = SystemCommand.run(List.of("sh", "-c", "echo begun; sleep 1000"), "", Duration.ofMillis(200));
        assertThat(result).isEqualTo(new SystemCommand.Result(-1, "sh did not end"));
    }
}
