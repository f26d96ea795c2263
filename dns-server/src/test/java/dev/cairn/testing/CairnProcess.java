package dev.cairn.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/** The {@code cairn} command as a process of its own, with what it prints. Ended by {@link #close} if it has not ended by itself. */
public final class CairnProcess implements AutoCloseable {
    private static final Pattern BOUND = Pattern.compile("^(\\S+):([0-9]+)(?: on \\S+)?$");

    private final Process process;
    private final List<String> output = new CopyOnWriteArrayList<>();
    private final Thread reader;
    private final Semaphore reading;

    private CairnProcess(Path directory, List<String> command) throws IOException {
        this(directory, command, true);
    }

    private CairnProcess(Path directory, List<String> command, boolean read) throws IOException {
        process = new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
        BufferedReader lines = process.inputReader();
        reading = new Semaphore(read ? 1 : 0);
        reader = Thread.ofVirtual().start(() -> {
            awaitReading();
            lines.lines().forEach(line -> {
                output.add(line);
                awaitReading();
            });
        });
    }

    private void awaitReading() {
        reading.acquireUninterruptibly();
        reading.release();
    }

    /** From now on nobody reads what it prints, until it has ended. */
    public void stopReading() {
        reading.acquireUninterruptibly();
    }

    private static List<String> command(List<String> wrapper, List<String> program, String... args) {
        List<String> command = new ArrayList<>(wrapper);
        command.addAll(program);
        command.addAll(List.of(args));
        return command;
    }

    /** The classes of these tests, on the JDK that runs them. */
    private static List<String> thisBuild() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx64m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.cairn.command.Cairn");
    }

    public static CairnProcess start(Path directory, String... args) throws IOException {
        return new CairnProcess(directory, command(List.of(), thisBuild(), args));
    }

    /** Starts it by a command that ends with {@code exec}, such as one that makes namespaces: the process is the same all the way. */
    public static CairnProcess startBy(List<String> wrapper, Path directory, String... args) throws IOException {
        return new CairnProcess(directory, command(wrapper, thisBuild(), args));
    }

    /** The same, where nobody reads what it prints until it has ended. */
    public static CairnProcess startUnread(List<String> wrapper, Path directory, String... args) throws IOException {
        return new CairnProcess(directory, command(wrapper, thisBuild(), args), false);
    }

    /** Starts what {@code installDist} installed, as users do, by a command that ends with {@code exec}; an empty one for none. */
    public static CairnProcess startInstalled(List<String> wrapper, Path directory, String... args) throws IOException {
        Path launcher = Path.of(System.getProperty("cairn.root"), "dns-server", "build", "install", "cairn", "bin", "cairn");
        return new CairnProcess(directory, command(wrapper, List.of(launcher.toString()), args));
    }

    /** Starts it by a whole command that becomes the server. */
    public static CairnProcess startAs(Path directory, List<String> command) throws IOException {
        return new CairnProcess(directory, command);
    }

    /** What the process holds of memory, in KiB. */
    public long residentKilobytes() throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(pid()), "status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                .sum();
    }

    /** Everything printed so far. */
    public List<String> output() {
        return List.copyOf(output);
    }

    /** Waits for a line that contains {@code part}. */
    public void awaitOutput(String part) {
        Awaitility.await().until(() -> output.stream().anyMatch(line -> line.contains(part)) || !process.isAlive());
        if (output.stream().noneMatch(line -> line.contains(part))) {
            throw new AssertionError("no line with '" + part + "' in " + output);
        }
    }

    /** Waits until the server is up and tells the port of its first zone. */
    public int port() {
        awaitOutput("Cairn-");
        for (String line : output) {
            Matcher bound = BOUND.matcher(line);
            if (bound.matches()) {
                return Integer.parseInt(bound.group(2));
            }
        }
        throw new AssertionError("no port in " + output);
    }

    public long pid() {
        return process.pid();
    }

    /** Sends a signal by its name. */
    public void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(pid())).inheritIO().start().waitFor();
    }

    /** Waits for the end and returns the exit code. */
    public int awaitExit() throws InterruptedException {
        if (!process.waitFor(2, TimeUnit.MINUTES)) {
            throw new AssertionError("still running: " + output);
        }
        reading.release(); // if it was stopped; one more does no harm
        reader.join();
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
