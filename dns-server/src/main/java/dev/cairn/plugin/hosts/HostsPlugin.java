package dev.cairn.plugin.hosts;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Plugin;
import dev.cairn.chain.Step;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.HeaderFlag;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.Rcode;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;

/** Answers from the table its source has published last. */
final class HostsPlugin implements Plugin {
    private final HostsSource source;
    private final WireName[] zones;
    private final WireName[] through;
    private final boolean unsupportedThrough;

    HostsPlugin(HostsSettings settings, HostsSource source) {
        this.source = source;
        this.zones = settings.zones().toArray(WireName[]::new);
        this.through = settings.through().toArray(WireName[]::new);
        this.unsupportedThrough = settings.unsupportedThrough();
    }

    @Override
    public String name() {
        return "hosts";
    }

    /** What is in the table is in the zones, so they matter only to what is not there. */
    @Override
    public Step query(Exchange exchange) {
        QueryView query = exchange.query();
        HostsTable table = source.table();
        RrSet set = table.find(query);
        if (set != null) {
            exchange.answer().addForQuestion(set);
            exchange.answer().set(HeaderFlag.AA);
            return Step.ANSWERED;
        }
        int type = query.type();
        if (type == DnsType.PTR || !query.isWithinAny(zones)) {
            return Step.NEXT;
        }
        boolean supported = type == DnsType.A || type == DnsType.AAAA;
        if (unsupportedThrough && !supported && query.isWithinAny(through)) {
            return Step.NEXT;
        }
        if (table.knows(query)) {
            exchange.answer().set(HeaderFlag.AA);
            return Step.ANSWERED;
        }
        // A hosts file has no SOA, without which a client could not keep an NXDOMAIN (RFC 2308 section 5); CoreDNS says SERVFAIL, too.
        return query.isWithinAny(through) ? Step.NEXT : exchange.refuse(Rcode.SERVFAIL);
    }
}
