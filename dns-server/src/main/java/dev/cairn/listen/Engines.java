package dev.cairn.listen;

import dev.cairn.chain.Dispatcher;
import dev.cairn.chain.Router;
import dev.cairn.kernel.CompilerThreads;
import dev.cairn.listen.connection.Service;
import dev.cairn.metrics.MetricRegistry;
import dev.cairn.plugin.ListenSettings;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
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

    /** Without it, the JDK looks for another one through all jars. */
    private static final String SELECTORS = "java.nio.channels.spi.SelectorProvider";

    private static final String EPOLL_SELECTORS = "sun.nio.ch.EPollSelectorProvider";

    static {
        NettyLogger.install();
        chooseSelectors();
    }

    private final boolean sharedPorts;

    // Made while the configuration is read, since loading Netty and linking system calls take their time.
    private final FutureTask<Loops> loops;
    private final FutureTask<UdpEngine> udp;

    public Engines(Choice choice) {
        this(choice, false);
    }

    /** @param sharedPorts whether another process may listen on the same ports, so that one can take over from the other */
    public Engines(Choice choice, boolean sharedPorts) {
        this.sharedPorts = sharedPorts;
        if (choice == Choice.EPOLL && !Loops.epollAvailable()) {
            throw new IllegalStateException("epoll is not available here; choose another UDP engine: auto, ffm or nio");
        }
        if (choice == Choice.FFM && !FfmUdpEngine.isSupported()) {
            throw new IllegalStateException("the ffm engine needs 64-bit Linux; choose another UDP engine: auto, epoll or nio");
        }
        boolean ffm = choice == Choice.FFM || (choice == Choice.AUTO && FfmUdpEngine.isSupported());
        udp = new FutureTask<>(() -> {
            CompilerThreads.giveWay();
            return ffm ? new FfmUdpEngine(sharedPorts) : new NettyUdpEngine(loops());
        });
        loops = new FutureTask<>(
                () -> new Loops(choice != Choice.NIO && Loops.epollAvailable(), sharedPorts, Runtime.getRuntime().availableProcessors()));
        // One after the other: datagrams are to be answered first, and the configuration is read by the other processor meanwhile.
        List<FutureTask<?>> tasks = ffm ? List.of(udp, loops) : List.of(loops, udp);
        Thread.ofPlatform().daemon().name("cairn-engines").start(() -> tasks.forEach(FutureTask::run));
    }

    private static void chooseSelectors() {
        if (System.getProperty("os.name").equals("Linux") && System.getProperty(SELECTORS) == null) {
            try {
                Class.forName(EPOLL_SELECTORS);
                System.setProperty(SELECTORS, EPOLL_SELECTORS);
            } catch (ClassNotFoundException _) {
                // another JDK: it looks for one
            }
        }
    }

    private Loops loops() {
        return made(loops);
    }

    private UdpEngine udp() {
        return made(udp);
    }

    private static <T> T made(FutureTask<T> task) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
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
        return udp().name();
    }

    /** Opens the sockets of an address; those who connect are served from now on. */
    public Listener open(ListenAddress address, ListenSettings settings, Router router, Dispatcher dispatcher, MetricRegistry metrics)
            throws IOException {
        return Listener.open(address, new Service(address.label(), dispatcher, metrics, router, settings), udp(), this::loops);
    }

    /** The same for those who look at no metrics. */
    public Listener open(ListenAddress address, ListenSettings settings, Router router, Dispatcher dispatcher) throws IOException {
        return open(address, settings, router, dispatcher, new MetricRegistry());
    }

    /** Waits until no thread uses a router that one of the listeners had before, at most until a time of {@link System#nanoTime}. */
    public void awaitTurn(Collection<Listener> listeners, long deadlineNanos) {
        listeners.forEach(listener -> listener.awaitTurn(deadlineNanos));
        loops().awaitTurn(deadlineNanos);
    }

    @Override
    public void close() {
        loops().close();
    }
}
