package dev.cairn.proxy;

import dev.cairn.cluster.control.AddressRange;
import dev.cairn.proxy.config.ProxyConfig;
import dev.cairn.proxy.config.ProxyMode;
import dev.cairn.proxy.iptables.IptablesBackend;
import dev.cairn.proxy.ipvs.IpvsBackend;
import dev.cairn.proxy.ipvs.IpvsOptions;
import dev.cairn.proxy.nft.NftBackend;
import dev.cairn.proxy.plan.Carrier;
import dev.cairn.proxy.plan.NodeView;
import dev.cairn.proxy.plan.Outcome;
import dev.cairn.proxy.plan.ServiceName;
import dev.cairn.proxy.sync.ApplyFailure;
import dev.cairn.proxy.sync.Backend;
import dev.cairn.proxy.userspace.UserspaceBackend;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes backends: the one place that knows them all. */
final class Backends {
    private Backends() {}

    /** A backend for a mode. It touches nothing before it is used. */
    static Backend make(ProxyMode mode, ProxyConfig settings) {
        return switch (mode) {
            case NFTABLES -> counts(settings) ? nft(settings).counting() : nft(settings);
            case IPTABLES -> IptablesBackend.of(OwnNode.families(), settings.masqueradeBit(), settings.iptablesVariant(),
                    settings.flag("conntrack.tcpBeLiberal", false), settings.traffic(NodeView.UNKNOWN).hasLocalhostNodePorts());
            case IPVS -> IpvsBackend.of(OwnNode.families(), ipvs(settings));
            case USERSPACE -> UserspaceBackend.of(OwnNode.families(), settings.masqueradeBit(), settings.udpIdle());
        };
    }

    private static NftBackend nft(ProxyConfig settings) {
        return NftBackend.of(OwnNode.families(), settings.masqueradeBit());
    }

    /** What leads packets to endpoints in a mode. */
    static Carrier carrier(ProxyMode mode) {
        return switch (mode) {
            case NFTABLES, IPTABLES -> Carrier.RULES;
            case IPVS -> Carrier.VIRTUAL_SERVERS;
            case USERSPACE -> Carrier.RELAY;
        };
    }

    /** Where to look for what sends a packet on, in the words of the mode's tools. */
    static String where(ProxyMode mode, Outcome.Match match) {
        return switch (mode) {
            case NFTABLES -> NftBackend.where(match.frontend());
            case IPTABLES -> IptablesBackend.where(match);
            case IPVS -> "a virtual server of IPVS";
            case USERSPACE -> "a listener of cairn-proxy";
        };
    }

    /** Whether connections to each service are counted. */
    private static boolean counts(ProxyConfig settings) {
        return settings.mode() == ProxyMode.NFTABLES && settings.flag("nftables.serviceCounters", false);
    }

    /** How many connections each service has had, for each that is counted. */
    static Map<ServiceName, Long> connections(ProxyConfig settings) {
        try {
            return counts(settings) ? NftBackend.connections(OwnNode.families()) : Map.of();
        } catch (ApplyFailure _) {
            return Map.of();   // they come back when nftables do
        }
    }

    /** Why this machine cannot do a mode, in one line; null if it can. The kernel and its tools are really asked, and nothing is changed. */
    static @Nullable String probe(ProxyMode mode, ProxyConfig settings) {
        return switch (mode) {
            case NFTABLES -> NftBackend.probe(OwnNode.families());
            case IPTABLES -> IptablesBackend.probe(OwnNode.families(), settings.iptablesVariant());
            case IPVS -> IpvsBackend.probe(OwnNode.families());
            case USERSPACE -> UserspaceBackend.probe(OwnNode.families());
        };
    }

    /**
     * What is set for IPVS.
     *
     * @throws IllegalArgumentException with a sentence for the user
     */
    static IpvsOptions ipvs(ProxyConfig settings) {
        return new IpvsOptions(
                settings.text("ipvs.scheduler", IpvsOptions.USUAL_SCHEDULER),
                settings.list("ipvs.excludeCIDRs").stream().map(AddressRange::parse).toList(),
                settings.flag("ipvs.strictARP", false),
                settings.duration("ipvs.tcpTimeout", Duration.ZERO),
                settings.duration("ipvs.tcpFinTimeout", Duration.ZERO),
                settings.duration("ipvs.udpTimeout", Duration.ZERO),
                settings.duration("ipvs.drainTimeout", IpvsOptions.USUAL_DRAIN),
                settings.masqueradeBit());
    }
}
