package dev.cairn.plugin.kubernetes;

import dev.cairn.wire.WireName;
import java.util.List;
import java.util.Set;

/**
 * What the directive asks for.
 *
 * @param zones forward and reverse zones, in the order of the directive
 * @param primary the first that is not a reverse zone: PTR records point into it
 * @param namespaces those whose names are told; empty for all
 * @param fallthrough the zones in which unknown names go to the next plugin
 * @param imported the zones that hold imported services
 */
public record KubernetesSettings(
        List<WireName> zones,
        WireName primary,
        Set<String> namespaces,
        int ttl,
        PodMode pods,
        boolean podNames,
        boolean emptyServices,
        boolean zonal,
        Set<WireName> imported,
        List<WireName> fallthrough) {
    /** What names of the form {@code A-B-C-D.NAMESPACE.pod} stand for. */
    public enum PodMode {
        /** Nothing. */
        DISABLED,
        /** The address they spell, whoever has it. */
        INSECURE,
        /** The address they spell, if a pod of the namespace has it. */
        VERIFIED
    }

    /** Whether a zone holds names of addresses. */
    public static boolean isReverse(WireName zone) {
        return zone.isWithin(WireName.parse("in-addr.arpa.")) || zone.isWithin(WireName.parse("ip6.arpa."));
    }
}
