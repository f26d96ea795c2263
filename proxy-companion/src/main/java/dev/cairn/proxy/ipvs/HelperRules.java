package dev.cairn.proxy.ipvs;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.proxy.plan.TrafficOptions;
import java.util.List;
import java.util.Set;

/** What the rules beside IPVS are made of. */
record HelperRules(List<IpFamily> families, TrafficOptions options, int masqueradeBit) {
    static final List<String> PROTOCOLS = List.of("tcp", "udp", "sctp");

    static HelperRules of(Set<IpFamily> families, TrafficOptions options, int masqueradeBit) {
        return new HelperRules(families.stream().sorted().toList(), options, masqueradeBit);
    }

    String mark() {
        return "0x" + Integer.toHexString(1 << masqueradeBit);
    }
}
