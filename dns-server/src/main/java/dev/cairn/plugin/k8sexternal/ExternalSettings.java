package dev.cairn.plugin.k8sexternal;

import dev.cairn.wire.WireName;
import java.util.List;

/**
 * What the directive says.
 *
 * @param zones at least one; PTR records point into the first
 * @param apex the label below which a zone's name server stands
 * @param headless whether endpoints of services are told too
 * @param through the zones in which unknown names go on to other plugins
 */
record ExternalSettings(List<WireName> zones, String apex, int ttl, boolean headless, List<WireName> through) {
    private static final WireName IPV4_REVERSE = WireName.parse("in-addr.arpa.");
    private static final WireName IPV6_REVERSE = WireName.parse("ip6.arpa.");

    /** The zones that have names of services. */
    List<WireName> forwardZones() {
        return zones.stream().filter(zone -> !zone.isWithin(IPV4_REVERSE) && !zone.isWithin(IPV6_REVERSE)).toList();
    }
}
