package dev.cairn.listen;

import dev.cairn.chain.Dispatcher;
import dev.cairn.chain.Router;
import dev.cairn.kernel.CompilerThreads;
import dev.cairn.listen.connection.Service;
import dev.cairn.metrics.MetricRegistry;
import dev.cairn.plugin.ListenSettings;
import java.io.IOException;
import java.util.Collection;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** What listeners are made with: Netty's loops for TCP, and the UDP engine that was chosen. One per process; closed after all listeners. */
public final class Engines implements AutoCloseable {
    /** The ways to receive datagrams, best first. */
    public enum Choice {
        AUTO,
        FFM,
        EPOLL,
        NIO
    }

    static {
        NettyLogger.install();
    }

    private final boolean sharedPorts;
    private final FutureTask<Made> made;

    /** What is made while the configuration is read, since loading Netty and linking system calls take their time. */
    private record Made(Loops loops, UdpEngine udp) {}

    public Engines(Choice choice) {
        this(choice, false);
    }

    /** @param sharedPorts whether another process may listen on the same ports, so that one can take over from the other */
    public Engines(Choice choice, boolean sharedPorts) {
        this.sharedPorts = sharedPorts;
        if (choice == Choice.EPOLL && !Loops.epollAvailable()) {
            throw new IllegalStateException("epoll is not available here; choose another UDP engine: auto, ffm or nio");
        }
        if (choice == Choice.FFM && !Libc.isSupported()) {
            throw new IllegalStateException("the ffm engine needs 64-bit Linux; choose another UDP engine: auto, epoll or nio");
        }
        made = new FutureTask<>(() -> make(choice, sharedPorts));
        Thread.ofPlatform().daemon().name("cairn-engines").start(made);
    }

    private static Made make(Choice choice, boolean sharedPorts) {
        CompilerThreads.giveWay();
        Loops loops = new Loops(choice != Choice.NIO && Loops.epollAvailable(), sharedPorts, Runtime.getRuntime().availableProcessors());
        boolean ffm = choice == Choice.FFM || (choice == Choice.AUTO && Libc.isSupported());
        return new Made(loops, ffm ? new FfmUdpEngine(sharedPorts) : new NettyUdpEngine(loops));
    }

    private Made made() {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return made.get();
                } catch (InterruptedException _) {
                    interrupted = true;   // a few milliseconds more
                } catch (ExecutionException e) {
                    throw new IllegalStateException(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Whether another process may have the same ports, since it takes over from this one or this one from it. */
    public boolean sharedPorts() {
        return sharedPorts;
    }

    /** The name of the UDP engine in use. */
    public String udpEngine() {
        return made().udp.name();
    }

    /** Opens the sockets of an address; those who connect are served from now on. */
    public Listener open(ListenAddress address, ListenSettings settings, Router router, Dispatcher dispatcher, MetricRegistry metrics)
            throws IOException {
        return Listener.open(address, new Service(address.label(), dispatcher, metrics, router, settings), made().udp, made().loops);
    }

    /** The same for those who look at no metrics. */
    public Listener open(ListenAddress address, ListenSettings settings, Router router, Dispatcher dispatcher) throws IOException {
        return open(address, settings, router, dispatcher, new MetricRegistry());
    }

    /** Waits until no thread uses a router that one of the listeners had before, at most until a time of {@link System#nanoTime}. */
    public void awaitTurn(Collection<Listener> listeners, long deadlineNanos) {
        listeners.forEach(listener -> listener.awaitTurn(deadlineNanos));
        made().loops.awaitTurn(deadlineNanos);
    }

    @Override
    public void close() {
        made().loops.close();
    }
}
