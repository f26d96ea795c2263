package dev.cairn.bench.load;

import dev.cairn.bench.server.Packets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

/**
 * Asks for one name after another at a steady rate, whatever comes back: unlike dnsperf, which has been seen to stand still when very many
 * answers are missing. One thread does all of it.
 */
public final class SteadyLoad {
    /** Each has an ID for every query, so that none is used twice. */
    private static final int SOCKETS = 8;

    private static final int IDS = 1 << 16;

    /** The last queries may still get their answers for so long. */
    private static final long LAST_NANOS = TimeUnit.SECONDS.toNanos(8);

    private static final long PAUSE_NANOS = 200_000;

    private final List<DatagramChannel> sockets = new ArrayList<>();
    private final long[] sentNanos = new long[SOCKETS * IDS];
    private final ByteBuffer reply = ByteBuffer.allocate(4096);
    private final List<Double> errorSeconds = new ArrayList<>();
    private int asked;
    private int succeeded;

    /**
     * What came of it.
     *
     * @param errorSeconds how long answers with an error took, sorted
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Result(int asked, int succeeded, double[] errorSeconds) {
        public int failed() {
            return errorSeconds.length;
        }

        public int unanswered() {
            return asked - succeeded - failed();
        }

        /** The seconds that so many of a hundred errors do not exceed; 0 without errors. */
        public double errorSeconds(int percent) {
            return errorSeconds.length == 0 ? 0 : errorSeconds[Math.min(errorSeconds.length - 1, errorSeconds.length * percent / 100)];
        }
    }

    private SteadyLoad() {}

    /** Starts to ask a port of the loopback; at most 524,288 times in all. */
    public static CompletableFuture<Result> start(int port, int rate, int seconds, IntFunction<String> names) {
        if (rate * seconds > SOCKETS * IDS) {
            throw new IllegalArgumentException("more queries than there are IDs: " + rate * seconds);
        }
        CompletableFuture<Result> result = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("steady-load").start(() -> {
            try {
                result.complete(new SteadyLoad().run(port, rate, seconds, names));
            } catch (IOException | RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    private Result run(int port, int rate, int seconds, IntFunction<String> names) throws IOException {
        try {
            for (int i = 0; i < SOCKETS; i++) {
                sockets.add(DatagramChannel.open().connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
                sockets.getLast().configureBlocking(false);
            }
            long start = System.nanoTime();
            int all = rate * seconds;
            long end = start + TimeUnit.SECONDS.toNanos(seconds) + LAST_NANOS;
            while (asked < all || (succeeded + errorSeconds.size() < all && System.nanoTime() - end < 0)) {
                long due = Math.min(all, (System.nanoTime() - start) * rate / TimeUnit.SECONDS.toNanos(1));
                while (asked < due) {
                    ask(names.apply(asked));
                }
                receive();
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        } finally {
            sockets.forEach(SteadyLoad::close);
        }
        double[] sorted = errorSeconds.stream().mapToDouble(d -> d).toArray();
        Arrays.sort(sorted);
        return new Result(asked, succeeded, sorted);
    }

    private void ask(String name) throws IOException {
        int id = asked / SOCKETS;
        byte[] query = Packets.query(id, name, 1);
        sentNanos[asked] = System.nanoTime();
        try {
            sockets.get(asked % SOCKETS).write(ByteBuffer.wrap(query)); // what the kernel has no room for is lost, as in a network
        } catch (PortUnreachableException e) {
            throw new IOException("nobody listens any more", e);
        }
        asked++;
    }

    private void receive() throws IOException {
        for (int i = 0; i < SOCKETS; i++) {
            while (sockets.get(i).read(reply.clear()) > 0) {
                int query = (reply.getShort(0) & 0xffff) * SOCKETS + i;
                if (sentNanos[query] == 0) {
                    continue; // a second answer
                }
                if ((reply.get(3) & 15) == 0) {
                    succeeded++;
                } else {
                    errorSeconds.add((System.nanoTime() - sentNanos[query]) / 1e9);
                }
                sentNanos[query] = 0;
            }
        }
    }

    private static void close(DatagramChannel socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
