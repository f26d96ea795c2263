package dev.cairn.bench.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class HaltTest {
    @Test
    void processesStandStillUntilTheyAreLetGoOnAndOneThatHasEndedIsNoMatter() throws Exception {
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        Process process = new ProcessBuilder("sleep", "60").start();
        try {
            Halt halt = new Halt(List.of(ended.pid(), process.pid()));
            halt.begin();
            await().until(() -> state(process), "T"::equals);
            halt.end();
            await().until(() -> state(process), "S"::equals);
            assertThat(process.isAlive()).isTrue();
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    /** As in proc(5). */
    private static String state(Process process) throws IOException {
        String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
        return stat.substring(stat.lastIndexOf(')') + 2).substring(0, 1);
    }
}
