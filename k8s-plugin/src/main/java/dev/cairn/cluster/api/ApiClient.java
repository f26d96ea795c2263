package dev.cairn.cluster.api;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to the API server. Credentials are read when the first request is made, and again after the server or TLS refused them.
 * Used by all reflector threads.
 *
 * <p>Speaks HTTP/1.1, a connection to each watch, which the thread that decodes reads by itself: an event waits for no other thread to be
 * scheduled, and a watch that is silently dead is cut alone. fabric8 knows how to reach and to convince an API server; its HTTP clients are not used.
 */
final class ApiClient implements AutoCloseable {
    /** Half as long as JSON and far less work to read; servers have it for all but custom kinds. */
    static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
    static final String JSON = "application/json";

    /** What an answer may look like. */
    enum Form {
        LIST(PROTOBUF + "," + JSON, "gzip"),
        /** An event must not wait in a compressor. */
        WATCH(PROTOBUF + "," + JSON, "identity"),
        OBJECT(JSON, "identity");

        private final String type;
        private final String encoding;

        Form(String type, String encoding) {
            this.type = type;
            this.encoding = encoding;
        }
    }

    private static final String GET = "GET";
    private static final String POST = "POST";
    private static final int LONGEST_MESSAGE = 1 << 16;
    private static final int LONGEST_PAUSE_SECONDS = 600;

    private final Credentials credentials;
    private final ApiObserver observer;
    private final Duration patience;
    private final RateLimit rate;
    private final @Nullable Semaphore inflight;
    private @Nullable Server current;
    private final Set<Connection> open = new HashSet<>();
    private final Deque<Connection> idle = new ArrayDeque<>();
    private final ReentrantLock connecting = new ReentrantLock();
    private volatile boolean connected;
    private boolean closed;

    ApiClient(Credentials credentials, ApiOptions options, ApiObserver observer, Duration patience) {
        this.credentials = credentials;
        this.observer = observer;
        this.patience = patience;
        rate = new RateLimit(options.qps(), options.burst());
        inflight = options.maxInflight() > 0 ? new Semaphore(options.maxInflight()) : null;
    }

    /** The server's URL, or what is known of it. */
    synchronized String server() {
        return current != null ? current.url() : credentials.origin();
    }

    /** Opens a body to read, which the caller closes. It ends with an exception when nothing comes for the given time. */
    BodyStream open(String path, Form form, Duration silence) throws IOException {
        return open(path, form, silence, null);
    }

    /** Creates an object. */
    void post(String path, String json) throws IOException {
        open(path, Form.OBJECT, patience, json).close();
    }

    private BodyStream open(String path, Form form, Duration silence, @Nullable String body) throws IOException {
        Server used = current();
        BodyStream stream;
        String code = "<error>";
        try {
            stream = send(used, path, form, silence, body);
            code = Integer.toString(stream.head().code());
        } catch (IOException e) {
            if (isTls(e)) {
                renew(used);
            }
            throw e;
        } finally {
            observer.answered(code, body == null ? GET : POST, used.host());
        }
        if (stream.head().isSuccessful()) {
            return stream;
        }
        if (stream.head().code() == ApiFailure.UNAUTHORIZED) {
            renew(used);
        }
        try (stream) {
            throw new ApiFailure(stream.head().code(), message(stream), retryAfter(stream.head()));
        }
    }

    /** Tells how long a list took. */
    void took(long nanos) {
        Server now;
        synchronized (this) {
            now = current;
        }
        if (now != null) {
            observer.took(GET, now.host(), nanos);
        }
    }

    private BodyStream send(Server used, String path, Form form, Duration silence, @Nullable String body) throws IOException {
        try {
            long wait = rate.take();
            TimeUnit.NANOSECONDS.sleep(wait);
            observer.waited(body == null ? GET : POST, used.host(), wait);
            String request = used.request(path, form.type, form.encoding, body);
            if (inflight == null) {
                return ask(used, request, silence, body == null);
            }
            inflight.acquire();
            try {
                return ask(used, request, silence, body == null);
            } finally {
                inflight.release();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("interrupted").initCause(e);
        } catch (UncheckedIOException e) {
            throw new IOException(e.getMessage(), e);   // a token file that went away
        }
    }

    /**
     * Asks on a connection that an earlier answer has left, or on a new one.
     *
     * @param again whether asking twice does no harm; if it does, the connection is new, since an old one may be cut before or after the
     *     request was heard
     */
    private BodyStream ask(Server used, String request, Duration silence, boolean again) throws IOException, InterruptedException {
        Connection connection = again ? idle(used) : null;
        if (connection != null) {
            try {
                return ask(connection, request, silence);
            } catch (IOException e) {
                if (!connection.mayBeStale() || e instanceof SocketTimeoutException) {
                    throw e;
                }
            }
        }
        return ask(opened(connect(used)), request, silence);
    }

    /**
     * The first handshake of a process takes ten times as long as the next ones, which have its code compiled and its session to resume: so others
     * wait for it instead of doing the same beside it.
     */
    private Connection connect(Server used) throws IOException, InterruptedException {
        if (connected) {
            return used.connect(patience);
        }
        connecting.lockInterruptibly();
        try {
            Connection first = used.connect(patience);
            connected = true;
            return first;
        } finally {
            connecting.unlock();
        }
    }

    private BodyStream ask(Connection connection, String request, Duration silence) throws IOException {
        boolean answered = false;
        try {
            BodyStream stream = new BodyStream(connection, connection.ask(request, patience), silence, this::done);
            answered = true;
            return stream;
        } finally {
            if (!answered) {
                cut(connection);
            }
        }
    }

    private synchronized Connection opened(Connection connection) throws IOException {
        open.add(connection);
        if (closed) {
            cut(connection);
            throw new IOException("the client is closed");
        }
        return connection;
    }

    private synchronized @Nullable Connection idle(Server used) {
        for (Connection connection = idle.poll(); connection != null; connection = idle.poll()) {
            if (connection.server().equals(used)) {
                return connection;
            }
            cut(connection);   // made with credentials that were refused since
        }
        return null;
    }

    private synchronized void done(BodyStream stream) {
        if (stream.isReusable() && !closed) {
            idle.push(stream.connection());
        } else {
            cut(stream.connection());
        }
    }

    private synchronized void cut(Connection connection) {
        open.remove(connection);
        connection.close();
    }

    private synchronized Server current() throws IOException {
        if (closed) {
            throw new IOException("the client is closed");
        }
        if (current == null) {
            current = new Server(credentials.read());
        }
        return current;
    }

    /** Has the credentials read again for the next request; open watches go on. */
    private synchronized void renew(Server refused) {
        if (refused.equals(current)) {
            current = null;
        }
    }

    private static boolean isTls(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof SSLException) {
                return true;
            }
        }
        return false;
    }

    /** The message of the Status object that the API server sends with a refusal; a proxy on the way may send anything. */
    private static String message(BodyStream stream) {
        String[] message = {""};
        if (stream.isProtobuf()) {
            Proto proto = new Proto();
            try {
                byte[] status = stream.content().readNBytes(LONGEST_MESSAGE);
                proto.reset(status, 0, status.length);
                proto.enveloped(object -> object.fields((part, value) -> message[0] = part == 3 ? value.text() : message[0]));
            } catch (IOException _) {
                return message[0];
            }
            return message[0];
        }
        try (JsonParser json = Json.FACTORY.createParser(stream.content())) {
            json.nextToken();
            Json.object(json, (field, value) -> {
                if (field.equals("message")) {
                    message[0] = Json.text(value);
                } else {
                    value.skipChildren();
                }
            });
        } catch (IOException _) {
            return message[0];
        }
        return message[0];
    }

    private static Duration retryAfter(Connection.Head head) {
        String text = head.field("Retry-After");
        return text.matches("\\d{1,6}") ? Duration.ofSeconds(Math.min(LONGEST_PAUSE_SECONDS, Integer.parseInt(text))) : Duration.ZERO;
    }

    /** Cuts everything. */
    @Override
    public synchronized void close() {
        closed = true;
        open.forEach(Connection::close);
        open.clear();
        idle.clear();
    }
}
