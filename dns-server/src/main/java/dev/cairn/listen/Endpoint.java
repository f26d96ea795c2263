package dev.cairn.listen;

import java.time.Duration;

/** The open sockets of an address that carry connections. */
interface Endpoint {
    int port();

    /** Accepts no more, lets each connection finish the queries it has sent, at most for {@code grace}, then closes all. */
    void drain(Duration grace);
}
