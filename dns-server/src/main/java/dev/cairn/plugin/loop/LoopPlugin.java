package dev.cairn.plugin.loop;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Plugin;
import dev.cairn.chain.Step;
import dev.cairn.log.Log;
import dev.cairn.wire.AddressText;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.Rcode;

/** Looks out for questions that were sent to upstreams and come back. */
final class LoopPlugin implements Plugin {
    private static final Log LOG = Log.plugin("loop");
    private static final Probe[] NONE = {};

    private final boolean exits;
    private volatile Probe[] probes = NONE;

    /** @param exits whether the process ends when a loop is found */
    LoopPlugin(boolean exits) {
        this.exits = exits;
    }

    /** Looks out for these from now on. */
    void expect(Probe... sent) {
        probes = sent;
    }

    @Override
    public String name() {
        return "loop";
    }

    @Override
    public Step query(Exchange exchange) {
        if (exchange.query().type() != DnsType.HINFO) {
            return Step.NEXT;
        }
        for (Probe probe : probes) {
            if (exchange.query().is(probe.name())) {
                found(probe, exchange);
                return exchange.refuse(Rcode.SERVFAIL);
            }
        }
        return Step.NEXT;
    }

    private void found(Probe probe, Exchange exchange) {
        if (!probe.found().compareAndSet(false, true)) {
            return;
        }
        StringBuilder client = new StringBuilder();
        AddressText.appendBracketed(client, exchange.clientAddress(), exchange.addressLength());
        String what = "Loop (" + client + ":" + exchange.clientPort() + " -> " + exchange.route().server() + ") detected for zone \""
                + exchange.route().zone() + "\": the upstream " + probe.label() + " sends queries back to this server";
        probe.forwarding().exclude(probe.destination(), what);
        LOG.error(what + ". " + (exits ? "The server ends" : "It is asked no more")
                + "; give forward an upstream that is not this server, see docs/plugins/loop.md. Query: \"HINFO " + probe.name() + "\"");
        if (exits) {
            // Not on this thread, which has to come to its end for the sockets to be closed.
            Thread.ofPlatform().name("cairn-loop-exit").start(() -> System.exit(1));
        }
    }
}
