package dev.cairn.listen;

import dev.cairn.chain.Router;
import dev.cairn.corefile.Transport;
import dev.cairn.listen.connection.Service;
import dev.cairn.plugin.ListenSettings;
import java.io.IOException;
import java.net.BindException;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The sockets of one server address. Opened and closed by the thread that changes the configuration. */
public final class Listener {
    private static final int PORT_TRIES = 20;

    private final ListenAddress address;
    private final Service service;
    private final Endpoint connections;
    private final UdpEngine.@Nullable Sockets udp;

    private Listener(ListenAddress address, Service service, Endpoint connections, UdpEngine.@Nullable Sockets udp) {
        this.address = address;
        this.service = service;
        this.connections = connections;
        this.udp = udp;
    }

    /** @param loops waits for them, if need be: datagrams can be answered meanwhile */
    static Listener open(ListenAddress address, Service service, UdpEngine engine, Supplier<Loops> loops) throws IOException {
        return switch (address.transport()) {
            case DNS -> address.port() == 0 ? openOnAnyPort(address, service, engine, loops.get()) : openBoth(address, service, engine, loops);
            case TLS, HTTPS -> new Listener(address, service, openTcp(address, service, loops.get()), null);
            case QUIC -> new Listener(address, service, openQuic(address, service, loops.get()), null);
            case GRPC, HTTPS3 -> throw new IOException(address.transport().scheme() + ":// is not served");
        };
    }

    private static Listener openBoth(ListenAddress address, Service service, UdpEngine engine, Supplier<Loops> loops) throws IOException {
        UdpEngine.Sockets udp = openUdp(address, address.port(), service, engine);
        try {
            return new Listener(address, service, openTcp(address, service, loops.get()), udp);
        } catch (IOException | RuntimeException e) {
            udp.drain(Duration.ZERO);
            throw e;
        }
    }

    private static Listener openOnAnyPort(ListenAddress address, Service service, UdpEngine engine, Loops loops) throws IOException {
        for (int tries = 1; ; tries++) {
            TcpServer tcp = openTcp(address, service, loops);
            try {
                return new Listener(address, service, tcp, openUdp(address, tcp.port(), service, engine));
            } catch (IOException e) {
                tcp.drain(Duration.ZERO);
                // The kernel chose a port that is free for TCP; another process may have the same for UDP.
                if (tries == PORT_TRIES) {
                    throw e;
                }
            }
        }
    }

    private static UdpEngine.Sockets openUdp(ListenAddress address, int port, Service service, UdpEngine engine) throws IOException {
        int wanted = service.settings().sockets();
        try {
            return engine.open(address, port, wanted > 0 ? wanted : Runtime.getRuntime().availableProcessors(), service);
        } catch (IOException e) {
            throw explained(address, "udp", e);
        }
    }

    private static TcpServer openTcp(ListenAddress address, Service service, Loops loops) throws IOException {
        try {
            return new TcpServer(address.transport(), address.socketAddress(address.port()), service, loops);
        } catch (IOException e) {
            throw explained(address, "tcp", e);
        }
    }

    private static Endpoint openQuic(ListenAddress address, Service service, Loops loops) throws IOException {
        try {
            return QuicSockets.open(address, service, loops);
        } catch (IOException e) {
            throw explained(address, "udp", e);
        }
    }

    /** Says in one line what to do about the operating system's refusal. */
    private static IOException explained(ListenAddress address, String protocol, IOException e) {
        String reason = String.valueOf(e.getMessage());
        String where = "cannot listen on " + address.label() + " (" + protocol + "): ";
        String choose = address.transport() == Transport.DNS ? "with -dns.port" : "in the block's key, " + address.transport().scheme()
                + "://ZONE:PORT,";
        if (reason.contains("in use")) {
            return new BindException(where + "the address is in use; stop the process that has it, or choose another port " + choose
                    + " or another address with the bind plugin");
        }
        if (reason.contains("ermission")) {
            return new BindException(where + "no permission for a port below 1024; run as root or with CAP_NET_BIND_SERVICE,"
                    + " or choose a port above " + choose.replaceAll(",$", ""));
        }
        if (reason.contains("assign")) {
            return new BindException(where + "this machine does not have the address; correct the bind plugin's line");
        }
        return new IOException(where + reason, e);
    }

    public ListenAddress address() {
        return address;
    }

    /** The port that is listened on, also when the kernel chose it. */
    public int port() {
        return connections.port();
    }

    /** How many UDP sockets serve the address, 0 if it takes connections only. */
    public int udpSockets() {
        return udp == null ? 0 : udp.count();
    }

    /** Answers by this router from the next packet on. */
    public void router(Router router) {
        service.router(router);
    }

    /** Waits until the threads that receive packets use no router from before; connections are the event loops' affair. */
    void awaitTurn(long deadlineNanos) {
        if (udp != null) {
            udp.awaitTurn(deadlineNanos);
        }
    }

    /** Takes over what can change without opening sockets anew. */
    public void settings(ListenSettings settings) {
        service.settings(settings);
    }

    /** Answers what has already come, then closes; takes at most about {@code grace}. */
    public void close(Duration grace) {
        connections.drain(grace);
        if (udp != null) {
            udp.drain(grace);
        }
    }
}
