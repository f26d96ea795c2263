package dev.cairn.plugin.acl;

import dev.cairn.chain.Exchange;
import dev.cairn.wire.Network;
import java.util.BitSet;
import java.util.List;
import java.util.Set;

/** One line of a rule: an action for some types and sources. Immutable. */
final class Policy {
    private final Action action;
    private final BitSet types = new BitSet();
    private final AddressRanges ipv4;
    private final AddressRanges ipv6;

    /**
     * @param types the types it is for; empty for all
     * @param sources where matching queries come from
     */
    Policy(Action action, Set<Integer> types, List<Network> sources) {
        this.action = action;
        this.ipv4 = new AddressRanges(sources, 4);
        this.ipv6 = new AddressRanges(sources, 16);
        types.forEach(this.types::set);
    }

    Action action() {
        return action;
    }

    boolean matches(Exchange exchange) {
        return (types.isEmpty() || types.get(exchange.query().type()))
                && (exchange.addressLength() == 4 ? ipv4 : ipv6).contains(exchange.clientAddress());
    }
}
