package dev.cairn.http;

import dev.cairn.log.Log;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
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

    /** How often to look whether a port has become free. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    // Guards what can change, and is held while sockets open and close: a port must not be asked for again while it is half closed.
    private final Object lock = new Object();
    private final Map<InetSocketAddress, HttpListener> listeners = new HashMap<>();
    private final boolean patient;
    private boolean closed;

    public HttpEndpoints() {
        this(false);
    }

    /** @param patient whether to wait for an address that another program has, since it is about to leave it to this one */
    public HttpEndpoints(boolean patient) {
        this.patient = patient;
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
                return new Held(listener, listener.add(path, responder));
            }
            try {
                HttpListener fresh = HttpListener.bind(address);
                Lease lease = keep(fresh, path, responder);
                fresh.start();
                return lease;
            } catch (HttpListener.AddressInUse e) {
                if (!patient) {
                    throw e;
                }
                LOG.info("port " + address.getPort() + " for " + path + " is in use; it is taken over when it gets free");
                HttpListener late = HttpListener.unbound(address);
                Lease lease = keep(late, path, responder);
                Thread.ofPlatform().daemon().name("cairn-http-wait").start(() -> bindWhenFree(late));
                return lease;
            }
        }
    }

    private Lease keep(HttpListener listener, String path, HttpResponder responder) {
        listeners.put(key(listener.address()), listener);
        return new Held(listener, listener.add(path, responder));
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
            return late.bindLate();
        } catch (IOException e) {
            LOG.error(e.getMessage() + "; giving up");
            return true;
        }
    }

    /** The addresses at which a path is answered now, with the ports the kernel chose. */
    public List<InetSocketAddress> addressesOf(String path) {
        synchronized (lock) {
            return listeners.values().stream().filter(listener -> listener.answers(path)).map(HttpListener::address).toList();
        }
    }

    /** Closes all listeners, whatever leases are open. Requests being answered get a second to end. */
    @Override
    public void close() {
        synchronized (lock) {
            closed = true;
            listeners.values().forEach(HttpListener::stop);
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

        Held(HttpListener listener, HttpListener.Route route) {
            this.listener = listener;
            this.route = route;
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
                    listener.stop();
                }
            }
        }
    }
}
