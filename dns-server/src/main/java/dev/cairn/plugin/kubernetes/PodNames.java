package dev.cairn.plugin.kubernetes;

import dev.cairn.facts.Address;
import dev.cairn.facts.PodFact;
import dev.cairn.plugin.kubernetes.KubernetesSettings.PodMode;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.Rdata;
import dev.cairn.wire.WireName;
import dev.cairn.zone.ClusterStore;
import dev.cairn.zone.NameEntry;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Names of pods, which spell an address: {@code 10-1-2-3.NAMESPACE.pod.ZONE}. Made when asked for. */
final class PodNames {
    private final PodMode mode;
    private final int ttl;

    PodNames(PodMode mode, int ttl) {
        this.mode = mode;
        this.ttl = ttl;
    }

    /** What the question's name, whose first label spells an address, stands for; null if it does not exist. */
    @Nullable NameEntry find(QueryView query, ClusterStore store) {
        Address address = spelled(label(query, 0));
        if (address == null || (mode == PodMode.VERIFIED && !isOfPod(address, label(query, 1), store))) {
            return null;
        }
        WireName owner = WireName.of(query.name(), 0, query.nameLength());
        boolean ipv4 = address.isIpv4();
        var set = Rdata.single(owner, ipv4 ? DnsType.A : DnsType.AAAA, ttl, Rdata.address(address.bytes()));
        return new NameEntry(ipv4 ? set : null, ipv4 ? null : set, null, List.of(), null);
    }

    private static boolean isOfPod(Address address, String namespace, ClusterStore store) {
        for (PodFact pod : store.podsWith(address)) {
            if (pod.namespace().equals(namespace)) {
                return true;
            }
        }
        return false;
    }

    private static String label(QueryView query, int index) {
        int at = query.labelAt(index);
        return new String(query.name(), at + 1, query.name()[at], StandardCharsets.ISO_8859_1);
    }

    /** Three dashes between numbers are an IPv4 address, anything else an IPv6 address. */
    private static @Nullable Address spelled(String label) {
        boolean ipv4 = label.chars().filter(c -> c == '-').count() == 3 && !label.contains("--");
        return Address.parse(label.replace('-', ipv4 ? '.' : ':'));
    }
}
