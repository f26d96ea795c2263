package dev.cairn.proxy.nft;

import dev.cairn.proxy.netlink.Attribute;
import dev.cairn.proxy.netlink.Message;
import dev.cairn.proxy.netlink.NetlinkException;
import dev.cairn.proxy.netlink.NetlinkSocket;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Hears of transactions that change our tables and are not ours. A thread of its own listens; while we change something ourselves nobody does,
 * since the kernel would tell every element. That nobody else did either is seen by the number that the kernel counts up with each
 * transaction. The other methods are for the backend's thread. Numbers are those of linux/nfnetlink.h and nf_tables.h.
 */
final class NftMonitor implements AutoCloseable {
    private static final Logger LOG = System.getLogger(NftMonitor.class.getName());
    private static final int GROUP = 7;
    private static final int SUBSYSTEM = 10;
    private static final int NEW_GENERATION = SUBSYSTEM << 8 | 15;
    private static final int GET_GENERATION = SUBSYSTEM << 8 | 16;
    /** In all kinds of messages, but for those on the generation, the first attribute is the table's name. */
    private static final int NAME = 1;
    private static final int HEAD = 4;

    private final NetlinkSocket ear;
    private final NetlinkSocket questions;
    private final Runnable wake;
    private volatile boolean disturbed;
    private volatile boolean closed;
    private int generation;

    private NftMonitor(NetlinkSocket ear, NetlinkSocket questions, Runnable wake) {
        this.ear = ear;
        this.questions = questions;
        this.wake = wake;
    }

    /** Begins to listen; null if the kernel does not let us, which is told in the log. */
    static @Nullable NftMonitor start(Runnable wake) {
        try {
            NftMonitor monitor = new NftMonitor(new NetlinkSocket(NetlinkSocket.NETFILTER), new NetlinkSocket(NetlinkSocket.NETFILTER), wake);
            generation(monitor.ear);   // a socket that has sent nothing has no address, and is told nothing
            monitor.ear.join(GROUP, true);
            Thread.ofPlatform().name("cairn-nft-monitor").daemon().start(monitor::listen);
            return monitor;
        } catch (NetlinkException e) {
            LOG.log(Level.WARNING, "what others change in nftables will be noticed late: it cannot be listened for (" + e.getMessage() + ")");
            return null;
        }
    }

    private void listen() {
        try (ear) {
            while (!closed) {
                try {
                    ear.hear(this::heard);
                } catch (NetlinkException e) {
                    if (e.errno() != NetlinkException.ENOBUFS) {
                        LOG.log(Level.WARNING, "what others change in nftables will be noticed late from now on: " + e.getMessage());
                        return;
                    }
                    disturb();
                }
            }
        }
    }

    private void heard(int type, ByteBuffer payload) {
        if (type >> 8 == SUBSYSTEM && type != NEW_GENERATION && isOurs(payload)) {
            disturb();
        }
    }

    private static boolean isOurs(ByteBuffer payload) {
        return Attribute.list(payload, HEAD).stream().anyMatch(attribute -> attribute.type() == NAME && attribute.text().equals(Table.NAME));
    }

    private void disturb() {
        disturbed = true;
        wake.run();
    }

    boolean isDisturbed() {
        return disturbed;
    }

    /** What was heard is about to be looked into. */
    void clear() {
        disturbed = false;
    }

    /** We are about to change something. */
    void pause() {
        try {
            generation = generation(questions);
            ear.join(GROUP, false);
        } catch (NetlinkException _) {
            disturbed = true;
        }
    }

    /** We have changed something, by so many transactions. */
    void resume(int transactions) {
        try {
            ear.join(GROUP, true);
            disturbed |= generation(questions) != generation + transactions;
        } catch (NetlinkException _) {
            disturbed = true;
        }
    }

    private static int generation(NetlinkSocket socket) throws NetlinkException {
        AtomicInteger found = new AtomicInteger();
        socket.ask("asking for the generation of nftables", new Message(GET_GENERATION, 0).u8(0).u8(0).u16(0), (_, answer) ->
                Attribute.list(answer, HEAD).stream()
                        .filter(attribute -> attribute.type() == NAME)
                        .forEach(attribute -> found.set(attribute.content().duplicate().order(ByteOrder.BIG_ENDIAN).getInt())));
        return found.get();
    }

    @Override
    public void close() {
        closed = true;
        questions.close();
    }
}
