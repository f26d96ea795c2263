package dev.cairn.bench;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Loads cairn and its peers in turn, on the same names, pinned to the same processor, and prints what a query costs each in CPU time.
 *
 * <p>Usage: {@code LoadRun CAIRN [--rounds N] [--seconds N] [--names N] [--coredns FILE] [--engine NAME]}
 */
public final class LoadRun {
    private static final Pattern COMPLETED = Pattern.compile("Queries completed:\\s+([0-9]+)");
    private static final Pattern LOST = Pattern.compile("Queries lost:\\s+([0-9]+)");
    private static final Pattern RATE = Pattern.compile("Queries per second:\\s+([0-9.]+)");

    /** Until start-up is over and what it needed has been given back. */
    private static final int IDLE_SECONDS = 15;

    private final Path cairn;
    private final @Nullable Path coredns;
    private final int rounds;
    private final int seconds;
    private final int names;
    private final String engine;
    private final Path work;

    private LoadRun(List<String> args) throws IOException {
        cairn = Path.of(args.getFirst());
        rounds = Integer.parseInt(option(args, "--rounds", "3"));
        seconds = Integer.parseInt(option(args, "--seconds", "5"));
        names = Integer.parseInt(option(args, "--names", "10000"));
        engine = option(args, "--engine", "auto");
        String peer = option(args, "--coredns", "");
        coredns = peer.isEmpty() ? null : Path.of(peer);
        work = Files.createTempDirectory("cairn-load");
    }

    private static String option(List<String> args, String name, String fallback) {
        int at = args.indexOf(name);
        return at < 0 ? fallback : args.get(at + 1);
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length == 0) {
            System.err.println("usage: LoadRun CAIRN [--rounds N] [--seconds N] [--names N] [--coredns FILE] [--engine auto|ffm|epoll|nio]");
            System.exit(2);
        }
        new LoadRun(List.of(args)).run();
    }

    /** One server under test, and what was measured of it. */
    private static final class Subject {
        private final String name;
        private final List<String> command;
        private final int port;
        private final List<Double> microsPerQuery = new ArrayList<>();
        private final List<Double> rates = new ArrayList<>();
        private long lost;
        private long idleKilobytes;
        private long loadedKilobytes;

        Subject(String name, int port, List<String> command) {
            this.name = name;
            this.port = port;
            this.command = command;
        }

        double median() {
            return microsPerQuery.stream().sorted().skip(microsPerQuery.size() / 2).findFirst().orElse(Double.NaN);
        }
    }

    private void run() throws IOException, InterruptedException {
        writeQueries();
        List<Subject> subjects = new ArrayList<>(List.of(cairn(), knot()));
        if (coredns != null) {
            subjects.add(coredns());
        }
        List<Process> processes = new ArrayList<>();
        try {
            for (Subject subject : subjects) {
                processes.add(start(subject));
            }
            System.out.println("letting them idle ...");
            TimeUnit.SECONDS.sleep(IDLE_SECONDS);
            for (int i = 0; i < subjects.size(); i++) {
                subjects.get(i).idleKilobytes = residentKilobytes(processes.get(i).pid());
                System.out.printf(Locale.ROOT, "warming up %s ...%n", subjects.get(i).name);
                measure(subjects.get(i), processes.get(i), 6);
                subjects.get(i).microsPerQuery.clear();
                subjects.get(i).rates.clear();
                subjects.get(i).lost = 0;
            }
            for (int round = 1; round <= rounds; round++) {
                for (int i = 0; i < subjects.size(); i++) {
                    measure(subjects.get(i), processes.get(i), seconds);
                    Subject subject = subjects.get(i);
                    System.out.printf(Locale.ROOT, "round %d of %d: %-8s %6.2f us CPU a query, %7.0f queries/s%n", round, rounds, subject.name,
                            subject.microsPerQuery.getLast(), subject.rates.getLast());
                }
            }
            report(subjects);
        } finally {
            for (Process process : processes) {
                process.destroy();
                if (!process.waitFor(10, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            }
            delete(work);
        }
    }

    private void report(List<Subject> subjects) {
        double knot = subjects.get(1).median();
        System.out.printf(Locale.ROOT, "%n| server | CPU us/query, median (min-max) | ratio to Knot | queries/s | lost | RSS idle | RSS loaded |%n");
        System.out.println("|---|---|---|---|---|---|---|");
        for (Subject subject : subjects) {
            System.out.printf(Locale.ROOT, "| %s | %.2f (%.2f-%.2f) | %.2f | %.0f | %d | %d MB | %d MB |%n", subject.name, subject.median(),
                    subject.microsPerQuery.stream().mapToDouble(d -> d).min().orElse(0),
                    subject.microsPerQuery.stream().mapToDouble(d -> d).max().orElse(0), subject.median() / knot,
                    subject.rates.stream().mapToDouble(d -> d).average().orElse(0), subject.lost, subject.idleKilobytes / 1024,
                    subject.loadedKilobytes / 1024);
        }
    }

    private String name(int i) {
        return "service-" + i + ".bench.example";
    }

    private void writeQueries() throws IOException {
        StringBuilder hosts = new StringBuilder();
        StringBuilder zone = new StringBuilder("$ORIGIN bench.example.\n@ 30 SOA ns hostmaster 1 7200 1800 86400 30\n@ 30 NS ns\nns 30 A 127.0.0.1\n");
        StringBuilder queries = new StringBuilder();
        for (int i = 0; i < names; i++) {
            String address = "10." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255);
            hosts.append(address).append(' ').append(name(i)).append('\n');
            zone.append("service-").append(i).append(" 30 A ").append(address).append('\n');
            queries.append(name((int) (i * 2654435761L % names))).append(" A\n");
        }
        Files.writeString(work.resolve("hosts"), hosts);
        Files.writeString(work.resolve("bench.example.zone"), zone);
        Files.writeString(work.resolve("queries"), queries);
    }

    private Subject cairn() throws IOException {
        int port = freePort();
        Path corefile = Files.writeString(work.resolve("Corefile"), """
                bench.example:%d {
                    bind 127.0.0.1
                    multisocket 1
                    errors
                    prometheus 127.0.0.1:0
                    loadbalance
                    hosts %s {
                        ttl 30
                    }
                }
                """.formatted(port, work.resolve("hosts")));
        return new Subject("cairn", port, List.of(cairn.toString(), "-conf", corefile.toString(), "--udp-engine", engine));
    }

    private Subject coredns() throws IOException {
        int port = freePort();
        Path corefile = Files.writeString(work.resolve("Corefile.coredns"), """
                bench.example:%d {
                    bind 127.0.0.1
                    errors
                    prometheus 127.0.0.1:%d
                    loadbalance
                    hosts %s {
                        ttl 30
                    }
                }
                """.formatted(port, freePort(), work.resolve("hosts")));
        return new Subject("CoreDNS", port, List.of(String.valueOf(coredns), "-conf", corefile.toString()));
    }

    private Subject knot() throws IOException {
        int port = freePort();
        Path config = Files.writeString(work.resolve("knot.conf"), """
                server:
                    rundir: %1$s
                    listen: 127.0.0.1@%2$d
                    udp-workers: 1
                    tcp-workers: 1
                    background-workers: 1
                database:
                    storage: %1$s
                log:
                  - target: %1$s/knot.log
                    any: error
                template:
                  - id: default
                    storage: %1$s
                    file: "%%s.zone"
                    zonefile-sync: -1
                    journal-content: none
                zone:
                  - domain: bench.example
                """.formatted(work, port));
        return new Subject("Knot", port, List.of("/usr/sbin/knotd", "-c", config.toString()));
    }

    private static int freePort() throws IOException {
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** The last processor, so that load from the first does not share it; with one processor everything shares. */
    private static String serverProcessor() {
        return Integer.toString(Runtime.getRuntime().availableProcessors() - 1);
    }

    private Process start(Subject subject) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("taskset", "-c", serverProcessor()));
        command.addAll(subject.command);
        Path log = work.resolve(subject.name + ".log");
        Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!answers(subject.port)) {
            if (!process.isAlive() || System.nanoTime() > until) {
                throw new IOException(subject.name + " does not answer: " + Files.readString(log));
            }
        }
        return process;
    }

    private boolean answers(int port) throws IOException {
        byte[] query = Packets.query(1, name(0), 1);
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.setSoTimeout(200);
            socket.connect(InetAddress.getLoopbackAddress(), port);
            socket.send(new DatagramPacket(query, query.length));
            DatagramPacket reply = new DatagramPacket(new byte[512], 512);
            socket.receive(reply);
            return (reply.getData()[3] & 15) == 0;
        } catch (java.net.SocketTimeoutException | java.net.PortUnreachableException e) {
            return false;
        }
    }

    private void measure(Subject subject, Process server, int duration) throws IOException, InterruptedException {
        long before = cpuNanos(server.pid());
        Process dnsperf = new ProcessBuilder("taskset", "-c", "0", "dnsperf", "-s", "127.0.0.1", "-p", Integer.toString(subject.port), "-d",
                        work.resolve("queries").toString(), "-l", Integer.toString(duration), "-c", "4", "-q", "400", "-e")
                .redirectErrorStream(true)
                .start();
        String output = new String(dnsperf.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        dnsperf.waitFor();
        long used = cpuNanos(server.pid()) - before;
        double completed = number(COMPLETED, output);
        subject.microsPerQuery.add(used / 1000.0 / completed);
        subject.rates.add(number(RATE, output));
        subject.lost += (long) number(LOST, output);
        subject.loadedKilobytes = residentKilobytes(server.pid());
    }

    private static double number(Pattern pattern, String output) throws IOException {
        Matcher matcher = pattern.matcher(output);
        if (!matcher.find()) {
            throw new IOException("dnsperf printed no " + pattern + ":\n" + output);
        }
        return Double.parseDouble(matcher.group(1));
    }

    /** The CPU time of all threads of a process, from the scheduler's own account, in nanoseconds. */
    private static long cpuNanos(long pid) throws IOException {
        long sum = 0;
        try (Stream<Path> tasks = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
            for (Path task : tasks.toList()) {
                String times = Files.readString(task.resolve("schedstat"));
                sum += Long.parseLong(times.substring(0, times.indexOf(' ')));
            }
        }
        return sum;
    }

    private static long residentKilobytes(long pid) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        return 0;
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
