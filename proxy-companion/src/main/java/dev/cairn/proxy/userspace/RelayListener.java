package dev.cairn.proxy.userspace;

/** A port at which clients are taken. Used by the backend's thread. */
interface RelayListener extends AutoCloseable {
    /** The port that the kernel chose. */
    int port();

    /** Sends to others from now on. TCP connections stay where they are. */
    void update(Targets targets);

    /** Takes no more clients. TCP connections go on; UDP sessions end. */
    @Override
    void close();
}
