package dev.cairn.plugin.acl;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Plugin;
import dev.cairn.chain.Step;
import dev.cairn.plugin.RouteCounter;
import dev.cairn.plugin.acl.AclMetrics.ZoneCounters;
import dev.cairn.wire.EdnsOption;
import dev.cairn.wire.Rcode;
import java.util.List;

/** Asks each rule in turn until one decides; what none forbids is allowed. */
final class AclPlugin implements Plugin {
    /** The EDNS option Extended DNS Error (RFC 8914 section 2), whose data starts with a code. */

    private static final byte[] BLOCKED = {0, 15}; // RFC 8914 section 4.16
    private static final byte[] FILTERED = {0, 17}; // RFC 8914 section 4.18

    private final Rule[] rules;
    private final RouteCounter allowed;

    AclPlugin(List<Rule> rules, RouteCounter allowed) {
        this.rules = rules.toArray(Rule[]::new);
        this.allowed = allowed;
    }

    @Override
    public String name() {
        return "acl";
    }

    @Override
    public boolean takesNotify() {
        return true;
    }

    @Override
    public Step query(Exchange exchange) {
        for (Rule rule : rules) {
            ZoneCounters zone = rule.zoneOf(exchange.query());
            Action action = zone == null ? null : rule.decide(exchange);
            if (zone != null && action != null) {
                return act(exchange, action, zone);
            }
        }
        return allow(exchange);
    }

    private Step act(Exchange exchange, Action action, ZoneCounters zone) {
        return switch (action) {
            case ALLOW -> allow(exchange);
            case BLOCK -> {
                zone.blocked().increment(exchange.route());
                exchange.answer().addOption(EdnsOption.EXTENDED_ERROR, BLOCKED);
                yield exchange.refuse(Rcode.REFUSED);
            }
            case FILTER -> {
                zone.filtered().increment(exchange.route());
                exchange.answer().addOption(EdnsOption.EXTENDED_ERROR, FILTERED);
                yield exchange.refuse(Rcode.NOERROR);
            }
            case DROP -> {
                zone.dropped().increment(exchange.route());
                yield Step.DROPPED;
            }
        };
    }

    private Step allow(Exchange exchange) {
        allowed.increment(exchange.route());
        return Step.NEXT;
    }
}
