package dev.cairn.plugin.loadbalance;

import dev.cairn.wire.Answer.Part;
import dev.cairn.wire.Answer.Section;
import dev.cairn.wire.DnsClass;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.Network;
import dev.cairn.wire.RrSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Networks whose addresses go first, the earlier named before the later. Immutable. */
final class Preference {
    private final Network[] networks;

    Preference(List<Network> networks) {
        this.networks = networks.toArray(Network[]::new);
    }

    /** Sorts the addresses of a set, which otherwise stay in the order they are in. */
    void apply(Part part) {
        RrSet set = part.set();
        boolean isAddress = set.type() == DnsType.A || set.type() == DnsType.AAAA;
        if (networks.length == 0 || !isAddress || part.section() == Section.AUTHORITY) {
            return;
        }
        List<byte[]> addresses = new ArrayList<>(set.count());
        for (int i = 0; i < set.count(); i++) {
            addresses.add(set.data((part.first() + i) % set.count()));
        }
        addresses.sort(Comparator.comparingInt(this::rank));
        part.replace(RrSet.of(set.owner(), set.type(), DnsClass.IN, set.ttl(), addresses));
    }

    private int rank(byte[] address) {
        int rank = 0;
        while (rank < networks.length && !networks[rank].contains(address, address.length)) {
            rank++;
        }
        return rank;
    }
}
