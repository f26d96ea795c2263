package dev.cairn.http;

import dev.cairn.http.RequestHead.Afterwards;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * One listening socket and its routes. It is bound, started and stopped by one thread at a time; routes may be changed at any time, and are
 * read by the HTTP thread without a lock.
 */
public final class HttpListener {
    /** What stands for all paths that no other route has. */
    public static final String ANY_PATH = "/*";

    /** Clients that the kernel holds until they are let in. */
    private static final int BACKLOG = 128;

    private static final String PROVIDER = "java.nio.channels.spi.SelectorProvider";
    private static final String EPOLL = "sun.nio.ch.EPollSelectorProvider";

    static {
        nameProvider();
    }

    private final InetSocketAddress address;
    private final HttpThread thread;
    private final List<Route> routes = new CopyOnWriteArrayList<>();
    private @Nullable ServerSocketChannel channel;
    private @Nullable Acceptor acceptor;

    /** A class, not a record: two leases with the same responder are two routes. */
    static final class Route {
        private final HttpListener listener;
        private final String path;
        private final HttpResponder responder;
        private final @Nullable SlowAnswers slowly;

        private Route(HttpListener listener, String path, HttpResponder responder, @Nullable SlowAnswers slowly) {
            this.listener = listener;
            this.path = path;
            this.responder = responder;
            this.slowly = slowly;
        }

        /** Who has to ask the responder, if it takes its time. */
        @Nullable SlowAnswers slowly() {
            return slowly;
        }

        ByteBuffer reply(HttpRequest request, Afterwards afterwards) {
            HttpReply reply;
            try {
                reply = responder.respond(request);
            } catch (RuntimeException | Error e) {
                // The outermost frame of this request: whatever went wrong in it, the next request gets its chance.
                Complaints.defect("answering " + request.path() + " at " + listener + " failed", e);
                reply = HttpReply.text(500, "500 internal server error\n");
            }
            return ReplyBytes.of(reply, request, afterwards);
        }
    }

    private HttpListener(InetSocketAddress address, HttpThread thread) {
        this.address = address;
        this.thread = thread;
    }

    /**
     * Takes the port. Clients wait until {@link #start}, so that none is told 404 before the first route is in.
     *
     * @throws java.net.SocketException as the kernel says it, if the address cannot be listened on
     */
    public static HttpListener bind(InetSocketAddress wanted) throws IOException {
        return bind(wanted, HttpThread.OF_PROCESS);
    }

    static HttpListener bind(InetSocketAddress wanted, HttpThread thread) throws IOException {
        ServerSocketChannel bound = bound(wanted);
        int port = ((InetSocketAddress) bound.getLocalAddress()).getPort();
        HttpListener listener = new HttpListener(new InetSocketAddress(wanted.getAddress(), port), thread);
        listener.channel = bound;
        return listener;
    }

    /** One for a port that another program still has, to be tried again by {@link #bindLate}. */
    static HttpListener unbound(InetSocketAddress wanted, HttpThread thread) {
        return new HttpListener(wanted, thread);
    }

    /** Takes the port if it is free by now, and starts. */
    void bindLate() throws IOException {
        channel = bound(address);
        start();
    }

    private static ServerSocketChannel bound(InetSocketAddress address) throws IOException {
        ServerSocketChannel socket = ServerSocketChannel.open();
        try {
            socket.configureBlocking(false);
            return socket.bind(address, BACKLOG);
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    /**
     * Begins to answer.
     *
     * @throws IOException if nothing more can be opened; the port is free again then
     */
    public void start() throws IOException {
        ServerSocketChannel bound = channel;
        if (bound == null) {
            throw new IllegalStateException("no port was bound");
        }
        try {
            acceptor = thread.listen(this, bound);
        } catch (IOException e) {
            bound.close();
            throw e;
        }
    }

    /** The address asked for, with the port that the kernel chose if that was 0. */
    public InetSocketAddress address() {
        return address;
    }

    /** Has a responder asked for a path, whatever the query string, or for {@link #ANY_PATH}. */
    public void answer(String path, HttpResponder responder) {
        add(path, responder);
    }

    /** As {@link #answer}, for a responder that may take longer than some milliseconds, or wait for others. */
    public void answerSlowly(String path, HttpResponder responder) {
        addSlow(path, responder);
    }

    Route add(String path, HttpResponder responder) {
        Route route = new Route(this, path, responder, null);
        routes.add(route);
        return route;
    }

    Route addSlow(String path, HttpResponder responder) {
        Route route = new Route(this, path, responder, new SlowAnswers("cairn-http" + path));
        routes.add(route);
        return route;
    }

    void remove(Route route) {
        routes.remove(route);
    }

    boolean answers(String path) {
        return newest(path) != null;
    }

    boolean isUnused() {
        return routes.isEmpty();
    }

    /** Who answers at a path; null if nobody does. */
    @Nullable Route route(String path) {
        Route exact = newest(path);
        return exact == null ? newest(ANY_PATH) : exact;
    }

    private @Nullable Route newest(String path) {
        Route found = null;
        for (Route route : routes) {
            if (route.path.equals(path)) {
                found = route;
            }
        }
        return found;
    }

    /** Frees the ports, then gives requests being answered so long to end. Not to be called by a responder. */
    public static void stop(Collection<HttpListener> listeners, Duration grace) {
        HttpThread thread = null;
        List<Acceptor> started = new ArrayList<>();
        for (HttpListener listener : listeners) {
            Acceptor own = listener.acceptor;
            ServerSocketChannel bound = listener.channel;
            if (own != null) {
                thread = listener.thread;
                started.add(own);
            } else if (bound != null) {
                HttpLoop.close(bound);
            }
            listener.acceptor = null;
            listener.channel = null;
        }
        if (thread != null) {
            thread.stop(started, grace);
        }
    }

    /** The JDK would look for a provider of selectors in all jars, which takes longer than all else that is done here. */
    private static void nameProvider() {
        if (System.getProperty(PROVIDER) == null) {
            try {
                Class.forName(EPOLL, false, null);
                System.setProperty(PROVIDER, EPOLL);
            } catch (ClassNotFoundException e) {
                // Not Linux.
            }
        }
    }

    @Override
    public String toString() {
        return text(address);
    }

    static String text(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (address.getAddress() instanceof Inet6Address ? "[" + host + "]" : host) + ":" + address.getPort();
    }
}
