package dev.cairn.plugin.kubernetes;

import java.util.function.Supplier;

/** Counts how deep aliases lead into aliases on this thread, so that a circle of them ends. */
final class Chase {
    static final int MAX_DEPTH = 10;

    private static final ThreadLocal<int[]> DEPTH = ThreadLocal.withInitial(() -> new int[1]);

    private Chase() {}

    static int depth() {
        return DEPTH.get()[0];
    }

    static <T> T deeper(Supplier<T> step) {
        int[] depth = DEPTH.get();
        depth[0]++;
        try {
            return step.get();
        } finally {
            depth[0]--;
        }
    }
}
