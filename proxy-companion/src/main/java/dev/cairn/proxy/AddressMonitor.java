package dev.cairn.proxy;

import dev.cairn.facts.Address;
import dev.cairn.log.Log;
import dev.cairn.proxy.netlink.Message;
import dev.cairn.proxy.netlink.NetlinkException;
import dev.cairn.proxy.netlink.NetlinkSocket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hears of addresses that interfaces of this machine get or lose, such as one that moves from node to node. A thread of its own listens. Numbers are those
 * of linux/rtnetlink.h and if_addr.h.
 */
final class AddressMonitor implements AutoCloseable {
    private static final Log LOG = Log.server();
    private static final List<Integer> GROUPS = List.of(5, 9);
    private static final int NEW_ADDRESS = 20;
    private static final int DELETE_ADDRESS = 21;
    private static final int GET_ROUTE = 26;
    private static final int ROUTE_TO = 1;
    private static final int INET = 2;
    private static final byte SCOPE_LINK = (byte) 253;
    private static final Path SERVICE_LINK = Path.of("/sys/class/net", OwnNode.SERVICE_LINK, "ifindex");

    private final NetlinkSocket ear;
    private final Consumer<List<Address>> tell;
    private List<Address> known;
    private boolean changed;
    private volatile boolean closed;

    private AddressMonitor(NetlinkSocket ear, List<Address> known, Consumer<List<Address>> tell) {
        this.ear = ear;
        this.known = known;
        this.tell = tell;
    }

    /** Begins to tell all addresses whenever they are others than are known; null if the kernel does not let us, which is told in the log. */
    static @Nullable AddressMonitor start(List<Address> known, Consumer<List<Address>> tell) {
        try {
            NetlinkSocket ear = new NetlinkSocket(NetlinkSocket.ROUTE);
            // A socket that has sent nothing has no address, and is told nothing.
            byte[] loopback = {127, 0, 0, 1};
            ear.ask("asking for a route", new Message(GET_ROUTE, 0).u8(INET).u8(8 * loopback.length).u16(0).u32(0).u32(0)
                    .attribute(ROUTE_TO, loopback), (_, _) -> {});
            for (int group : GROUPS) {
                ear.join(group, true);
            }
            AddressMonitor monitor = new AddressMonitor(ear, known, tell);
            Thread.ofPlatform().name("cairn-address-monitor").daemon().start(monitor::listen);
            return monitor;
        } catch (NetlinkException e) {
            LOG.warning("addresses that this node gets later will not be noticed: " + e.getMessage());
            return null;
        }
    }

    private void listen() {
        try (ear) {
            look();   // at what came before we listened
            while (!closed) {
                try {
                    ear.hear(this::heard);
                } catch (NetlinkException e) {
                    if (e.errno() != NetlinkException.ENOBUFS) {
                        LOG.warning("addresses that this node gets from now on will not be noticed: " + e.getMessage());
                        return;
                    }
                    changed = true;
                }
                if (changed) {
                    changed = false;
                    look();
                }
            }
        }
    }

    /** Addresses of Services are no news, nor are those that are valid on one link only: every pod that starts brings one. */
    private void heard(int type, ByteBuffer payload) {
        boolean about = type == NEW_ADDRESS || type == DELETE_ADDRESS;
        changed |= about && payload.get(3) != SCOPE_LINK && payload.getInt(4) != serviceLink();
    }

    private static int serviceLink() {
        try {
            return Integer.parseInt(Files.readString(SERVICE_LINK).strip());
        } catch (IOException _) {
            return 0;   // there is none
        }
    }

    private void look() {
        try {
            List<Address> now = OwnNode.interfaces();
            if (!closed && !Set.copyOf(now).equals(Set.copyOf(known))) {
                known = now;
                tell.accept(now);
            }
        } catch (CommandFailure e) {
            LOG.warning(String.valueOf(e.getMessage()));
        }
    }

    /** Ends within some seconds. */
    @Override
    public void close() {
        closed = true;
    }
}
