package dev.cairn.proxy.ipvs;

import dev.cairn.cluster.control.AddressRange;
import dev.cairn.facts.Address;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * What is set for IPVS as a whole.
 *
 * @param scheduler how connections are spread, unless a service says otherwise
 * @param excluded where virtual servers and addresses that we do not know are left alone
 * @param strictArp whether only the link that has an address answers for it
 * @param tcpTimeout 0 for what the kernel has; so are the others
 * @param drain how long a real server that is to go may keep its connections at most
 */
public record IpvsOptions(
        String scheduler,
        List<AddressRange> excluded,
        boolean strictArp,
        Duration tcpTimeout,
        Duration tcpFinTimeout,
        Duration udpTimeout,
        Duration drain,
        int masqueradeBit) {
    public static final String USUAL_SCHEDULER = "rr";
    public static final Duration USUAL_DRAIN = Duration.ofMinutes(15);
    /** Those that Linux has. */
    private static final Set<String> SCHEDULERS =
            Set.of("rr", "wrr", "lc", "wlc", "lblc", "lblcr", "sh", "dh", "sed", "nq", "fo", "ovf", "mh");

    public IpvsOptions {
        excluded = List.copyOf(excluded);
        if (!isScheduler(scheduler)) {
            throw new IllegalArgumentException("ipvs.scheduler \"" + scheduler
                    + "\" is unknown: write rr, wrr, lc, wlc, sh, dh, sed, nq or mh");
        }
    }

    static boolean isScheduler(String name) {
        return SCHEDULERS.contains(name);
    }

    boolean isExcluded(Address address) {
        return excluded.stream().anyMatch(range -> range.contains(address));
    }
}
