package dev.cairn.proxy.nft;

import dev.cairn.log.Log;
import dev.cairn.proxy.netlink.Attribute;
import dev.cairn.proxy.netlink.NetlinkException;
import dev.cairn.proxy.netlink.NetlinkSocket;
import dev.cairn.proxy.netlink.NftGeneration;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Hears of transactions that change our tables and are not ours. A thread of its own listens; while we change something ourselves nobody does,
 * since the kernel would tell every element. That nobody else did either is seen by the number that the kernel counts up with each
 * transaction. The other methods are for the backend's thread. Numbers are those of linux/nfnetlink.h and nf_tables.h.
 */
public final class NftMonitor implements AutoCloseable {
    private static final Log LOG = Log.server();
    private static final int GROUP = 7;
    private static final int SUBSYSTEM = 10;
    private static final int NEW_GENERATION = SUBSYSTEM << 8 | 15;
    /** In all kinds of messages, but for those on the generation, the first attribute is the table's name. */
    private static final int NAME = 1;
    private static final int HEAD = 4;

    private final String table;
    private final NetlinkSocket ear;
    private final NetlinkSocket questions;
    private final Runnable wake;
    private volatile boolean disturbed;
    private volatile boolean closed;
    private int generation;

    private NftMonitor(String table, NetlinkSocket ear, NetlinkSocket questions, Runnable wake) {
        this.table = table;
        this.ear = ear;
        this.questions = questions;
        this.wake = wake;
    }

    /** Begins to listen for tables of a name; null if the kernel does not let us, which is told in the log. */
    public static @Nullable NftMonitor start(String table, Runnable wake) {
        try {
            NftMonitor monitor = new NftMonitor(
                    table, new NetlinkSocket(NetlinkSocket.NETFILTER), new NetlinkSocket(NetlinkSocket.NETFILTER), wake);
            NftGeneration.read(monitor.ear);   // a socket that has sent nothing has no address, and is told nothing
            monitor.ear.join(GROUP, true);
            Thread.ofPlatform().name("cairn-nft-monitor").daemon().start(monitor::listen);
            return monitor;
        } catch (NetlinkException e) {
            LOG.warning("what others change in nftables will be noticed late: it cannot be listened for (" + e.getMessage() + ")");
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
                        LOG.warning("what others change in nftables will be noticed late from now on: " + e.getMessage());
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

    private boolean isOurs(ByteBuffer payload) {
        return Attribute.list(payload, HEAD).stream().anyMatch(attribute -> attribute.type() == NAME && attribute.text().equals(table));
    }

    private void disturb() {
        disturbed = true;
        wake.run();
    }

    public boolean isDisturbed() {
        return disturbed;
    }

    /** What was heard is about to be looked into. */
    public void clear() {
        disturbed = false;
    }

    /** We are about to change something. */
    public void pause() {
        try {
            generation = NftGeneration.read(questions);
            ear.join(GROUP, false);
        } catch (NetlinkException _) {
            disturbed = true;
        }
    }

    /** We have changed something, by so many transactions. */
    public void resume(int transactions) {
        try {
            ear.join(GROUP, true);
            disturbed |= NftGeneration.read(questions) != generation + transactions;
        } catch (NetlinkException _) {
            disturbed = true;
        }
    }

    @Override
    public void close() {
        closed = true;
        questions.close();
    }
}
