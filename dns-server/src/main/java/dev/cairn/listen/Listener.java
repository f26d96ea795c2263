package dev.cairn.listen;

import dev.cairn.chain.Router;
import dev.cairn.plugin.ListenSettings;
import java.io.IOException;
import java.net.BindException;
import java.time.Duration;

/** The sockets of one server address. Opened and closed by the thread that changes the configuration. */
public final class Listener {
    private static final int PORT_TRIES = 20;

    private final ListenAddress address;
    private final Service service;
    private final UdpEngine.Sockets udp;
    private final TcpServer tcp;

    private Listener(ListenAddress address, Service service, UdpEngine.Sockets udp, TcpServer tcp) {
        this.address = address;
        this.service = service;
        this.udp = udp;
        this.tcp = tcp;
    }

    static Listener open(ListenAddress address, ListenSettings settings, Service service, UdpEngine engine, Loops loops) throws IOException {
        int sockets = settings.sockets() > 0 ? settings.sockets() : Runtime.getRuntime().availableProcessors();
        for (int tries = 1; ; tries++) {
            TcpServer tcp = openTcp(address, settings, service, loops);
            try {
                return new Listener(address, service, engine.open(address, tcp.port(), sockets, service), tcp);
            } catch (IOException e) {
                tcp.drain(Duration.ZERO);
                // The kernel chose a port that is free for TCP; another process may have the same for UDP.
                if (address.port() != 0 || tries == PORT_TRIES) {
                    throw explained(address, "udp", e);
                }
            }
        }
    }

    private static TcpServer openTcp(ListenAddress address, ListenSettings settings, Service service, Loops loops) throws IOException {
        try {
            return new TcpServer(address.socketAddress(address.port()), settings, service, loops);
        } catch (IOException e) {
            throw explained(address, "tcp", e);
        }
    }

    /** Says in one line what to do about the operating system's refusal. */
    private static IOException explained(ListenAddress address, String protocol, IOException e) {
        String reason = String.valueOf(e.getMessage());
        String where = "cannot listen on " + address.label() + " (" + protocol + "): ";
        if (reason.contains("in use")) {
            return new BindException(where + "the address is in use; stop the process that has it, or choose another port with -dns.port"
                    + " or another address with the bind plugin");
        }
        if (reason.contains("ermission")) {
            return new BindException(where + "no permission for a port below 1024; run as root or with CAP_NET_BIND_SERVICE, or choose a port"
                    + " above with -dns.port");
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
        return tcp.port();
    }

    /** How many UDP sockets serve the address. */
    public int udpSockets() {
        return udp.count();
    }

    /** Answers by this router from the next packet on. */
    public void router(Router router) {
        service.router(router);
    }

    /** Takes over what can change without opening sockets anew. */
    public void settings(ListenSettings settings) {
        tcp.settings(settings);
    }

    /** Answers what has already come, then closes; takes at most about {@code grace}. */
    public void close(Duration grace) {
        tcp.drain(grace);
        udp.drain(grace);
    }
}
