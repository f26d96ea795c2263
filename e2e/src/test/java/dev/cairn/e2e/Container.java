package dev.cairn.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.CairnProcess;
import dev.cairn.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * An unpacked image, whose commands are run as the kubelet has it done for a pod: in a network and with mounts of its own, with a root,
 * settings of the kernel and a /sys that cannot be written to, as the image's user, with few capabilities and no way to get more, under
 * the filter of system calls that is a runtime's default, and in a memory limit. Needs root.
 */
final class Container {
    /** Of the CoreDNS Deployment of kubeadm: 170Mi. */
    static final long MEMORY = 170L << 20;

    static final String NET_BIND_SERVICE = "400";
    /** NET_BIND_SERVICE, NET_ADMIN and NET_RAW. */
    static final String NETWORK = "3400";
    static final String NOTHING = "0";

    private static final Path CGROUPS = Path.of("/sys/fs/cgroup");
    private static final AtomicInteger GROUPS = new AtomicInteger();

    private static final String SETUP = """
            set -e
            root=$0 group=$1 mounts=$2
            shift 2
            if [ -n "$group" ]; then echo $$ >"$group/cgroup.procs"; fi
            mount --make-rprivate /
            mount --bind "$root" "$root"
            mount -t proc proc "$root/proc"
            mount --rbind /sys "$root/sys"
            if [ "$4" != privileged ]; then
              mount --bind "$root/proc/sys" "$root/proc/sys"
              mount -o remount,ro,bind "$root/proc/sys"
              mount -o remount,ro,bind "$root/sys"
            fi
            mount --rbind /dev "$root/dev"
            for mount in $mounts; do mount --bind "${mount#*=}" "$root${mount%%=*}"; done
            mount -o remount,ro,bind "$root"
            exec "$@"
            """;

    private final Path directory;
    private final Path root;
    private final Path contain;
    private final Map<String, Object> config;
    private final Map<String, Path> mounts = new TreeMap<>();
    private final Map<String, String> environment = new TreeMap<>();
    private String capabilities = NET_BIND_SERVICE;
    private @Nullable Path group;

    /** Unpacks an image in a directory. */
    Container(String image, Path directory) throws IOException, InterruptedException {
        this.directory = directory;
        ImageFiles files = ImageFiles.read(image);
        config = files.config();
        root = Files.createDirectories(directory.resolve("root"));
        files.unpack(root);
        for (String made : List.of("proc", "sys", "dev")) {
            Files.createDirectories(root.resolve(made));
        }
        for (Object variable : ImageFiles.list(config.get("Env"))) {
            String[] parts = variable.toString().split("=", 2);
            environment.put(parts[0], parts[1]);
        }
        contain = directory.resolve("contain");
        Path source = Path.of(System.getProperty("cairn.root"), "e2e/src/test/resources/container/contain.c");
        Programs.Result compiled = Programs.run(
                "musl-gcc", "-static", "-Os", "-Wall", "-Werror", "-o", contain.toString(), source.toString());
        assertThat(compiled.code()).as(compiled.output()).isZero();
    }

    Path root() {
        return root;
    }

    /** The same files, of which other containers may be made. */
    private Container(Container other) {
        directory = other.directory;
        root = other.root;
        contain = other.contain;
        config = other.config;
        mounts.putAll(other.mounts);
        environment.putAll(other.environment);
        capabilities = other.capabilities;
        group = other.group;
    }

    /** The same with a directory or file of this machine at a path. */
    Container mount(Path from, String to) throws IOException {
        Container other = new Container(this);
        Path place = root.resolve(to.substring(1));
        if (Files.isDirectory(from)) {
            Files.createDirectories(place);
        } else if (!Files.exists(place)) {
            Files.createDirectories(place.getParent());
            Files.createFile(place);
        }
        other.mounts.put(to, from);
        return other;
    }

    /** The same with a variable set. */
    Container variable(String name, String value) {
        Container other = new Container(this);
        other.environment.put(name, value);
        return other;
    }

    /** The same with another set of capabilities, in hexadecimal. */
    Container capabilities(String set) {
        Container other = new Container(this);
        other.capabilities = set;
        return other;
    }

    /** The same with all rights, as a privileged container has them. */
    Container privileged() {
        return capabilities("privileged");
    }

    /** The same in a memory group of its own; {@link #endLimit} removes it. */
    Container limit(long bytes) throws IOException {
        Container other = new Container(this);
        Path parent = Files.isDirectory(CGROUPS.resolve("memory")) ? CGROUPS.resolve("memory") : CGROUPS;
        String file = Files.isDirectory(CGROUPS.resolve("memory")) ? "memory.limit_in_bytes" : "memory.max";
        Path made = parent.resolve("cairn-" + ProcessHandle.current().pid() + "-" + GROUPS.incrementAndGet());
        Path handedDown = parent.resolve("cgroup.subtree_control");   // of the newer kind of groups
        if (Files.exists(handedDown) && !Files.readString(handedDown).contains("memory")) {
            Files.writeString(handedDown, "+memory");
        }
        Files.createDirectory(made);
        other.group = made;
        Files.writeString(made.resolve(file), Long.toString(bytes));
        assertThat(Files.readString(made.resolve(file)).strip()).as("the limit that is in force").isEqualTo(Long.toString(bytes));
        return other;
    }

    /** Whether a process is held to the limit. */
    boolean holds(CairnProcess process) throws IOException {
        return group != null && Files.readAllLines(group.resolve("cgroup.procs")).contains(Long.toString(process.pid()));
    }

    /** Removes the memory group, once the kernel has seen its processes end. */
    void endLimit() {
        Path made = group;
        if (made != null) {
            Awaitility.await().until(() -> made.toFile().delete());
        }
    }

    private List<String> command(PodNetwork network, String... arguments) {
        List<String> command = new ArrayList<>(network.prefix());
        command.addAll(commandLine(arguments));
        return command;
    }

    /** What runs a command in it, in the network that this is run in. */
    List<String> commandLine(String... arguments) {
        List<String> command = new ArrayList<>(List.of("env", "-i"));
        environment.forEach((name, value) -> command.add(name + "=" + value));
        List<String> pairs = mounts.entrySet().stream().map(mount -> mount.getKey() + "=" + mount.getValue()).toList();
        String user = Objects.toString(config.get("User")).split(":", 2)[0];
        command.addAll(List.of("/usr/bin/unshare", "--mount", "/bin/sh", "-c", SETUP, root.toString(), Objects.toString(group, ""),
                String.join(" ", pairs), contain.toString(), root.toString(), user, capabilities));
        command.addAll(List.of(arguments));
        return command;
    }

    /** Starts a server. */
    CairnProcess start(PodNetwork network, String... arguments) throws IOException {
        return CairnProcess.startAs(directory, command(network, arguments));
    }

    /** Runs a command to its end. */
    Programs.Result run(PodNetwork network, String... arguments) throws IOException, InterruptedException {
        return Programs.run(command(network, arguments).toArray(String[]::new));
    }
}
