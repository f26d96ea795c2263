package dev.cairn.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class ProcessMetricsTest {
    private final MetricRegistry registry = new MetricRegistry();

    @Test
    @EnabledOnOs(OS.LINUX)
    void theKernelsFiguresForThisProcessAreServed() {
        ProcessMetrics.register(registry);
        String text = registry.scrape();

        assertThat(text).contains("# TYPE process_cpu_seconds_total counter\n", "# TYPE process_open_fds gauge\n");
        long startedMillis = ProcessHandle.current().info().startInstant().orElseThrow().toEpochMilli();
        assertThat(value(text, "process_start_time_seconds")).isBetween(startedMillis / 1e3 - 2, startedMillis / 1e3 + 2);
        assertThat(value(text, "process_cpu_seconds_total")).isPositive();
        assertThat(value(text, "process_resident_memory_bytes")).isBetween(1e6, value(text, "process_virtual_memory_bytes"));
        assertThat(value(text, "process_open_fds")).isBetween(3.0, value(text, "process_max_fds"));
    }

    @Test
    void figuresAreReadFromTheFieldsThatTheManualNames(@TempDir Path proc) throws Exception {
        Path self = Files.createDirectories(proc.resolve("self/fd")).getParent();
        for (int i = 0; i < 8; i++) {
            Files.createFile(self.resolve("fd/" + i));
        }
        Files.writeString(proc.resolve("stat"), "cpu  1 2 3\nbtime 1700000000\nprocesses 5\n");
        Files.writeString(self.resolve("stat"), "42 (a ) b) S 1 1 1 0 -1 4194560 9 0 0 0 150 75 0 0 20 0 30 0 12345 99999 777 0\n");
        Files.writeString(self.resolve("status"), "Name:\ta\nVmSize:\t    2048 kB\nVmRSS:\t    1024 kB\n");
        Files.writeString(self.resolve("limits"), "Max open files            unlimited            unlimited            files\n");
        ProcessMetrics.register(registry, proc);

        assertThat(registry.scrape()).contains("\nprocess_cpu_seconds_total 2.25\n", "\nprocess_start_time_seconds 1.70000012345e+09\n",
            "\nprocess_resident_memory_bytes 1.048576e+06\n", "\nprocess_virtual_memory_bytes 2.097152e+06\n", "\nprocess_open_fds 7\n",
            "\nprocess_max_fds 1.8446744073709552e+19\n");
    }

    @Test
    void withoutProcOnlyTheJvmIsDescribed(@TempDir Path empty) {
        ProcessMetrics.register(registry, empty);
        String text = registry.scrape();

        assertThat(text).doesNotContain("process_").contains("jvm_gc_collection_seconds_count{gc=\"");
        assertThat(value(text, "jvm_memory_used_bytes{area=\"heap\"}")).isBetween(1.0, value(text, "jvm_memory_max_bytes{area=\"heap\"}"));
        assertThat(value(text, "jvm_threads_current")).isPositive();
        assertThat(text).contains("# TYPE cairn_log_dropped_lines_total counter\ncairn_log_dropped_lines_total 0\n");
    }

    private static double value(String text, String series) {
        return text.lines().filter(line -> line.startsWith(series + " ")).map(line -> line.substring(series.length() + 1))
            .mapToDouble(Double::parseDouble).findFirst().orElseThrow();
    }
}
