package dev.cairn.http;

import java.io.IOException;

/** What the HTTP thread looks after: a listening socket or a connection. All methods are called by that thread. */
interface Served {
    /** Nothing to be late for. */
    long NEVER = Long.MAX_VALUE;

    /** Goes on as far as it can without waiting, but for one request at most: others want their turn, too. */
    void ready() throws IOException;

    /** By when something has to happen, in terms of {@link System#nanoTime}, or {@link #NEVER}. */
    long deadline();

    /** It has not happened. */
    void late();

    /** A call above did not end well. */
    void failed();
}
