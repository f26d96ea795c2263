package dev.cairn.plugin.secondary;

import dev.cairn.authority.LiveZones;
import dev.cairn.authority.ZonesPlugin;
import dev.cairn.chain.Exchange;
import dev.cairn.chain.Step;
import dev.cairn.log.Log;
import dev.cairn.wire.HeaderFlag;
import java.net.InetAddress;
import java.util.List;

/** Answers from the zones as they were fetched last. */
final class SecondaryPlugin extends ZonesPlugin {
    private static final Log LOG = Log.plugin("secondary");

    private final List<Served> served;
    private final LiveZones zones;

    SecondaryPlugin(List<Served> served) {
        this.served = List.copyOf(served);
        this.zones = new LiveZones(served.stream().map(Served::zone).toList());
    }

    @Override
    public String name() {
        return "secondary";
    }

    @Override
    protected LiveZones zones() {
        return zones;
    }

    @Override
    public boolean takesNotify() {
        return true;
    }

    @Override
    public Step query(Exchange exchange) {
        return exchange.query().isNotify() ? notified(exchange) : super.query(exchange);
    }

    private Step notified(Exchange exchange) {
        for (Served one : served) {
            if (exchange.query().is(one.zone().origin())) {
                return notified(exchange, one);
            }
        }
        return Step.NEXT;
    }

    /** One that is not from a primary is not heard (RFC 1996 section 3.10), and not answered either. */
    private static Step notified(Exchange exchange, Served one) {
        InetAddress from = exchange.client();
        String about = from.getHostAddress() + " for " + one.zone().origin();
        if (!one.isPrimary(from)) {
            LOG.offer(Log.Level.INFO, "Dropping notify from " + about);
            return Step.DROPPED;
        }
        LOG.offer(Log.Level.INFO, "Notify from " + about + ": checking transfer");
        one.wake();
        exchange.answer().set(HeaderFlag.AA);
        return Step.ANSWERED;
    }
}
