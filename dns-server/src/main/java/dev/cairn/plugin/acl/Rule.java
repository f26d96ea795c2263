package dev.cairn.plugin.acl;

import dev.cairn.chain.Exchange;
import dev.cairn.plugin.ZoneValues;
import dev.cairn.plugin.acl.AclMetrics.ZoneCounters;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.WireName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One use of the directive: policies for some zones. Immutable but for what it counts. */
final class Rule {
    private final ZoneValues<ZoneCounters> zones;
    private final Policy[] policies;

    Rule(List<WireName> zones, List<Policy> policies, AclMetrics metrics) {
        // The longest zone that matches is the one that metrics name.
        this.zones = ZoneValues.longest(zones.stream().distinct().map(metrics::of).toList(), ZoneCounters::zone);
        this.policies = policies.toArray(Policy[]::new);
    }

    /** The zone of the rule that the question is in, null if it is in none. */
    @Nullable ZoneCounters zoneOf(QueryView query) {
        return zones.of(query);
    }

    /** What the first policy that matches says, null if none does. */
    @Nullable Action decide(Exchange exchange) {
        for (Policy policy : policies) {
            if (policy.matches(exchange)) {
                return policy.action();
            }
        }
        return null;
    }
}
