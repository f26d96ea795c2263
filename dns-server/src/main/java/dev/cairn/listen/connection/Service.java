package dev.cairn.listen.connection;

import dev.cairn.chain.Dispatcher;
import dev.cairn.chain.Router;
import dev.cairn.metrics.MetricRegistry;
import dev.cairn.plugin.ListenSettings;
import dev.cairn.plugin.ProxyProtocol;
import org.jspecify.annotations.Nullable;

/** What a listener serves, and how. The dispatcher stays; the rest is replaced by a reload, the router read once per batch of packets. */
public final class Service {
    private final String server;
    private final Dispatcher dispatcher;
    private final MetricRegistry metrics;
    private volatile Router router;
    private volatile ListenSettings settings;

    /** @param server the address as metrics name it */
    public Service(String server, Dispatcher dispatcher, MetricRegistry metrics, Router router, ListenSettings settings) {
        this.server = server;
        this.dispatcher = dispatcher;
        this.metrics = metrics;
        this.router = router;
        this.settings = settings;
    }

    public String server() {
        return server;
    }

    public Dispatcher dispatcher() {
        return dispatcher;
    }

    public MetricRegistry metrics() {
        return metrics;
    }

    public Router router() {
        return router;
    }

    public void router(Router next) {
        router = next;
    }

    public ListenSettings settings() {
        return settings;
    }

    /** For what is opened from now on. */
    public void settings(ListenSettings next) {
        settings = next;
    }

    /** Whose PROXY headers to read, null for nobody's. */
    public @Nullable ProxyProtocol proxy() {
        return settings.proxy();
    }
}
