package dev.cairn.http;

import dev.cairn.log.Log;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Shares one listener per address. The newest lease for an address and path answers; when it is closed, the one before answers again; the
 * socket closes with the last lease. This is how a reload keeps its health and metrics ports open: it opens the new leases before it closes
 * the old ones.
 *
 * <p>Safe for use by any thread.
 */
public final class HttpEndpoints implements AutoCloseable {
    private static final Log LOG = Log.server();

    /** How long requests being answered may still take when their listener is closed. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    /** How often to look whether a port has become free. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    // Guards what can change, and is held while sockets open and close: a port must not be asked for again while it is half closed.
    private final Object lock = new Object();
    private final Map<InetSocketAddress, HttpListener> listeners = new HashMap<>();
    private final boolean patient;
    private final HttpThread thread;
    private boolean closed;

    public HttpEndpoints() {
        this(false);
    }

    /** @param patient whether to wait for an address that another program has, since it is about to leave it to this one */
    public HttpEndpoints(boolean patient) {
        this(patient, HttpThread.OF_PROCESS);
    }

    HttpEndpoints(boolean patient, HttpThread thread) {
        this.patient = patient;
        this.thread = thread;
    }

    /** The right to answer at one address and path, until closed. Closing twice does nothing. */
    public interface Lease extends AutoCloseable {
        /** The address asked for, with the port that the kernel chose if that was 0. */
        InetSocketAddress address();

        @Override
        void close();
    }

    /**
     * Starts to answer at a path. Port 0 always makes a new listener; to add a path to it, pass the address of its lease.
     *
     * @param path matched exactly, whatever the query string
     * @throws IOException if the address cannot be listened on; the message says which one and what can be done
     */
    public Lease open(InetSocketAddress address, String path, HttpResponder responder) throws IOException {
        return open(address, path, responder, false);
    }

    /**
     * As {@link #open}, for a responder that may take longer than some milliseconds, or wait for others: it is asked by a thread of its own, one
     * request at a time, and holds up only those who ask it.
     */
    public Lease openSlow(InetSocketAddress address, String path, HttpResponder responder) throws IOException {
        return open(address, path, responder, true);
    }

    private Lease open(InetSocketAddress address, String path, HttpResponder responder, boolean slow) throws IOException {
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("a path starts with a slash: " + path);
        }
        if (address.isUnresolved()) {
            throw new UnknownHostException("address " + address.getHostString() + ":" + address.getPort()
                + " does not resolve: write an IP address of this machine");
        }
        synchronized (lock) {
            if (closed) {
                throw new IllegalStateException("the HTTP endpoints are closed");
            }
            HttpListener listener = listeners.get(key(address));
            if (listener != null) {
                return new Held(listener, path, responder, slow);
            }
            try {
                HttpListener fresh = HttpListener.bind(address, thread);
                Lease lease = new Held(fresh, path, responder, slow);
                fresh.start();
                listeners.put(key(fresh.address()), fresh);
                return lease;
            } catch (IOException e) {
                if (!patient || !isInUse(e)) {
                    throw explained(e, address);
                }
                LOG.info("port " + address.getPort() + " for " + path + " is in use; it is taken over when it gets free");
                HttpListener late = HttpListener.unbound(address, thread);
                listeners.put(key(address), late);
                Thread.ofPlatform().daemon().name("cairn-http-wait").start(() -> bindWhenFree(late));
                return new Held(late, path, responder, slow);
            }
        }
    }

    private void bindWhenFree(HttpListener late) {
        boolean waiting = true;
        while (waiting) {
            LockSupport.parkNanos(PAUSE_NANOS);
            synchronized (lock) {
                waiting = listeners.containsValue(late) && !bindLate(late);
            }
        }
    }

    private static boolean bindLate(HttpListener late) {
        try {
            late.bindLate();
        } catch (IOException e) {
            if (isInUse(e)) {
                return false;
            }
            LOG.error(explained(e, late.address()).getMessage() + "; giving up");
        }
        return true;
    }

    private static boolean isInUse(IOException e) {
        return String.valueOf(e.getMessage()).contains("in use");
    }

    private static IOException explained(IOException e, InetSocketAddress address) {
        String text = HttpListener.text(address);
        String reason = String.valueOf(e.getMessage());
        BindException explained = new BindException(isInUse(e)
                ? "address " + text + " is in use: stop the program that listens there (ss -ltnp names it) or choose another port"
                : "cannot listen on address " + text + ": " + reason + wayOut(reason, address));
        explained.initCause(e);
        return explained;
    }

    private static String wayOut(String reason, InetSocketAddress address) {
        if (reason.contains("ermission") && address.getPort() < 1024) {
            return "; a port below 1024 needs the capability NET_BIND_SERVICE";
        }
        return reason.contains("assign") ? "; the address must be one of this machine's (ip address lists them)" : "";
    }

    /** The addresses at which a path is answered now, with the ports the kernel chose. */
    public List<InetSocketAddress> addressesOf(String path) {
        List<InetSocketAddress> addresses = new ArrayList<>();
        synchronized (lock) {
            for (HttpListener listener : listeners.values()) {
                if (listener.answers(path)) {
                    addresses.add(listener.address());
                }
            }
        }
        return addresses;
    }

    /** Closes all listeners, whatever leases are open. Requests being answered get a second to end. */
    @Override
    public void close() {
        synchronized (lock) {
            closed = true;
            HttpListener.stop(listeners.values(), GRACE);
            listeners.clear();
        }
    }

    /** The JDK listens on both families for either wildcard, so both wildcards are one listener. */
    private static InetSocketAddress key(InetSocketAddress address) {
        InetAddress ip = address.getAddress();
        return ip.isAnyLocalAddress() ? new InetSocketAddress(address.getPort()) : new InetSocketAddress(ip, address.getPort());
    }

    private final class Held implements Lease {
        private final HttpListener listener;
        private final HttpListener.Route route;

        Held(HttpListener listener, String path, HttpResponder responder, boolean slow) {
            this.listener = listener;
            route = slow ? listener.addSlow(path, responder) : listener.add(path, responder);
        }

        @Override
        public InetSocketAddress address() {
            return listener.address();
        }

        @Override
        public void close() {
            synchronized (lock) {
                listener.remove(route);
                // A second close must not stop the listener that has the address by now.
                if (listener.isUnused() && listeners.remove(key(listener.address()), listener)) {
                    HttpListener.stop(List.of(listener), GRACE);
                }
            }
        }
    }
}
