package dev.cairn.plugin.health;

import dev.cairn.corefile.GoDuration;
import dev.cairn.log.Log;
import dev.cairn.metrics.Counter;
import dev.cairn.metrics.Histogram;
import dev.cairn.metrics.HistogramUnit;
import dev.cairn.metrics.MetricRegistry;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Asks the process's own endpoint once a second: how long that takes tells whether the process keeps up. Runs on a thread of its own, since a request that gets
 * no answer would hold up whatever shares its thread. It speaks HTTP by itself, and keeps its connection: clients of the JDK look through all
 * jars when they are made, and have threads of their own.
 */
final class HealthProbe {
    private static final Log LOG = Log.plugin("health");
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    private static final Duration SLOW = Duration.ofSeconds(1);
    private static final double[] BUCKETS = {0.00025, 0.0025, 0.025, 0.25, 2.5};
    private static final int LONGEST_HEAD = 4096;
    private static final String LENGTH = "\r\nContent-Length: ";

    private final InetSocketAddress address;
    private final String url;
    private final byte[] request;
    private final Histogram durations;
    private final Counter failures;
    private final Thread thread;
    /** The connection of the last request, if it can have another one; only the thread that asks uses it. */
    private @Nullable Socket kept;
    private volatile boolean stopped;

    HealthProbe(InetSocketAddress address, String path, MetricRegistry metrics) {
        // The wildcard can be asked at any address; the loopback's is always there.
        InetAddress to = address.getAddress().isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : address.getAddress();
        String host = (to instanceof Inet6Address ? "[" + to.getHostAddress() + "]" : to.getHostAddress()) + ":" + address.getPort();
        this.address = new InetSocketAddress(to, address.getPort());
        url = "http://" + host + path;
        request = ("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1);
        durations = metrics.histogram("coredns_health_request_duration_seconds", "Histogram of the time (in seconds) each request took.",
                BUCKETS, HistogramUnit.NANOS).with();
        failures = metrics.counter("coredns_health_request_failures_total", "The number of times the health check failed.").with();
        thread = Thread.ofPlatform().daemon().name("cairn-health").unstarted(this::run);
    }

    static HealthProbe start(InetSocketAddress address, String path, MetricRegistry metrics) {
        HealthProbe probe = new HealthProbe(address, path, metrics);
        probe.thread.start();
        return probe;
    }

    void stop() {
        stopped = true;
        thread.interrupt();
    }

    private void run() {
        try {
            while (!stopped) {
                Thread.sleep(EVERY);
                ask();
            }
        } catch (InterruptedException e) {
            // stopped, the one reason to interrupt this thread
        } finally {
            drop();
        }
    }

    void ask() {
        long start = System.nanoTime();
        try {
            request();
        } catch (IOException e) {
            if (!stopped) {
                durations.record(System.nanoTime() - start);
                failures.increment();
                LOG.warning("Local health request to \"" + url + "\" failed: " + e.getMessage());
            }
            return;
        }
        Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
        durations.record(elapsed.toNanos());
        if (elapsed.compareTo(SLOW) > 0) {
            LOG.warning("Local health request to \"" + url + "\" took more than 1s: " + GoDuration.format(elapsed));
        }
    }

    private void request() throws IOException {
        boolean again = kept != null;
        try {
            exchange(connection());
        } catch (IOException e) {
            drop();
            if (!again || !(e instanceof EOFException || e instanceof SocketException)) {
                throw e;
            }
            request(); // the other end has closed the connection, as it may, before it saw the request
        }
    }

    private Socket connection() throws IOException {
        Socket socket = kept;
        if (socket == null) {
            socket = new Socket();
            kept = socket;
            socket.connect(address, (int) TIMEOUT.toMillis());
            socket.setSoTimeout((int) TIMEOUT.toMillis());
        }
        return socket;
    }

    private void drop() {
        try {
            if (kept != null) {
                kept.close();
            }
        } catch (IOException e) {
            // There is no more to be done about it.
        }
        kept = null;
    }

    /** Sends the request and reads the reply to its end, so that the next request finds the connection as this one did. */
    private void exchange(Socket socket) throws IOException {
        socket.getOutputStream().write(request);
        InputStream in = socket.getInputStream();
        byte[] reply = new byte[LONGEST_HEAD];
        int filled = 0;
        String text = "";
        int end = -1;
        while (end < 0) {
            int read = in.read(reply, filled, reply.length - filled);
            if (read <= 0) {
                throw new EOFException(read < 0 ? "the connection was closed" : "the reply is too long");
            }
            filled += read;
            text = new String(reply, 0, filled, StandardCharsets.ISO_8859_1);
            end = text.indexOf("\r\n\r\n");
        }
        if (!text.startsWith("HTTP/1.1 200 ")) {
            throw new IOException("status " + text.substring(text.indexOf(' ') + 1, text.indexOf('\r')));
        }
        int length = text.indexOf(LENGTH);
        if (length < 0 || length > end) {
            drop(); // another program, which ends its replies in other ways
            return;
        }
        int start = length + LENGTH.length();
        try {
            in.skipNBytes(Long.parseLong(text, start, text.indexOf('\r', start), 10) - (filled - end - 4));
        } catch (NumberFormatException e) {
            throw new IOException("the reply has no proper length", e);
        }
    }
}
