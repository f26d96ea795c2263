package dev.cairn.plugin.bufsize;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Plugin;
import dev.cairn.chain.Step;

/** Lowers the UDP size that the client's OPT announces; a query without OPT has the lowest already. */
final class BufsizePlugin implements Plugin {
    private final int size;

    BufsizePlugin(int size) {
        this.size = size;
    }

    @Override
    public String name() {
        return "bufsize";
    }

    @Override
    public Step query(Exchange exchange) {
        exchange.query().capUdpSize(size);
        return Step.NEXT;
    }
}
