package dev.cairn.plugin.transfer;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Plugin;
import dev.cairn.chain.Step;
import dev.cairn.log.Log;
import dev.cairn.plugin.ZoneContent;
import dev.cairn.plugin.ZoneListener;
import dev.cairn.plugin.ZoneSource;
import dev.cairn.wire.Answer.Section;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.HeaderFlag;
import dev.cairn.wire.Rcode;
import dev.cairn.wire.WireName;
import dev.cairn.zone.StaticZone;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Message;
import org.xbill.DNS.SOARecord;

/** Answers AXFR and IXFR; all else passes by. */
final class TransferPlugin implements Plugin, ZoneListener {
    private static final Log LOG = Log.plugin("transfer");

    private final List<TransferRule> rules;
    private final Notifier notifier;
    private volatile List<ZoneSource> sources = List.of();

    TransferPlugin(List<TransferRule> rules, Notifier notifier) {
        this.rules = rules;
        this.notifier = notifier;
    }

    @Override
    public String name() {
        return "transfer";
    }

    /** Says where zones come from; the first that has a zone is asked for it. */
    void sources(List<ZoneSource> all) {
        sources = List.copyOf(all);
    }

    @Override
    public void changed(WireName zone) {
        TransferRule rule = TransferRule.of(rules, zone);
        if (rule != null && !rule.peers().isEmpty()) {
            notifier.tell(zone, rule);
        }
    }

    @Override
    public Step query(Exchange exchange) {
        int type = exchange.query().type();
        if (type != DnsType.AXFR && type != DnsType.IXFR) {
            return Step.NEXT;
        }
        if (!exchange.takesStreams()) {
            return exchange.refuse(Rcode.REFUSED); // a transfer does not fit into a datagram (RFC 5936 section 4.2)
        }
        TransferRule rule = TransferRule.of(rules, exchange.query());
        if (rule == null) {
            return Step.NEXT;
        }
        InetAddress client = exchange.client();
        if (!rule.allows(client)) {
            return exchange.refuse(Rcode.REFUSED);
        }
        WireName zone = WireName.of(exchange.query().name(), 0, exchange.query().nameLength());
        for (ZoneSource source : sources) {
            if (source.hasZone(zone)) {
                return transfer(exchange, zone, source.content(zone), client);
            }
        }
        return Step.NEXT;
    }

    private static Step transfer(Exchange exchange, WireName zone, @Nullable ZoneContent content, InetAddress client) {
        if (content == null) {
            return exchange.fail(Rcode.SERVFAIL, "zone " + zone + " is not there yet, or has expired");
        }
        int serial = StaticZone.serialOf(content.soa());
        if (exchange.query().type() == DnsType.IXFR) {
            Integer known = serialOfClient(exchange);
            if (known == null) {
                return exchange.refuse(Rcode.FORMERR);
            }
            // RFC 1995 section 2: to one that is up to date (RFC 1982 arithmetic), the SOA alone.
            if (known - serial >= 0) {
                exchange.answer().add(Section.ANSWER, content.soa());
                tell("Outgoing noop, incremental transfer for up to date zone \"" + zone + "\" to ", client, serial);
                return Step.ANSWERED;
            }
        }
        exchange.answer().set(HeaderFlag.AA);
        TransferStream stream = new TransferStream(content, records ->
                tell("Outgoing transfer of " + records + " records of zone \"" + zone + "\" to ", client, serial));
        stream.next(exchange.answer());
        exchange.stream(stream);
        return Step.ANSWERED;
    }

    private static void tell(String what, InetAddress client, int serial) {
        LOG.offer(Log.Level.INFO, what + client.getHostAddress() + " for " + Integer.toUnsignedString(serial) + " SOA serial");
    }

    /** The serial that the client has, from its authority section (RFC 1995 section 3); null if there is none. */
    private static @Nullable Integer serialOfClient(Exchange exchange) {
        try {
            Message query = new Message(Arrays.copyOf(exchange.query().message(), exchange.query().length()));
            var authority = query.getSection(org.xbill.DNS.Section.AUTHORITY);
            return authority.size() == 1 && authority.getFirst() instanceof SOARecord soa ? (Integer) (int) soa.getSerial() : null;
        } catch (IOException e) {
            return null;
        }
    }
}
