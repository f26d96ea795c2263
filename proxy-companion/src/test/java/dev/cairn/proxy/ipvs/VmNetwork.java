package dev.cairn.proxy.ipvs;

import dev.cairn.proxy.packets.Testbed;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.PortUnreachableException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The node is the virtual machine itself; clients are in a namespace on one side of it, endpoints in one on the other. */
final class VmNetwork {
    static final String NODE = "node";
    static final String CLIENTS = "clients";
    static final String ENDPOINTS = "endpoints";
    static final int PATIENCE = 20_000;
    /** After this time without an answer a packet counts as dropped. */
    private static final int SILENCE = 1500;

    private VmNetwork() {}

    static void build(List<String> nodeAddresses, List<String> clients, List<String> endpoints) {
        run("netns add " + CLIENTS + "\nnetns add " + ENDPOINTS + "\n", "ip", "-batch", "-");
        run("", "ln", "-s", "/proc/1/ns/net", "/run/netns/" + NODE);
        for (String machine : List.of(CLIENTS, ENDPOINTS, NODE)) {
            List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", machine));
            command.addAll(Testbed.USED_AT_ONCE);
            run("", command.toArray(String[]::new));
        }
        List<String> node = new ArrayList<>();
        side(node, CLIENTS, "100.64.1", "fd64:1:", clients);
        side(node, ENDPOINTS, "100.64.2", "fd64:2:", endpoints);
        nodeAddresses.forEach(address -> node.add("addr add " + whole(address) + " dev v-clients" + (address.contains(":") ? " nodad" : "")));
        run(String.join("\n", node) + "\n", "ip", "-batch", "-");
        inside(CLIENTS, "100.64.1", "fd64:1:", clients);
        inside(ENDPOINTS, "100.64.2", "fd64:2:", endpoints);
        try {
            Files.writeString(Path.of("/proc/sys/net/ipv6/conf/all/forwarding"), "1");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void side(List<String> node, String machine, String net, String net6, List<String> addresses) {
        String device = "v-" + machine;
        node.add("link add " + device + " type veth peer name eth0 netns " + machine);
        node.add("addr add " + net + ".1/24 dev " + device);
        node.add("addr add " + net6 + ":1/64 dev " + device + " nodad");
        node.add("link set " + device + " up");
        addresses.forEach(address -> node.add("route add " + whole(address) + " via " + (address.contains(":") ? net6 + ":2" : net + ".2")));
    }

    private static void inside(String machine, String net, String net6, List<String> addresses) {
        List<String> commands = new ArrayList<>(List.of("link set lo up", "addr add " + net + ".2/24 dev eth0",
                "addr add " + net6 + ":2/64 dev eth0 nodad", "link set eth0 up", "route add default via " + net + ".1", "route add default via " + net6 + ":1"));
        addresses.forEach(address -> commands.add("addr add " + whole(address) + " dev lo" + (address.contains(":") ? " nodad" : "")));
        run(String.join("\n", commands) + "\n", "ip", "-n", machine, "-batch", "-");
    }

    private static String whole(String address) {
        return address + (address.contains(":") ? "/128" : "/32");
    }

    static void run(String input, String... command) {
        said(input, command);
    }

    /** What a command prints. */
    static String output(String... command) {
        return said("", command);
    }

    private static String said(String input, String... command) {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().close();
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

    /** Lets an endpoint answer: each client with the endpoint and the client's address, and TCP then with what it says. */
    static void listen(String address, int port) {
        String me = (address.contains(":") ? "[" + address + "]" : address) + ":" + port;
        ServerSocket server = Namespace.in(ENDPOINTS, () -> new ServerSocket(port, 128, InetAddress.getByName(address)));
        Thread.ofPlatform().daemon().start(() -> {
            while (true) {
                try {
                    Socket client = server.accept();
                    Thread.ofVirtual().start(() -> serve(client, me));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        });
        DatagramSocket udp = Namespace.in(ENDPOINTS, () -> new DatagramSocket(port, InetAddress.getByName(address)));
        Thread.ofPlatform().daemon().start(() -> {
            while (true) {
                try {
                    DatagramPacket packet = new DatagramPacket(new byte[100], 100);
                    udp.receive(packet);
                    byte[] answer = (me + "=" + text(packet.getAddress())).getBytes(StandardCharsets.UTF_8);
                    udp.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        });
    }

    private static void serve(Socket client, String me) {
        try (client) {
            client.getOutputStream().write((me + "=" + text(client.getInetAddress()) + "\n").getBytes(StandardCharsets.UTF_8));
            client.getInputStream().transferTo(client.getOutputStream());
        } catch (IOException _) {
            // The client went away.
        }
    }

    private static String text(InetAddress address) {
        return dev.cairn.facts.Address.of(address.getAddress()).toString();
    }

    /** An open connection. */
    record Connection(Socket socket, BufferedReader in, String greeting) implements AutoCloseable {
        String echo(String line) throws IOException {
            socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            return in.readLine();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    static Connection open(String machine, String from, String to, int port, int millis) throws IOException {
        Socket socket = Namespace.in(machine, () -> {
            Socket made = new Socket();
            made.bind(from.isEmpty() ? null : new InetSocketAddress(from, 0));
            try {
                made.connect(new InetSocketAddress(to, port), millis);
            } catch (IOException e) {
                made.close();
                throw e;
            }
            return made;
        });
        socket.setSoTimeout(PATIENCE);
        BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        return new Connection(socket, in, in.readLine());
    }

    /** Who answers a TCP client, and whom it sees: {@code ENDPOINT=CLIENT}; {@code reject} or {@code drop} if nobody does. */
    static String tcp(String machine, String from, String to, int port) {
        return tcp(machine, from, to, port, PATIENCE);
    }

    /** The same for what is expected to be dropped. */
    static String silent(String machine, String from, String to, int port) {
        return tcp(machine, from, to, port, SILENCE);
    }

    private static String tcp(String machine, String from, String to, int port, int millis) {
        try (Connection connection = open(machine, from, to, port, millis)) {
            return connection.greeting();
        } catch (Exception e) {
            return verdict(e);
        }
    }

    static String udp(String machine, String from, String to, int port) {
        return udp(machine, from, 0, to, port);
    }

    /** The same from a port, so that it is one flow. */
    static String udp(String machine, String from, int fromPort, String to, int port) {
        try (DatagramSocket socket = Namespace.in(machine, () -> new DatagramSocket(new InetSocketAddress(from, fromPort)))) {
            socket.setSoTimeout(PATIENCE);
            socket.connect(new InetSocketAddress(to, port));
            socket.send(new DatagramPacket(new byte[] {1}, 1));
            DatagramPacket answer = new DatagramPacket(new byte[100], 100);
            socket.receive(answer);
            return new String(answer.getData(), 0, answer.getLength(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return verdict(e);
        }
    }

    private static String verdict(Throwable e) {
        return switch (e) {
            case SocketTimeoutException _ -> "drop";
            case ConnectException _, PortUnreachableException _, NoRouteToHostException _ -> "reject";
            default -> e.getCause() == null ? e.toString() : verdict(e.getCause());
        };
    }
}
