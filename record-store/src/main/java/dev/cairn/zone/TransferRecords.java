package dev.cairn.zone;

import dev.cairn.facts.Address;
import dev.cairn.facts.EndpointFact;
import dev.cairn.facts.PortFact;
import dev.cairn.facts.SliceFact;
import dev.cairn.wire.DnsClass;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.Rdata;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/** Gathers what a transfer of a cluster's zone tells of one service. Used by one thread. */
final class TransferRecords {
    private static final int WHOLE_WEIGHT = 100;

    private final WireName service;
    private final Map<Key, Collection<ByteBuffer>> sets = new LinkedHashMap<>();

    private record Key(WireName owner, int type) {}

    TransferRecords(WireName service) {
        this.service = service;
    }

    private void add(WireName owner, int type, byte[] data) {
        // Endpoints that share a name are told once for each as services, as CoreDNS does; others keep one (RFC 2181 section 5).
        sets.computeIfAbsent(new Key(owner, type), _ -> type == DnsType.SRV ? new ArrayList<>() : new LinkedHashSet<>())
                .add(ByteBuffer.wrap(data));
    }

    private void addAddress(WireName owner, Address address) {
        add(owner, address.isIpv4() ? DnsType.A : DnsType.AAAA, address.bytes());
    }

    void addAlias(WireName target) {
        add(service, DnsType.CNAME, Rdata.name(target));
    }

    /** The addresses of a service and its ports, each at the service's own name, too. */
    void addCluster(List<Address> addresses, List<PortFact> ports) {
        addresses.forEach(address -> addAddress(service, address));
        for (PortFact port : ports) {
            byte[] data = Rdata.srv(0, WHOLE_WEIGHT, port.port(), service);
            add(service, DnsType.SRV, data);
            addPort(port, data);
        }
    }

    /** The ready endpoints; those of a slice share the weight. */
    void addEndpoints(ServiceShape shape) {
        for (SliceFact slice : shape.slices()) {
            List<EndpointFact> ready = slice.endpoints().stream().filter(EndpointFact::ready).toList();
            for (EndpointFact endpoint : ready) {
                WireName name = shape.name(slice, endpoint);
                addAddress(service, endpoint.address());
                if (name != null) {
                    addAddress(name, endpoint.address());
                    int weight = Math.max(1, WHOLE_WEIGHT / ready.size());
                    slice.ports().forEach(port -> addPort(port, Rdata.srv(0, weight, port.port(), name)));
                }
            }
        }
    }

    private void addPort(PortFact port, byte[] data) {
        WireName owner = ServiceNames.portName(service, port);
        if (owner != null) {
            add(owner, DnsType.SRV, data);
        }
    }

    List<RrSet> sets(int ttl) {
        List<RrSet> made = new ArrayList<>();
        sets.forEach((key, data) ->
                made.add(RrSet.of(key.owner(), key.type(), DnsClass.IN, ttl, data.stream().map(ByteBuffer::array).toList())));
        return made;
    }
}
