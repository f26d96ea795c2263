package dev.cairn.plugin.transfer;

import dev.cairn.wire.QueryView;
import dev.cairn.wire.WireName;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Who may have which zones.
 *
 * @param anybody whether every address may fetch
 * @param peers those who may fetch and are told of changes
 * @param source the address to tell them from; null for that of the kernel's choice
 */
record TransferRule(List<WireName> zones, boolean anybody, List<InetSocketAddress> peers, @Nullable InetAddress source) {
    boolean allows(InetAddress client) {
        return anybody || peers.stream().anyMatch(peer -> peer.getAddress().equals(client));
    }

    /** The rule with the longest zone that has the question's name; null if there is none. */
    static @Nullable TransferRule of(List<TransferRule> rules, QueryView query) {
        return longest(rules, query::isWithin);
    }

    static @Nullable TransferRule of(List<TransferRule> rules, WireName name) {
        return longest(rules, name::isWithin);
    }

    private static @Nullable TransferRule longest(List<TransferRule> rules, Predicate<WireName> within) {
        TransferRule best = null;
        int length = 0;
        for (TransferRule rule : rules) {
            for (WireName zone : rule.zones) {
                if (zone.length() > length && within.test(zone)) {
                    best = rule;
                    length = zone.length();
                }
            }
        }
        return best;
    }
}
