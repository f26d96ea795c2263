package dev.cairn.proxy.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Settings of the kernel that this runs on. */
class KernelSettingsTest {
    /** A number of several digits that nobody may write. */
    private static final String NUMBER = "kernel/random/poolsize";

    private final KernelSettings kernel = new KernelSettings(Path.of("/"));

    @Test
    void what_is_so_already_is_not_written() throws IOException {
        String now = Files.readAllLines(Path.of("/proc/sys", NUMBER)).getFirst();
        assertThat(now).hasSizeGreaterThan(1);
        kernel.set(Map.of(NUMBER, now));
        kernel.raise("proc/sys/" + NUMBER, Long.parseLong(now));
        assertThat(kernel.complaints()).isEmpty();
    }

    @Test
    void what_cannot_be_written_is_named() {
        kernel.set(Map.of(NUMBER, "1"));
        assertThat(kernel.complaints()).singleElement().asString().startsWith("kernel.random.poolsize cannot be set to 1 (");
    }
}
