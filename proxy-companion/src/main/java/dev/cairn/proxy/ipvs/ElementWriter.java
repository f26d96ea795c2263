package dev.cairn.proxy.ipvs;

import dev.cairn.facts.Address;
import dev.cairn.facts.Protocol;
import dev.cairn.proxy.netlink.NetlinkException;
import dev.cairn.proxy.netlink.NetlinkSocket;
import dev.cairn.proxy.sync.ApplyFailure;
import java.util.Collection;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Puts elements into sets of the kernel, or takes them out. */
interface ElementWriter {
    void write(boolean add, Collection<Element> elements) throws ApplyFailure;

    /** The netlink socket of netfilter, opened when first used. Used by one thread at a time. */
    class Sockets implements AutoCloseable {
        private @Nullable NetlinkSocket socket;

        NetlinkSocket open() throws NetlinkException {
            return new NetlinkSocket(NetlinkSocket.NETFILTER);
        }

        NetlinkSocket get() throws NetlinkException {
            if (socket == null) {
                socket = open();
            }
            return socket;
        }

        @Override
        public void close() {
            if (socket != null) {
                socket.close();
                socket = null;
            }
        }
    }

    static byte[] address(String text) {
        return Objects.requireNonNull(Address.parse(text)).bytes();
    }

    /** The number that IP has for a protocol. */
    static int number(String protocol) {
        return NetlinkBalancer.number(Protocol.valueOf(protocol.toUpperCase(Locale.ROOT)));
    }
}
