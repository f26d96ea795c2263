package dev.cairn.plugin.k8sexternal;

import dev.cairn.chain.Exchange;
import dev.cairn.facts.Address;
import dev.cairn.plugin.ZoneContent;
import dev.cairn.wire.Answer.Section;
import dev.cairn.wire.DnsClass;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.Rcode;
import dev.cairn.wire.Rdata;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What one zone says of itself: its SOA and its one name server. */
final class ExternalZone {
    private final WireName zone;
    private final int ttl;
    private final WireName apex;
    private final WireName nameServer;
    private final WireName mailbox;
    private final RrSet nameServers;
    private volatile @Nullable DatedSoa soa;

    /** @param serial of the store when the record was made */
    private record DatedSoa(int serial, RrSet record) {}

    ExternalZone(WireName zone, ExternalSettings settings) {
        this.zone = zone;
        this.ttl = settings.ttl();
        apex = zone.child(settings.apex());
        nameServer = apex.child("ns1");
        mailbox = apex.child("hostmaster");
        nameServers = Rdata.single(zone, DnsType.NS, ttl, Rdata.name(nameServer));
    }

    WireName zone() {
        return zone;
    }

    RrSet soa(ExternalIndex index) {
        int serial = index.store().serial();
        DatedSoa known = soa;
        if (known == null || known.serial() != serial) {
            byte[] data = Rdata.soa(nameServer, mailbox, serial, 7200, 1800, 86400, ttl);
            known = new DatedSoa(serial, Rdata.single(zone, DnsType.SOA, ttl, data));
            soa = known;
        }
        return known.record();
    }

    /** Answers for the zone's own name and for what is below its apex label; returns whether the question was for one of them. */
    boolean answerOwn(Exchange exchange, ExternalIndex index) {
        QueryView query = exchange.query();
        if (query.is(zone)) {
            atZone(exchange, index);
        } else if (query.is(nameServer)) {
            RrSet addresses = switch (query.type()) {
                case DnsType.A -> addresses(index, true);
                case DnsType.AAAA -> addresses(index, false);
                default -> null;
            };
            if (addresses != null) {
                exchange.answer().addForQuestion(addresses);
            }
        } else if (!query.is(apex)) {
            if (!query.isWithin(apex)) {
                return false;
            }
            exchange.answer().rcode(Rcode.NXDOMAIN);
        }
        if (!exchange.answer().has(Section.ANSWER)) {
            exchange.answer().add(Section.AUTHORITY, soa(index));
        }
        return true;
    }

    private void atZone(Exchange exchange, ExternalIndex index) {
        if (exchange.query().type() == DnsType.SOA) {
            exchange.answer().addForQuestion(soa(index));
        } else if (exchange.query().type() == DnsType.NS) {
            exchange.answer().addForQuestion(nameServers);
            for (boolean ipv4 : new boolean[] {true, false}) {
                RrSet addresses = addresses(index, ipv4);
                if (addresses != null) {
                    exchange.answer().add(Section.ADDITIONAL, addresses);
                }
            }
        }
    }

    /** All of it, as it is when it is walked. */
    ZoneContent content(ExternalIndex index) {
        return new ZoneContent(soa(index), () -> Stream.concat(
                Stream.of(nameServers, addresses(index, true), addresses(index, false))
                        .filter(Objects::nonNull)
                        .map(Objects::requireNonNull),
                index.sets(zone)).iterator());
    }

    private @Nullable RrSet addresses(ExternalIndex index, boolean ipv4) {
        List<byte[]> data = index.serverAddresses().stream()
                .filter(address -> address.isIpv4() == ipv4).sorted().map(Address::bytes).toList();
        return data.isEmpty() ? null : RrSet.of(nameServer, ipv4 ? DnsType.A : DnsType.AAAA, DnsClass.IN, ttl, data);
    }
}
