package dev.cairn.proxy.plan;

import dev.cairn.facts.Address;

/** Where a packet is sent in the end. In the order of addresses, then of ports. */
public record Endpoint(Address address, int port) implements Comparable<Endpoint> {
    @Override
    public int compareTo(Endpoint that) {
        int order = address.compareTo(that.address);
        return order != 0 ? order : Integer.compare(port, that.port);
    }

    /** {@code 10.0.0.1:80} or {@code [fd00::1]:80}. */
    @Override
    public String toString() {
        return address.isIpv4() ? address + ":" + port : "[" + address + "]:" + port;
    }
}
