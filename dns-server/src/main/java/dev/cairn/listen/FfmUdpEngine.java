package dev.cairn.listen;

import dev.cairn.listen.connection.Service;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Datagrams by recvmmsg and sendmmsg straight from the C library: a thread a socket, a batch a system call, no object a packet. Knows which
 * address was asked, and answers from it, on one socket for all addresses.
 */
final class FfmUdpEngine implements UdpEngine {
    private final boolean sharedPorts;

    /** @param sharedPorts whether another process may listen on the same ports and is to get what comes while these sockets are closed */
    FfmUdpEngine(boolean sharedPorts) {
        this.sharedPorts = sharedPorts;
        Libc.prepare();
    }

    /** Whether this is a system whose structures are laid out as assumed here. */
    static boolean isSupported() {
        String arch = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
        return System.getProperty("os.name").equals("Linux") && (arch.equals("amd64") || arch.equals("aarch64"));
    }

    @Override
    public String name() {
        return "ffm";
    }

    @Override
    public Sockets open(ListenAddress address, int port, int sockets, Service service) throws IOException {
        List<FfmUdpSocket> open = new ArrayList<>();
        try {
            int bound = port;
            for (int i = 0; i < sockets; i++) {
                FfmUdpSocket socket = new FfmUdpSocket(address, bound, service);
                open.add(socket);
                bound = socket.port();
            }
            // Only now may packets be taken: a socket that is closed again must not have swallowed any.
            for (int i = 0; i < sockets; i++) {
                open.get(i).start("cairn-udp-" + bound + "-" + i);
            }
            return new FfmSockets(open, bound, sharedPorts);
        } catch (IOException e) {
            open.forEach(FfmUdpSocket::abandon);
            throw e;
        }
    }

    private record FfmSockets(List<FfmUdpSocket> sockets, int port, boolean sharedPorts) implements Sockets {
        @Override
        public int count() {
            return sockets.size();
        }

        @Override
        public void awaitTurn(long deadlineNanos) {
            sockets.forEach(socket -> socket.awaitTurn(deadlineNanos));
        }

        @Override
        public void drain(Duration grace) {
            if (sharedPorts) {
                sockets.forEach(FfmUdpSocket::turnAway);
            }
            sockets.forEach(socket -> socket.finish(grace));
            sockets.forEach(FfmUdpSocket::awaitClosed);
        }
    }
}
