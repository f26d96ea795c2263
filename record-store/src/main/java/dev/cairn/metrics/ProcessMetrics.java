package dev.cairn.metrics;

import dev.cairn.log.Log;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What the kernel, the JVM and the log say about this process, refreshed at each scrape.
 *
 * <p>{@code process_*} are read from {@code /proc/self} and absent where that cannot be read. {@code jvm_*} carry the names of the
 * Prometheus client for Java.
 */
public final class ProcessMetrics {
    /** USER_HZ, the unit of times in {@code /proc/PID/stat}: 100 wherever a JVM runs, whatever the kernel's own tick. */
    private static final double TICKS_PER_SECOND = 100;

    // Positions in /proc/PID/stat after the command name, which may itself contain spaces: proc_pid_stat(5) numbers minus three.
    private static final int USER_TICKS = 11;
    private static final int SYSTEM_TICKS = 12;
    private static final int START_TICKS = 19;

    private final Path self;
    private final Path bootStat;
    private final GaugeFamily cpu;
    private final GaugeFamily resident;
    private final GaugeFamily virtual;
    private final GaugeFamily openFiles;
    private final GaugeFamily maxFiles;
    private final GaugeFamily startTime;
    private final GaugeFamily heapUsed;
    private final GaugeFamily heapCommitted;
    private final GaugeFamily heapMax;
    private final GaugeFamily threads;
    private final GaugeFamily gcSeconds;
    private final GaugeFamily gcCount;
    private final GaugeFamily droppedLines;

    private ProcessMetrics(MetricRegistry registry, Path proc) {
        self = proc.resolve("self");
        bootStat = proc.resolve("stat");
        cpu = registry.foreignCounter("process_cpu_seconds_total", "CPU time used by this process, user and system, in seconds.");
        resident = registry.gauge("process_resident_memory_bytes", "Memory of this process that is in RAM, in bytes.");
        virtual = registry.gauge("process_virtual_memory_bytes", "Address space of this process, in bytes.");
        openFiles = registry.gauge("process_open_fds", "File descriptors in use.");
        maxFiles = registry.gauge("process_max_fds", "File descriptors this process may use.");
        startTime = registry.gauge("process_start_time_seconds", "When this process started, in seconds since 1970.");
        heapUsed = registry.gauge("jvm_memory_used_bytes", "Memory in use, garbage included, in bytes.", "area");
        heapCommitted = registry.gauge("jvm_memory_committed_bytes", "Memory got from the system, in bytes.", "area");
        heapMax = registry.gauge("jvm_memory_max_bytes", "Memory that may be used at most, in bytes.", "area");
        threads = registry.gauge("jvm_threads_current", "Live platform threads.");
        // The Java client has these two as one summary without quantiles; the samples, which dashboards query, come out the same.
        gcSeconds = registry.foreignCounter("jvm_gc_collection_seconds_sum", "Time spent in collections, in seconds.", "gc");
        gcCount = registry.foreignCounter("jvm_gc_collection_seconds_count", "Collections done.", "gc");
        droppedLines = registry.foreignCounter("cairn_log_dropped_lines_total", "Lines of the log that were lost because nobody read those before.");
    }

    /** Adds the metrics to a registry. Once per registry is enough. */
    public static void register(MetricRegistry registry) {
        register(registry, Path.of("/proc"));
    }

    static void register(MetricRegistry registry, Path proc) {
        ProcessMetrics metrics = new ProcessMetrics(registry, proc);
        registry.onScrape(metrics::refresh);
    }

    private void refresh() {
        try {
            refreshFromKernel();
        } catch (IOException e) {
            // Not Linux, or out of file descriptors: no figure is better than an old one.
            List.of(cpu, resident, virtual, openFiles, maxFiles, startTime).forEach(GaugeFamily::clear);
        }
        refreshFromJvm();
        droppedLines.with().set((double) Log.dropped());
    }

    private void refreshFromKernel() throws IOException {
        String stat = Files.readString(self.resolve("stat"), StandardCharsets.ISO_8859_1);
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        cpu.with().set((Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[SYSTEM_TICKS])) / TICKS_PER_SECOND);
        long boot = number(line(bootStat, "btime "));
        startTime.with().set(boot + Long.parseLong(fields[START_TICKS]) / TICKS_PER_SECOND);
        resident.with().set(number(line(self.resolve("status"), "VmRSS:")) * 1024.0);
        virtual.with().set(number(line(self.resolve("status"), "VmSize:")) * 1024.0);
        String limit = line(self.resolve("limits"), "Max open files");
        maxFiles.with().set(limit.startsWith("unlimited") ? 0x1p64 : number(limit));
        String[] files = self.resolve("fd").toFile().list();
        if (files == null) {
            throw new IOException("cannot list " + self.resolve("fd"));
        }
        // One of them is the descriptor that listed the directory.
        openFiles.with().set(files.length - 1);
    }

    private void refreshFromJvm() {
        Runtime runtime = Runtime.getRuntime();
        long committed = runtime.totalMemory();
        heapUsed.with("heap").set((double) (committed - runtime.freeMemory()));
        heapCommitted.with("heap").set((double) committed);
        heapMax.with("heap").set((double) runtime.maxMemory());
        threads.with().set(ManagementFactory.getThreadMXBean().getThreadCount());
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            gcSeconds.with(collector.getName()).set(collector.getCollectionTime() / 1e3);
            gcCount.with(collector.getName()).set((double) collector.getCollectionCount());
        }
    }

    /** The rest of the first line that starts with {@code start}. */
    private static String line(Path file, String start) throws IOException {
        for (String line : Files.readAllLines(file, StandardCharsets.ISO_8859_1)) {
            if (line.startsWith(start)) {
                return line.substring(start.length()).strip();
            }
        }
        throw new IOException(file + " has no line " + start);
    }

    /** The number that a text starts with. */
    private static long number(String text) {
        int end = 0;
        while (end < text.length() && Character.isDigit(text.charAt(end))) {
            end++;
        }
        return Long.parseLong(text, 0, end, 10);
    }
}
