package dev.cairn.listen;

import dev.cairn.chain.Dispatcher;
import dev.cairn.chain.Router;

/** What a listener serves. The dispatcher stays; the router is replaced by a reload and read once per batch of packets. */
final class Service {
    private final Dispatcher dispatcher;
    private volatile Router router;

    Service(Dispatcher dispatcher, Router router) {
        this.dispatcher = dispatcher;
        this.router = router;
    }

    Dispatcher dispatcher() {
        return dispatcher;
    }

    Router router() {
        return router;
    }

    void router(Router next) {
        router = next;
    }
}
