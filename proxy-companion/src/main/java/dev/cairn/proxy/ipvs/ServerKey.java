package dev.cairn.proxy.ipvs;

import dev.cairn.facts.Protocol;
import dev.cairn.proxy.plan.Endpoint;

/** What the kernel knows a virtual server by. */
record ServerKey(Protocol protocol, Endpoint at) {
    boolean isIpv4() {
        return at.address().isIpv4();
    }

    /** As ipvsadm writes it: {@code -t 10.96.0.1:443}. */
    @Override
    public String toString() {
        return switch (protocol) {
            case TCP -> "-t ";
            case UDP -> "-u ";
            case SCTP -> "--sctp-service ";
        } + at;
    }
}
