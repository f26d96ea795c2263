package dev.cairn.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CompilerThreadsTest {
    /** How nice the threads of a name are, as proc(5) has it: the 19th field, the 17th behind the name. */
    private static Map<String, Integer> nicenessOf(String name) throws IOException {
        Map<String, Integer> found = new TreeMap<>();
        try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
            for (Path thread : threads.toList()) {
                String stat = Files.readString(thread.resolve("stat"));
                if (stat.contains("(" + name)) {
                    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
                    found.put(thread.getFileName().toString(), Integer.parseInt(fields[16]));
                }
            }
        }
        return found;
    }

    @Test
    void the_second_compiler_gives_way_and_the_first_does_not() throws IOException {
        Map<String, Integer> first = nicenessOf("C1 Compiler");
        assertThat(first).isNotEmpty();
        CompilerThreads.giveWay();
        assertThat(nicenessOf("C2 Compiler")).isNotEmpty().allSatisfy((_, nice) -> assertThat(nice).isGreaterThanOrEqualTo(CompilerThreads.NICENESS));
        assertThat(nicenessOf("C1 Compiler")).containsAllEntriesOf(first);
    }
}
