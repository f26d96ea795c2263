package dev.cairn.bench;

import dev.cairn.e2e.KubeApi;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Measures how long it takes from the event of a changed slice to a changed answer, by asking without a pause. */
final class Changes {
    private final KubeApi api;
    private final Relay relay;
    private final int port;
    private final List<Long> nanos = new ArrayList<>();

    Changes(KubeApi api, Relay relay, int port) {
        this.api = api;
        this.relay = relay;
        this.port = port;
    }

    /** Changes one endpoint of a headless service and waits for the answer. */
    void change(int service, int number) throws IOException {
        byte[] address = {10, (byte) 250, (byte) (number >> 8), (byte) number};
        String text = "10.250." + (number >> 8) + "." + (number & 255);
        List<Map<String, Object>> endpoints = new ArrayList<>();
        for (int i = 0; i < BigCluster.ENDPOINTS; i++) {
            endpoints.add(Map.of("addresses", List.of(i == 0 ? text : BigCluster.endpoint(service, i)), "hostname", "pod-" + i,
                    "conditions", Map.of("ready", true)));
        }
        relay.reset();
        Thread writer = Thread.ofVirtual().start(() -> {
            try {
                api.merge(BigCluster.slicePath(service), Map.of("endpoints", endpoints));
            } catch (IOException e) {
                System.err.println(e);
            }
        });
        long answered = awaitAnswer(service, address);
        if (relay.firstSent() == 0) {
            throw new IOException("the answer changed without an event");
        }
        nanos.add(answered - relay.firstSent());
        try {
            writer.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private long awaitAnswer(int service, byte[] address) throws IOException {
        byte[] query = Packets.query(7, BigCluster.name(service), 1);
        byte[] buffer = new byte[1232];
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.setSoTimeout(1000);
            socket.connect(InetAddress.getLoopbackAddress(), port);
            DatagramPacket reply = new DatagramPacket(buffer, buffer.length);
            while (System.nanoTime() < until) {
                socket.send(new DatagramPacket(query, query.length));
                reply.setLength(buffer.length);
                socket.receive(reply);
                long now = System.nanoTime();
                if (contains(buffer, reply.getLength(), address)) {
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
    void warmedUp() {
        nanos.clear();
    }

    /** A percentile in milliseconds. */
    double millis(int percent) {
        List<Long> sorted = nanos.stream().sorted().toList();
        return sorted.get(Math.min(sorted.size() - 1, sorted.size() * percent / 100)) / 1e6;
    }
}
