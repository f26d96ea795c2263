package dev.cairn.listen.http;

import dev.cairn.listen.connection.Service;
import dev.cairn.metrics.Counter;
import dev.cairn.metrics.CounterFamily;
import dev.cairn.plugin.ListenSettings;
import io.netty.channel.ChannelHandler;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** What the HTTP connections of a listener have in common. Safe for all threads. */
public final class HttpService {
    private final Service service;
    private final BooleanSupplier closing;
    private final CounterFamily responses;
    /** Most are of this status; told from the first one on. */
    private volatile @Nullable Counter ok;

    /** @param closing whether the listener is about to close */
    public HttpService(Service service, BooleanSupplier closing) {
        this.service = service;
        this.closing = closing;
        responses = service.metrics().counter(
                "coredns_dns_https_responses_total", "Counter of DoH responses per server and http status code.", "server", "status");
    }

    /** The last handler of a new connection; {@code encrypted} if there is TLS before it, which tells the version of HTTP. */
    public ChannelHandler newConnection(ListenSettings settings, boolean encrypted) {
        return new HttpConnection(this, settings, encrypted);
    }

    Service service() {
        return service;
    }

    boolean isClosing() {
        return closing.getAsBoolean();
    }

    void count(HttpResponseStatus status) {
        Counter counter = status.equals(HttpResponseStatus.OK) ? ok : null;
        if (counter == null) {
            counter = responses.with(service.server(), status.codeAsText().toString());
            if (status.equals(HttpResponseStatus.OK)) {
                ok = counter;
            }
        }
        counter.increment();
    }
}
