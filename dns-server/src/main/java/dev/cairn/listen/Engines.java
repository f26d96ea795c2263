package dev.cairn.listen;

import dev.cairn.chain.Dispatcher;
import dev.cairn.chain.Router;
import dev.cairn.listen.connection.Service;
import dev.cairn.metrics.MetricRegistry;
import dev.cairn.plugin.ListenSettings;
import java.io.IOException;

/** What listeners are made with: Netty's loops for TCP, and the UDP engine that was chosen. One per process; closed after all listeners. */
public final class Engines implements AutoCloseable {
    /** The ways to receive datagrams, best first. */
    public enum Choice {
        AUTO,
        FFM,
        EPOLL,
        NIO
    }

    private final Loops loops;
    private final UdpEngine udp;
    private final boolean sharedPorts;

    public Engines(Choice choice) {
        this(choice, false);
    }

    /** @param sharedPorts whether another process may listen on the same ports, so that one can take over from the other */
    public Engines(Choice choice, boolean sharedPorts) {
        this.sharedPorts = sharedPorts;
        boolean epoll = choice != Choice.NIO && Loops.epollAvailable();
        if (choice == Choice.EPOLL && !epoll) {
            throw new IllegalStateException("epoll is not available here; choose another UDP engine: auto, ffm or nio");
        }
        loops = new Loops(epoll, sharedPorts, Runtime.getRuntime().availableProcessors());
        if (choice == Choice.FFM && !Libc.isSupported()) {
            throw new IllegalStateException("the ffm engine needs 64-bit Linux; choose another UDP engine: auto, epoll or nio");
        }
        boolean ffm = choice == Choice.FFM || (choice == Choice.AUTO && Libc.isSupported());
        udp = ffm ? new FfmUdpEngine(sharedPorts) : new NettyUdpEngine(loops);
    }

    /** Whether another process may have the same ports, since it takes over from this one or this one from it. */
    public boolean sharedPorts() {
        return sharedPorts;
    }

    /** The name of the UDP engine in use. */
    public String udpEngine() {
        return udp.name();
    }

    /** Opens the sockets of an address; those who connect are served from now on. */
    public Listener open(ListenAddress address, ListenSettings settings, Router router, Dispatcher dispatcher, MetricRegistry metrics)
            throws IOException {
        return Listener.open(address, new Service(address.label(), dispatcher, metrics, router, settings), udp, loops);
    }

    /** The same for those who look at no metrics. */
    public Listener open(ListenAddress address, ListenSettings settings, Router router, Dispatcher dispatcher) throws IOException {
        return open(address, settings, router, dispatcher, new MetricRegistry());
    }

    @Override
    public void close() {
        loops.close();
    }
}
