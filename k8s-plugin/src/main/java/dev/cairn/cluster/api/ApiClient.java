package dev.cairn.cluster.api;

import com.fasterxml.jackson.core.JsonParser;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to the API server. Credentials are read when the first request is made, and again after the server or TLS refused them.
 * Used by all reflector threads.
 *
 * <p>Speaks HTTP/1.1, a connection to each watch: in HTTP/2 all watches share one, and when that is silently dead, the JDK's client (which
 * sends no pings) would resume a watch on the very same connection.
 */
final class ApiClient implements AutoCloseable {
    static final String JSON = "application/json";
    /** Half as long as JSON and far less work to read; servers have it for all but custom kinds. */
    static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

    private static final String GET = "GET";
    private static final String POST = "POST";
    private static final int LONGEST_MESSAGE = 1 << 16;
    private static final int LONGEST_PAUSE_SECONDS = 600;

    /** A client that was built from one reading of the credentials. */
    private record Session(String server, String host, HttpClient http, ClientFactory factory) {}

    private final Credentials credentials;
    private final ApiObserver observer;
    private final Duration patience;
    private final RateLimit rate;
    private final @Nullable Semaphore inflight;
    private final List<ClientFactory> retired = new ArrayList<>();
    private @Nullable Session session;
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
        return session != null ? session.server : credentials.origin();
    }

    /** Opens a body to read, which the caller closes. It ends with an exception when nothing comes for the given time. */
    BodyStream open(String path, String accept, Duration silence) throws IOException {
        return open(path, accept, silence, null);
    }

    /** Creates an object. */
    void post(String path, String json) throws IOException {
        open(path, JSON, patience, json).close();
    }

    private BodyStream open(String path, String accept, Duration silence, @Nullable String body) throws IOException {
        Session used = session();
        BodyStream stream = new BodyStream(silence);
        HttpRequest.Builder builder = used.http.newHttpRequestBuilder()
                .uri(used.server + path)
                .header("Accept", accept)
                .header("Accept-Encoding", accept.equals(JSON) ? "identity" : "gzip")   // an event must not wait in a compressor
                .timeout(patience.toMillis(), TimeUnit.MILLISECONDS);   // for the head of the answer (JDK 25)
        HttpRequest request = body == null ? builder.build() : builder.post(JSON, body).build();
        HttpResponse<AsyncBody> response;
        String code = "<error>";
        try {
            response = send(used, request, stream);
            code = Integer.toString(response.code());
        } catch (IOException e) {
            if (isTls(e)) {
                renew(used);
            }
            throw e;
        } finally {
            observer.answered(code, body == null ? GET : POST, used.host);
        }
        stream.begin(response.body(), PROTOBUF.equals(response.header("Content-Type")), "gzip".equals(response.header("Content-Encoding")));
        if (response.isSuccessful()) {
            return stream;
        }
        if (response.code() == ApiFailure.UNAUTHORIZED) {
            renew(used);
        }
        try (stream) {
            throw new ApiFailure(response.code(), message(stream), retryAfter(response));
        }
    }

    /** Tells how long a list took. */
    void took(long nanos) {
        Session current;
        synchronized (this) {
            current = session;
        }
        if (current != null) {
            observer.took(GET, current.host, nanos);
        }
    }

    private HttpResponse<AsyncBody> send(Session used, HttpRequest request, BodyStream stream) throws IOException {
        try {
            long wait = rate.take();
            TimeUnit.NANOSECONDS.sleep(wait);
            observer.waited(request.method(), used.host, wait);
            if (inflight == null) {
                return await(used.http.consumeBytes(request, stream));
            }
            inflight.acquire();
            try {
                return await(used.http.consumeBytes(request, stream));
            } finally {
                inflight.release();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("interrupted").initCause(e);
        } catch (UncheckedIOException e) {
            throw new IOException(e.getMessage(), e);   // a token file that went away
        } catch (IllegalStateException e) {
            throw new IOException("the client was closed", e);
        }
    }

    private HttpResponse<AsyncBody> await(CompletableFuture<HttpResponse<AsyncBody>> answer) throws IOException, InterruptedException {
        try {
            // The client's own limit comes first; this one is for a defect in it.
            return answer.get(patience.toMillis() * 2, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            throw cause instanceof IOException known ? known : new IOException(String.valueOf(cause), cause);
        } catch (TimeoutException e) {
            throw new IOException("no answer in " + patience.toSeconds() + " s", e);
        } finally {
            if (!answer.isDone()) {
                answer.thenAccept(late -> late.body().cancel());
            }
        }
    }

    private synchronized Session session() throws IOException {
        if (closed) {
            throw new IOException("the client is closed");
        }
        if (session == null) {
            session = connect();
        }
        return session;
    }

    private Session connect() throws IOException {
        Config config = credentials.read();
        String url = config.getMasterUrl();
        String server = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
        ClientFactory factory = new ClientFactory();
        try {
            return new Session(server, URI.create(server).getAuthority(), factory.newBuilder(config).build(), factory);
        } catch (KubernetesClientException | IllegalArgumentException e) {
            factory.end();
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException("its URL, certificates or key cannot be used: " + cause.getMessage(), e);
        }
    }

    /** Has the credentials read again for the next request; open watches go on. */
    private synchronized void renew(Session refused) {
        if (refused.equals(session)) {
            refused.factory.retire();
            retired.removeIf(ClientFactory::hasEnded);
            retired.add(refused.factory);
            session = null;
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
                proto.reset(status, Math.min(4, status.length), status.length);   // after the mark "k8s\0"
                proto.fields((field, envelope) -> {
                    if (field == 2) {
                        envelope.message((part, value) -> message[0] = part == 3 ? value.text() : message[0]);
                    }
                });
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

    private static Duration retryAfter(HttpResponse<?> response) {
        String text = response.header("Retry-After");
        if (text == null || !text.matches("\\d{1,6}")) {
            return Duration.ZERO;
        }
        return Duration.ofSeconds(Math.min(LONGEST_PAUSE_SECONDS, Integer.parseInt(text)));
    }

    /** Cuts everything. */
    @Override
    public synchronized void close() {
        closed = true;
        if (session != null) {
            session.http.close();
        }
        retired.forEach(ClientFactory::end);
    }
}
