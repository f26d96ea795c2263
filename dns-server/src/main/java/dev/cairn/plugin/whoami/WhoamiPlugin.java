package dev.cairn.plugin.whoami;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Plugin;
import dev.cairn.chain.Step;
import dev.cairn.wire.Answer.Section;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.HeaderFlag;
import dev.cairn.wire.Rdata;
import dev.cairn.wire.WireName;
import java.util.Arrays;

/** Answers every question with the client's address as A or AAAA, and its port and protocol as SRV, in the additional section. */
final class WhoamiPlugin implements Plugin {
    @Override
    public String name() {
        return "whoami";
    }

    @Override
    public boolean cacheable() {
        return false;
    }

    @Override
    public Step query(Exchange exchange) {
        byte[] name = exchange.query().name();
        int length = exchange.query().nameLength();
        WireName owner = WireName.of(name, 0, length);
        byte[] address = Arrays.copyOf(exchange.clientAddress(), exchange.addressLength());
        exchange.answer().set(HeaderFlag.AA);
        exchange.answer().add(Section.ADDITIONAL,
                Rdata.single(owner, address.length == 4 ? DnsType.A : DnsType.AAAA, 0, Rdata.address(address)));
        String service = "_" + exchange.protocol().label() + ".";
        if (length + service.length() <= WireName.MAX_LENGTH) {
            WireName srv = WireName.parse(length == 1 ? service : service + owner);
            exchange.answer().add(Section.ADDITIONAL,
                    Rdata.single(srv, DnsType.SRV, 0, Rdata.srv(0, 0, exchange.clientPort(), WireName.ROOT)));
        }
        return Step.ANSWERED;
    }
}
