package dev.cairn.listen;

import dev.cairn.listen.connection.Service;
import dev.cairn.metrics.Counter;
import java.io.IOException;
import java.time.Duration;

/** A way to receive and send datagrams. */
interface UdpEngine {
    /** The name by which it is chosen and told. */
    String name();

    /**
     * Opens {@code sockets} sockets on one address, which share its load, and starts to serve.
     *
     * @param port the port to bind, 0 to let the kernel choose one for all of them
     * @throws IOException with the operating system's reason
     */
    Sockets open(ListenAddress address, int port, int sockets, Service service) throws IOException;

    /** Counts replies that the kernel did not take; a client sees each as a time-out. */
    static Counter unsentReplies(Service service) {
        return service.metrics().counter("cairn_dns_unsent_replies_total",
                "Replies over UDP that the kernel refused to send or had no room for.", "server").with(service.server());
    }

    /** The open sockets of one address. */
    interface Sockets {
        int port();

        /** How many sockets (and threads) there are. */
        int count();

        /** Waits until threads other than the event loops are through with what they were answering, at most until a time. */
        void awaitTurn(long deadlineNanos);

        /**
         * Goes on until no packet has come for a moment and plugins keep none, at most for {@code grace}, then closes; returns when all is
         * closed.
         */
        void drain(Duration grace);
    }
}
