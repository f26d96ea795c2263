package dev.cairn.bench.load;

import dev.cairn.kernel.Promptness;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.locks.LockSupport;

/**
 * What the machine itself takes from an event to a changed answer: one thread reads a byte from a connection, another answers datagrams with the last byte
 * that came, and who asks does so without a pause, as in {@link Changes}. No server that gets events over TCP and is asked over UDP can be faster.
 */
public final class NoServer implements AutoCloseable {
    /** About as often as an API server takes a change. */
    private static final long PAUSE_NANOS = 8_000_000;

    private static final int TIMEOUT_MILLIS = 1000;
    private static final int DATAGRAM = 64;
    private static final int NUMBERS = 100;

    private final Socket sender;
    private final Socket receiver;
    private final DatagramSocket answering;
    private final DatagramSocket asking;
    private final Delays delays = new Delays();
    private volatile int last;
    private volatile long sentAt;

    public NoServer() throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocket listener = new ServerSocket(0, 1, loopback)) {
            sender = new Socket(loopback, listener.getLocalPort());
            receiver = listener.accept();
        }
        sender.setTcpNoDelay(true);
        answering = new DatagramSocket(0, loopback);
        asking = new DatagramSocket(0, loopback);
        asking.setSoTimeout(TIMEOUT_MILLIS);
        asking.connect(loopback, answering.getLocalPort());
        Thread.ofPlatform().daemon().name("no-server-events").start(Promptness.prompt(this::receive));
        Thread.ofPlatform().daemon().name("no-server-answers").start(Promptness.prompt(this::answer));
    }

    private void receive() {
        try (InputStream in = receiver.getInputStream()) {
            for (int number = in.read(); number >= 0; number = in.read()) {
                last = number;
            }
        } catch (IOException _) {
            // It is closed.
        }
    }

    private void answer() {
        byte[] buffer = new byte[DATAGRAM];
        DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
        try {
            while (!answering.isClosed()) {
                packet.setLength(buffer.length);
                answering.receive(packet);
                buffer[0] = (byte) last;
                answering.send(packet);
            }
        } catch (IOException _) {
            // It is closed.
        }
    }

    /** Sends events, each by a thread of its own, and asks until the answer has changed. */
    public void measure(int events) throws IOException {
        Promptness.ask();
        for (int i = 0; i < events; i++) {
            int number = 1 + (last + 1) % NUMBERS;
            Thread event = Thread.ofPlatform().daemon().name("no-server-event").start(Promptness.prompt(() -> send(number)));
            delays.add(awaitAnswer(number) - sentAt);
            try {
                event.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }
    }

    private void send(int number) {
        LockSupport.parkNanos(PAUSE_NANOS);
        try {
            OutputStream out = sender.getOutputStream();
            sentAt = System.nanoTime();
            out.write(number);
        } catch (IOException e) {
            System.err.println("no server: " + e);
        }
    }

    private long awaitAnswer(int number) throws IOException {
        byte[] buffer = new byte[DATAGRAM];
        DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
        while (true) {
            packet.setLength(buffer.length);
            asking.send(packet);
            asking.receive(packet);
            long now = System.nanoTime();
            if (buffer[0] == number) {
                return now;
            }
        }
    }

    /** Forgets what was measured until now. */
    public void warmedUp() {
        delays.clear();
    }

    /** A percentile in milliseconds. */
    public double millis(int percent) {
        return delays.millis(percent);
    }

    @Override
    public void close() throws IOException {
        sender.close();
        receiver.close();
        answering.close();
        asking.close();
    }
}
