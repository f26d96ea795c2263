package dev.cairn.proxy.netlink;

import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;

/** The number that the kernel counts up with each transaction of nftables, whoever's it is. Numbers are those of linux' nf_tables.h. */
public final class NftGeneration {
    private static final int SUBSYSTEM = 10;
    private static final int GET = SUBSYSTEM << 8 | 16;
    private static final int ID = 1;
    private static final int HEAD = 4;

    private NftGeneration() {}

    /** Asks by a socket of netfilter. */
    public static int read(NetlinkSocket socket) throws NetlinkException {
        AtomicInteger found = new AtomicInteger();
        socket.ask("asking for the generation of nftables", new Message(GET, 0).u8(0).u8(0).u16(0), (_, answer) ->
                Attribute.list(answer, HEAD).stream()
                        .filter(attribute -> attribute.type() == ID)
                        .forEach(attribute -> found.set(attribute.content().duplicate().order(ByteOrder.BIG_ENDIAN).getInt())));
        return found.get();
    }
}
