package dev.cairn.bench.load;

import dev.cairn.bench.server.Halt;
import dev.cairn.e2e.KubeApi;
import dev.cairn.kernel.Promptness;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Hands bytes on between a client that speaks plain HTTP and an API server that speaks TLS, and knows when it last began to send something to
 * the client: that is when a watch's event was sent. It can hold one event for a moment, so that the API server and etcd, which are on the same few processors
 * here and are busy with the change that the event tells of, are done before the client gets it, and then have them stand still until the client has
 * been measured. A thread for each direction of a connection.
 */
public final class Relay implements AutoCloseable {
    private static final int NONE = 0;
    private static final long HOLD_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final ServerSocket listener;
    private final SocketFactory upstream;
    private final int upstreamPort;
    private final byte[] authorization;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicLong firstSent = new AtomicLong();
    private volatile @Nullable Held held;

    /** An event that is to be held: by a text that it has in it, and what is to stand still from the moment on in which it is sent. */
    private record Held(String text, Halt halt) {}

    /** The token is what requests are authorized with: clients do not send theirs without TLS. */
    public Relay(int upstreamPort, Path authority, String token) throws IOException {
        this.upstreamPort = upstreamPort;
        authorization = ("Authorization: Bearer " + token + "\r\n").getBytes(StandardCharsets.US_ASCII);
        upstream = KubeApi.trusting(authority).getSocketFactory();
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().name("relay").start(this::accept);
    }

    public String url() {
        return "http://127.0.0.1:" + listener.getLocalPort();
    }

    /** Waits for an event that has this text in it, as {@link #reset} does for any, and holds it for a moment; others come to stand still when it is sent. */
    public void hold(String text, Halt others) {
        held = new Held(text, others);
        reset();
    }

    /** Holds nothing any more. */
    public void holdNothing() {
        held = null;
    }

    /** Forgets what was sent until now. */
    public void reset() {
        firstSent.set(NONE);
    }

    /** When the first bytes since the reset were sent to the client ({@link System#nanoTime}); 0 if none were. */
    public long firstSent() {
        return firstSent.get();
    }

    private void accept() {
        try {
            while (!listener.isClosed()) {
                Socket client = listener.accept();
                Socket server = upstream.createSocket(InetAddress.getLoopbackAddress(), upstreamPort);
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                open.add(client);
                open.add(server);
                Thread.ofPlatform().daemon().name("relay-up").start(() -> pump(client, server, false));
                Thread.ofPlatform().daemon().name("relay-down").start(Promptness.prompt(() -> pump(server, client, true)));
            }
        } catch (IOException e) {
            if (!listener.isClosed()) {
                System.err.println("relay: " + e);
            }
        }
    }

    private void pump(Socket from, Socket to, boolean toClient) {
        byte[] buffer = new byte[1 << 16];
        try (from; to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                if (toClient) {
                    sending(buffer, count);
                    out.write(buffer, 0, count);
                } else {
                    request(buffer, count, out);
                }
            }
        } catch (IOException _) {
            // One side has closed, so the other is too.
        } finally {
            open.remove(from);
            open.remove(to);
        }
    }

    private void sending(byte[] buffer, int count) {
        if (firstSent.get() != NONE) {
            return;   // nobody would let go on what came to stand still now
        }
        Held waited = held;
        if (waited != null) {
            if (!new String(buffer, 0, count, StandardCharsets.ISO_8859_1).contains(waited.text)) {
                return;
            }
            LockSupport.parkNanos(HOLD_NANOS);
            waited.halt.begin();
        }
        firstSent.compareAndSet(NONE, System.nanoTime());
    }

    /** Requests are short and without a body, so each comes in one piece. */
    private void request(byte[] buffer, int count, OutputStream out) throws IOException {
        int line = 0;
        while (line < count && buffer[line] != '\n') {
            line++;
        }
        int head = Math.min(count, line + 1);
        byte[] whole = new byte[count + authorization.length];
        System.arraycopy(buffer, 0, whole, 0, head);
        System.arraycopy(authorization, 0, whole, head, authorization.length);
        System.arraycopy(buffer, head, whole, head + authorization.length, count - head);
        out.write(whole);
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
