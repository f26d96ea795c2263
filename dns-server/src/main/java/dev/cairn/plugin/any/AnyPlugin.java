package dev.cairn.plugin.any;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Plugin;
import dev.cairn.chain.Step;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.Rdata;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;

/** Answers ANY with one HINFO record (RFC 8482 section 4.2). */
final class AnyPlugin implements Plugin {
    private static final int TTL = 8482;
    private static final RrSet REPLY = Rdata.single(WireName.ROOT, DnsType.HINFO, TTL, Rdata.hinfo("ANY obsoleted", "See RFC 8482"));

    @Override
    public String name() {
        return "any";
    }

    @Override
    public Step query(Exchange exchange) {
        if (exchange.query().type() != DnsType.ANY) {
            return Step.NEXT;
        }
        exchange.answer().addForQuestion(REPLY);
        return Step.ANSWERED;
    }
}
