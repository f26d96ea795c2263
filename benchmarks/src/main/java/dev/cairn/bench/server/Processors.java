package dev.cairn.bench.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Where a process may run: servers under test on the last processors, what belongs to the load on the others. With one processor everything shares it. */
public enum Processors {
    /** The first alone, for the load. */
    FIRST,
    /** The last alone, for a server. */
    LAST,
    /** The last two, for a server. */
    LAST_TWO,
    /** All but the last two; all if there are no more. */
    BEFORE_LAST_TWO,
    ANY;

    private static final int ALL = Runtime.getRuntime().availableProcessors();

    /** What is to stand before a command. */
    List<String> prefix() {
        String list = list(ALL);
        return list.isEmpty() ? List.of() : List.of("taskset", "-c", list);
    }

    public List<String> before(List<String> command) {
        return java.util.stream.Stream.concat(prefix().stream(), command.stream()).toList();
    }

    /** Puts all threads of a process there; some, such as Knot, give their threads processors of their own choice when they start. */
    void confine(long pid) throws IOException {
        String list = list(ALL);
        if (!list.isEmpty()) {
            Process taskset = new ProcessBuilder("taskset", "-acp", list, Long.toString(pid)).redirectErrorStream(true).start();
            String output = new String(taskset.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int status = taskset.onExit().join().exitValue();
            if (status != 0) {
                throw new IOException("taskset ended with " + status + ": " + output);
            }
        }
    }

    /** Whether a load on other processors than the last two is possible. */
    public static boolean enoughForTwo() {
        return ALL > 2;
    }

    String list(int all) {
        return switch (this) {
            case FIRST -> "0";
            case LAST -> Integer.toString(all - 1);
            case LAST_TWO -> all > 2 ? (all - 2) + "," + (all - 1) : "";
            case BEFORE_LAST_TWO -> all > 2 ? "0-" + (all - 3) : "";
            case ANY -> "";
        };
    }
}
