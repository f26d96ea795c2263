package dev.cairn.bench.load;

import dev.cairn.bench.server.Halt;
import dev.cairn.bench.server.Packets;
import dev.cairn.bench.server.ServerProcess;
import dev.cairn.e2e.KubeApi;
import dev.cairn.e2e.RealCluster;
import dev.cairn.facts.Address;
import dev.cairn.kernel.Promptness;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Changes slices of a cluster: measures how long it takes from an event to a changed answer, by asking without a pause, and what an event costs when
 * nobody asks.
 */
public final class Changes {
    private final KubeApi api;
    private final Halt cluster;
    private final Relay relay;
    private final ServerProcess server;
    private final int services;
    /** Where the next address begins: no server must meet one that another has left there. */
    private int number;
    private final Delays delays = new Delays();

    /**
     * The number is that of the first address that changed endpoints get; {@link #next} tells where others may go on. The cluster stands still while an event
     * is under way, since it is elsewhere in service.
     */
    public Changes(RealCluster cluster, Relay relay, ServerProcess server, int services, int number) {
        this.api = cluster.admin();
        this.cluster = new Halt(cluster.pids());
        this.relay = relay;
        this.server = server;
        this.services = services;
        this.number = number;
    }

    public int next() {
        return number;
    }

    /** Changes one endpoint after another and waits for the answer each time. */
    public void measure(int changes) throws IOException {
        for (int i = 0; i < changes; i++) {
            change(headless());
        }
        relay.holdNothing();
    }

    /** The CPU time of the server for an event, in microseconds, when many come one after another and no one asks but for the last. */
    public double cpuMicros(int changes) throws IOException {
        long before = server.cpuNanos();
        for (int i = 0; i < changes; i++) {
            int service = headless();
            Address address = address();
            api.merge(BigCluster.slicePath(service), Map.of("endpoints", endpoints(service, address)));
            number++;
            if (i == changes - 1) {
                awaitAnswer(service, address);
            }
        }
        return (server.cpuNanos() - before) / 1e3 / changes;
    }

    /** Another headless service each time. */
    private int headless() {
        return 9 + 10 * (number * 7 % (services / 10));
    }

    /** One that no endpoint has had. */
    private Address address() {
        return Address.of(new byte[] {10, (byte) (250 + (number >> 16)), (byte) (number >> 8), (byte) number});
    }

    private static List<Map<String, Object>> endpoints(int service, Address first) {
        List<Map<String, Object>> endpoints = new ArrayList<>();
        for (int i = 0; i < BigCluster.ENDPOINTS; i++) {
            endpoints.add(Map.of("addresses", List.of(i == 0 ? first.toString() : BigCluster.endpoint(service, i)), "hostname", "pod-" + i,
                    "conditions", Map.of("ready", true)));
        }
        return endpoints;
    }

    private void change(int service) throws IOException {
        Address address = address();
        List<Map<String, Object>> endpoints = endpoints(service, address);
        relay.hold(address.toString(), cluster);
        number++;
        Promptness.ask();   // what it waits for a processor itself is nothing of the server
        Thread writer = Thread.ofVirtual().start(() -> {
            try {
                api.merge(BigCluster.slicePath(service), Map.of("endpoints", endpoints));
            } catch (IOException e) {
                System.err.println(e);
            }
        });
        long answered;
        try {
            answered = awaitAnswer(service, address);
        } finally {
            cluster.end();
        }
        if (relay.firstSent() == 0) {
            throw new IOException("the answer changed without an event");
        }
        delays.add(answered - relay.firstSent());
        try {
            writer.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private long awaitAnswer(int service, Address address) throws IOException {
        byte[] query = Packets.query(7, BigCluster.name(service), 1);
        byte[] buffer = new byte[1232];
        byte[] wanted = address.bytes();
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.setSoTimeout(1000);
            socket.connect(InetAddress.getLoopbackAddress(), server.port());
            DatagramPacket question = new DatagramPacket(query, query.length);
            DatagramPacket reply = new DatagramPacket(buffer, buffer.length);
            while (System.nanoTime() < until) {
                socket.send(question);
                reply.setLength(buffer.length);
                socket.receive(reply);
                long now = System.nanoTime();
                if (contains(buffer, reply.getLength(), wanted)) {
                    return now;
                }
            }
        }
        throw new IOException("the answer for " + BigCluster.name(service) + " did not change");
    }

    private static boolean contains(byte[] packet, int length, byte[] address) {
        for (int i = 12; i + 4 <= length; i++) {
            if (Arrays.equals(packet, i, i + 4, address, 0, 4)) {
                return true;
            }
        }
        return false;
    }

    /** Forgets what was measured until now. */
    public void warmedUp() {
        delays.clear();
    }

    /** A percentile in milliseconds. */
    public double millis(int percent) {
        return delays.millis(percent);
    }
}
