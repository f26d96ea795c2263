package dev.cairn.bench.server;

import java.io.IOException;
import java.net.BindException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.PortUnreachableException;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A server under test, or one that it asks, with the kernel's account of it. */
public final class ServerProcess implements AutoCloseable {
    private static final int START_SECONDS = 60;
    private static final int OFTEN_MILLIS = 2;
    private static final int LEAST_PORT = 10_000;

    /** Of net.ipv4.ip_local_port_range, if nobody has changed that. */
    private static final int FIRST_OF_KERNEL = 32_768;

    private final String name;
    private final int port;
    private final Process process;
    private final Path log;
    private final Processors processors;

    private ServerProcess(String name, int port, Process process, Path log, Processors processors) {
        this.name = name;
        this.port = port;
        this.process = process;
        this.log = log;
        this.processors = processors;
    }

    /** Starts a command that will listen on a port of the loopback; what it prints goes to a file. */
    public static ServerProcess start(String name, int port, Path log, List<String> command, Processors processors) throws IOException {
        List<String> all = new ArrayList<>(processors.prefix());
        all.addAll(command);
        Process process = new ProcessBuilder(all).redirectErrorStream(true).redirectOutput(log.toFile()).start();
        return new ServerProcess(name, port, process, log, processors);
    }

    /** Waits until a name is answered without an error, sees to it that it runs nowhere but where it may, and returns this. */
    public ServerProcess awaitAnswer(String question) throws IOException {
        return awaitAnswer(question, OFTEN_MILLIS);
    }

    /** The same, asking again after so many milliseconds without an answer. */
    public ServerProcess awaitAnswer(String question, int pauseMillis) throws IOException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (!answers(question)) {
            if (!process.isAlive() || System.nanoTime() > until) {
                throw new IOException(name + " does not answer: " + Files.readString(log));
            }
            pause(pauseMillis);
        }
        processors.confine(process.pid());
        return this;
    }

    private boolean answers(String question) throws IOException {
        byte[] query = Packets.query(1, question, 1);
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.setSoTimeout(20);
            socket.connect(InetAddress.getLoopbackAddress(), port);
            socket.send(new DatagramPacket(query, query.length));
            DatagramPacket reply = new DatagramPacket(new byte[512], 512);
            socket.receive(reply);
            return (reply.getData()[3] & 15) == 0 && reply.getData()[7] > 0;
        } catch (SocketTimeoutException | PortUnreachableException e) {
            return false;
        }
    }

    private static void pause(int millis) throws IOException {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    public String name() {
        return name;
    }

    public int port() {
        return port;
    }

    /** The processors that each thread may run on, as the kernel lists them. */
    List<String> allowedProcessors() throws IOException {
        List<String> lists = new ArrayList<>();
        for (Path task : tasks()) {
            lists.add(field(task.resolve("status"), "Cpus_allowed_list:"));
        }
        return lists;
    }

    private List<Path> tasks() throws IOException {
        try (Stream<Path> tasks = Files.list(Path.of("/proc", Long.toString(process.pid()), "task"))) {
            return tasks.toList();
        }
    }

    /** The CPU time of all threads, from the scheduler's own account. */
    public long cpuNanos() throws IOException {
        long sum = 0;
        for (Path task : tasks()) {
            String times = Files.readString(task.resolve("schedstat"));
            sum += Long.parseLong(times.substring(0, times.indexOf(' ')));
        }
        return sum;
    }

    /** The CPU time of the process and of the children it has waited for, in steps of 10 ms. */
    public long cpuMillisWithChildren() throws IOException {
        String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        long ticks = 0;
        for (int i = 11; i <= 14; i++) {
            ticks += Long.parseLong(fields[i]);
        }
        return ticks * 10;
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Ends it as a crash would. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    public String output() throws IOException {
        return Files.readString(log);
    }

    public long residentKilobytes() throws IOException {
        return status("VmRSS:");
    }

    /** The most that was resident since the last time this was asked for. */
    public long peakKilobytes() throws IOException {
        long peak = status("VmHWM:");
        Files.writeString(Path.of("/proc", Long.toString(process.pid()), "clear_refs"), "5");
        return peak;
    }

    public double residentMegabytes() throws IOException {
        return residentKilobytes() / 1024.0;
    }

    /** What is resident and of no file: a server at rest may leave pages of files, and have them again with the first queries. */
    public double anonymousMegabytes() throws IOException {
        return status("RssAnon:") / 1024.0;
    }

    private long status(String field) throws IOException {
        String value = field(Path.of("/proc", Long.toString(process.pid()), "status"), field).replaceAll("[^0-9]", "");
        return value.isEmpty() ? 0 : Long.parseLong(value);
    }

    private static String field(Path status, String field) throws IOException {
        for (String line : Files.readAllLines(status)) {
            if (line.startsWith(field)) {
                return line.substring(field.length()).strip();
            }
        }
        return "";
    }

    /** Sends a signal by its name, such as STOP. */
    public void signal(String signal) throws IOException, InterruptedException {
        int status = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).inheritIO().start().waitFor();
        if (status != 0) {
            throw new IOException("kill -" + signal + " of " + name + " ended with " + status);
        }
    }

    /** Ends it at once: what it would do in its own time, such as to wait before it stops, is not measured. */
    @Override
    public void close() {
        kill();
    }

    /** A port that is free for UDP and TCP, and not one of those that the kernel gives to connections: one of these may have it before the server does. */
    public static int freePort() throws IOException {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(LEAST_PORT, FIRST_OF_KERNEL);
            try (ServerSocket tcp = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
                    DatagramSocket udp = new DatagramSocket(tcp.getLocalPort(), InetAddress.getLoopbackAddress())) {
                return udp.getLocalPort();
            } catch (BindException e) {
                System.err.println("port " + port + " is taken, trying another: " + e.getMessage());
            }
        }
    }

    public static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
