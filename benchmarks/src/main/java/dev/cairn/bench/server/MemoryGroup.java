package dev.cairn.bench.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A limit for the memory of a process, as the kubelet sets it for a container; needs root. With version 1 or 2 of the kernel's groups. */
public final class MemoryGroup implements AutoCloseable {
    /** Of the CoreDNS Deployment of kubeadm: 170Mi. */
    public static final long KUBEADM_BYTES = 170L << 20;

    private static final Path GROUPS = Path.of("/sys/fs/cgroup");
    private static final int END_SECONDS = 10;
    private static final AtomicInteger MADE = new AtomicInteger();
    /** The process moves into the group before it becomes the command. */
    private static final String ENTER = "echo $$ >\"$0/cgroup.procs\" && exec \"$@\"";

    private final Path group;

    private MemoryGroup(Path group) {
        this.group = group;
    }

    public static MemoryGroup limit(long bytes) throws IOException {
        boolean first = Files.isDirectory(GROUPS.resolve("memory"));
        Path parent = first ? GROUPS.resolve("memory") : GROUPS;
        Path group = parent.resolve("cairn-bench-" + ProcessHandle.current().pid() + "-" + MADE.incrementAndGet());
        Files.createDirectory(group);
        Path limit = group.resolve(first ? "memory.limit_in_bytes" : "memory.max");
        if (!Files.exists(limit)) {
            Files.delete(group);
            throw new IOException("the kernel's memory groups are not available in " + parent);
        }
        Files.writeString(limit, Long.toString(bytes));
        return new MemoryGroup(group);
    }

    /** What is to stand before a command. */
    public List<String> prefix() {
        return List.of("sh", "-c", ENTER, group.toString());
    }

    /** Removes the group, once the kernel has seen its processes end. */
    @Override
    public void close() throws IOException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(END_SECONDS);
        while (!group.toFile().delete()) {
            if (System.nanoTime() > until) {
                throw new IOException("cannot remove " + group);
            }
            Thread.onSpinWait();
        }
    }
}
