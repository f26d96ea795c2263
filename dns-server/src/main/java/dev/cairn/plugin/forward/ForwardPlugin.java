package dev.cairn.plugin.forward;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Plugin;
import dev.cairn.chain.Step;
import dev.cairn.plugin.Forwarding;
import dev.cairn.plugin.MetadataProvider;
import dev.cairn.plugin.MetadataValue;
import dev.cairn.wire.DnsClass;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.Rcode;
import dev.cairn.wire.WireName;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Keeps the queries that are to be forwarded, until a {@link Forwarder} has an answer. */
final class ForwardPlugin implements Plugin, Forwarding, MetadataProvider {
    private final WireName from;
    private final WireName[] except;
    private volatile @Nullable Forwarder forwarder;

    ForwardPlugin(ForwardSettings settings) {
        from = settings.from();
        except = settings.except().toArray(WireName[]::new);
    }

    /** Puts upstreams behind the plugin, null to take them away. */
    void serve(@Nullable Forwarder started) {
        forwarder = started;
    }

    @Override
    public String name() {
        return "forward";
    }

    @Override
    public List<Integer> otherClasses() {
        return List.of(DnsClass.CH, DnsClass.HS, DnsClass.ANY);
    }

    @Override
    public Step query(Exchange exchange) {
        QueryView query = exchange.query();
        if (!query.isWithin(from) || (query.isWithinAny(except) && !query.is(from))) {
            return Step.NEXT;
        }
        if (query.type() == DnsType.AXFR || query.type() == DnsType.IXFR) {
            return exchange.refuse(Rcode.NOTIMP); // a transfer is many messages, and belongs to transfer and secondary
        }
        Forwarder to = forwarder;
        if (to == null) {
            exchange.momentary();
            return exchange.fail(Rcode.SERVFAIL, "forward has been stopped"); // no error of the network, which is what Call would tell
        }
        return to.forward(exchange);
    }

    @Override
    public WireName zone() {
        return from;
    }

    @Override
    public List<String> destinations() {
        Forwarder to = forwarder;
        return to == null ? List.of() : to.labels();
    }

    @Override
    public void probe(int destination, WireName name, int type, Consumer<Boolean> answered) {
        Forwarder to = forwarder;
        if (to == null) {
            answered.accept(false);
        } else {
            to.probe(destination, name, type, answered);
        }
    }

    @Override
    public void exclude(int destination, String reason) {
        Forwarder to = forwarder;
        if (to != null) {
            to.exclude(destination, reason);
        }
    }

    @Override
    public Map<String, MetadataValue> metadata() {
        return Map.of("forward/upstream", Exchange::upstream);
    }
}
