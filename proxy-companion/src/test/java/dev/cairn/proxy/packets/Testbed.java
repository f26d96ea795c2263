package dev.cairn.proxy.packets;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Three machines in network namespaces: a node, clients on one side of it and endpoints on the other. Needs root, {@code ip} and
 * {@code python3}; removes everything when closed.
 */
public final class Testbed implements AutoCloseable {
    public static final String NODE = "n";
    public static final String CLIENTS = "c";
    public static final String ENDPOINTS = "e";

    /**
     * Otherwise a link has no address to look for its neighbours from before the kernel has searched for a duplicate of it, which takes
     * seconds, and what is sent meanwhile is answered as unreachable.
     */
    public static final List<String> USED_AT_ONCE = List.of("sysctl", "-qw", "net.ipv6.conf.default.accept_dad=0");

    private static final AtomicInteger COUNT = new AtomicInteger();

    private final String id = Long.toString(ProcessHandle.current().pid(), 36) + "-" + COUNT.incrementAndGet();
    private final Map<String, Agent> agents = new HashMap<>();
    private final List<String> undo = new ArrayList<>();

    /** Why tests on it are left out, and how to have them run. */
    public static final String NEEDS = "network namespaces and nftables need root: run tools/setup, then sudo ./gradlew :proxy-companion:test";

    public static boolean isPossible() {
        try {
            return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Testbed() {
        for (String machine : List.of(NODE, CLIENTS, ENDPOINTS)) {
            ip("netns add " + name(machine));
            run(inside(machine, USED_AT_ONCE));
            ip("-n " + name(machine) + " link set lo up");
        }
        side(CLIENTS, "100.64.1", "fd64:1:");
        side(ENDPOINTS, "100.64.2", "fd64:2:");
        ip("-n " + name(NODE) + " route add default via 100.64.1.2");
        ip("-n " + name(NODE) + " route add default via fd64:1::2");
        run(inside(NODE, List.of("sysctl", "-qw", "net.ipv4.ip_forward=1", "net.ipv6.conf.all.forwarding=1")));
        for (String machine : List.of(NODE, CLIENTS, ENDPOINTS)) {
            agents.put(machine, new Agent(inside(machine, List.of("python3", agent().toString()))));
        }
    }

    private void side(String machine, String net, String net6) {
        String device = "v" + machine;
        ip("-n " + name(NODE) + " link add " + device + " type veth peer name eth0 netns " + name(machine));
        ip("-n " + name(NODE) + " addr add " + net + ".1/24 dev " + device);
        ip("-n " + name(NODE) + " addr add " + net6 + ":1/64 dev " + device + " nodad");
        ip("-n " + name(NODE) + " link set " + device + " up");
        ip("-n " + name(machine) + " addr add " + net + ".2/24 dev eth0");
        ip("-n " + name(machine) + " addr add " + net6 + ":2/64 dev eth0 nodad");
        ip("-n " + name(machine) + " link set eth0 up");
        ip("-n " + name(machine) + " route add default via " + net + ".1");
        ip("-n " + name(machine) + " route add default via " + net6 + ":1");
    }

    private static Path agent() {
        try {
            return Path.of(Testbed.class.getResource("/packets/agent.py").toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The name of its namespace. */
    public String name(String machine) {
        return "cairn-" + machine + "-" + id;
    }

    /** A command that runs on a machine. */
    public List<String> inside(String machine, List<String> command) {
        List<String> words = new ArrayList<>(List.of("ip", "netns", "exec", name(machine)));
        words.addAll(command);
        return words;
    }

    private static void ip(String arguments) {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments.split(" ", -1)));
        run(command);
    }

    /** Runs a command that must succeed; what it prints. */
    public static String run(List<String> command) {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(String.join(" ", command) + ": " + text);
            }
            return text;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Gives the node an address of its own. */
    public void nodeAddress(String address) {
        ip("-n " + name(NODE) + " addr add " + whole(address) + " dev vc" + atOnce(address));
        undo.add("-n " + name(NODE) + " addr del " + whole(address) + " dev vc");
    }

    /** Gives clients or endpoints an address, and the node a way to it. */
    public void address(String machine, String address) {
        String via = (address.contains(":") ? "fd64:" + (machine.equals(CLIENTS) ? 1 : 2) + "::2" : "100.64." + (machine.equals(CLIENTS) ? 1 : 2) + ".2");
        ip("-n " + name(machine) + " addr add " + whole(address) + " dev lo" + atOnce(address));
        ip("-n " + name(NODE) + " route add " + whole(address) + " via " + via);
        undo.add("-n " + name(NODE) + " route del " + whole(address));
        undo.add("-n " + name(machine) + " addr del " + whole(address) + " dev lo");
    }

    /** Otherwise an IPv6 address cannot be used before the kernel has got round to looking for a duplicate, which it does even for lo. */
    private static String atOnce(String address) {
        return address.contains(":") ? " nodad" : "";
    }

    private static String whole(String address) {
        return address + (address.contains(":") ? "/128" : "/32");
    }

    /** Lets an endpoint answer on a port. */
    public void listen(String address, int port, String protocol) {
        String answer = agents.get(ENDPOINTS).ask("listen " + address + " " + port + " " + protocol);
        if (!answer.equals("ok") && !answer.contains("in use")) {
            throw new IllegalStateException(answer);
        }
    }

    /** What becomes of some connections: {@code drop}, {@code reject}, {@code reset} or {@code dnat} with who answered and whom it saw. */
    public String connect(String machine, String from, String to, int port, String protocol, int count, double seconds) {
        return agents.get(machine).ask(String.join(" ", "connect", from, to, Integer.toString(port), protocol, Integer.toString(count), Double.toString(seconds)));
    }

    /** Asks a machine's agent for something else that it can do. */
    public String ask(String machine, String command) {
        return agents.get(machine).ask(command);
    }

    /**
     * Lets the node reach a port of 127.0.0.1 on the machine that all this is on, under the same number.
     *
     * @param through a directory for a socket
     */
    public void reachOutside(int port, Path through) {
        String socket = through.resolve("relay-" + id).toString();
        Agent outside = new Agent(List.of("python3", agent().toString()));
        agents.put("outside", outside);
        for (String answer : List.of(outside.ask("relay " + socket + " " + port), ask(NODE, "relay " + port + " " + socket))) {
            if (!answer.equals("ok")) {
                throw new IllegalStateException(answer);
            }
        }
    }

    /** Takes back the addresses. */
    public void clear() {
        undo.reversed().forEach(Testbed::ip);
        undo.clear();
    }

    @Override
    public void close() {
        agents.values().forEach(Agent::close);
        for (String machine : List.of(NODE, CLIENTS, ENDPOINTS)) {
            ip("netns del " + name(machine));
        }
    }

    /** A process on a machine that listens and connects. */
    private static final class Agent {
        private final Process process;
        private final BufferedReader out;
        private final Writer in;

        Agent(List<String> command) {
            try {
                process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            out = process.inputReader(StandardCharsets.UTF_8);
            in = process.outputWriter(StandardCharsets.UTF_8);
        }

        String ask(String line) {
            try {
                in.write(line + "\n");
                in.flush();
                return String.valueOf(out.readLine());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        void close() {
            process.destroy();
            try {
                if (!process.waitFor(1, TimeUnit.MINUTES)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
