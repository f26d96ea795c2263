package dev.cairn.plugin.local;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Plugin;
import dev.cairn.chain.Step;
import dev.cairn.log.Log;
import dev.cairn.metrics.Counter;
import dev.cairn.plugin.ZoneValues;
import dev.cairn.wire.Answer.Section;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.Rcode;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Answers for {@code localhost}, names below it or (if wanted) starting with it, and the reverse zones of this host and of broadcast. */
final class LocalPlugin implements Plugin {
    private static final Log LOG = Log.plugin("local");
    private static final byte[] LOCALHOST_LABEL = "\tlocalhost".getBytes(StandardCharsets.US_ASCII); // a tab is 9, the label's length
    private static final ZoneValues<RrSet> REVERSE_SOAS = ZoneValues.first(
            Stream.of("127.in-addr.arpa.", "0.in-addr.arpa.", "255.in-addr.arpa.").map(WireName::parse).map(LocalRecords::soa).toList(),
            RrSet::owner);
    private static final WireName LOOPBACK = WireName.parse("1.0.0.127.in-addr.arpa.");
    private static final WireName ABOVE_LOOPBACK = WireName.parse("0.0.127.in-addr.arpa.");
    private static final WireName FAR_ABOVE_LOOPBACK = WireName.parse("0.127.in-addr.arpa.");
    private static final RrSet LOCALHOST_SOA = LocalRecords.soa(LocalRecords.LOCALHOST);

    private final boolean prefix;
    private final Counter special;

    /**
     * @param prefix whether names that start with {@code localhost} count
     * @param special counts questions for other names than {@code localhost} itself
     */
    LocalPlugin(boolean prefix, Counter special) {
        this.prefix = prefix;
        this.special = special;
    }

    @Override
    public String name() {
        return "local";
    }

    @Override
    public Step query(Exchange exchange) {
        QueryView query = exchange.query();
        if (query.isWithin(LocalRecords.LOCALHOST)) {
            return query.is(LocalRecords.LOCALHOST) ? apex(exchange, LOCALHOST_SOA) : special(exchange, LOCALHOST_SOA);
        }
        if (prefix && Arrays.equals(query.name(), 0, LOCALHOST_LABEL.length, LOCALHOST_LABEL, 0, LOCALHOST_LABEL.length)) {
            return special(exchange, null);
        }
        RrSet soa = REVERSE_SOAS.of(query);
        if (soa == null) {
            return Step.NEXT;
        }
        return query.is(soa.owner()) ? apex(exchange, soa) : reverse(exchange, soa);
    }

    /** The name of a zone: has SOA and NS, and addresses if it is {@code localhost}. */
    private static Step apex(Exchange exchange, RrSet soa) {
        return switch (exchange.query().type()) {
            case DnsType.SOA -> answer(exchange, soa);
            case DnsType.NS -> answer(exchange, LocalRecords.NS);
            default -> soa == LOCALHOST_SOA ? addresses(exchange, soa) : nothing(exchange, soa);
        };
    }

    /** @param soa of the zone the name is in, null if it stands for a zone of its own */
    private Step special(Exchange exchange, @Nullable RrSet soa) {
        special.increment();
        if (Log.debugging()) {
            QueryView query = exchange.query();
            LOG.debug("Intercepting localhost query for \"" + query.nameText() + "\" " + DnsType.toText(query.type()) + ", from "
                    + exchange.client().getHostAddress());
        }
        return addresses(exchange, soa);
    }

    private static Step addresses(Exchange exchange, @Nullable RrSet soa) {
        return switch (exchange.query().type()) {
            case DnsType.A -> answer(exchange, LocalRecords.A);
            case DnsType.AAAA -> answer(exchange, LocalRecords.AAAA);
            default -> nothing(exchange, soa == null ? LocalRecords.soa(question(exchange.query())) : soa);
        };
    }

    private static WireName question(QueryView query) {
        return WireName.of(query.name(), 0, query.nameLength());
    }

    private static Step reverse(Exchange exchange, RrSet soa) {
        QueryView query = exchange.query();
        if (query.is(LOOPBACK)) {
            return query.type() == DnsType.PTR ? answer(exchange, LocalRecords.PTR) : nothing(exchange, soa);
        }
        // Names above one that exists do exist (RFC 8020 section 2): NXDOMAIN would deny the one below, too.
        if (!query.is(ABOVE_LOOPBACK) && !query.is(FAR_ABOVE_LOOPBACK)) {
            exchange.answer().rcode(Rcode.NXDOMAIN);
        }
        return nothing(exchange, soa);
    }

    private static Step answer(Exchange exchange, RrSet set) {
        exchange.answer().addForQuestion(set);
        return Step.ANSWERED;
    }

    private static Step nothing(Exchange exchange, RrSet soa) {
        exchange.answer().add(Section.AUTHORITY, soa);
        return Step.ANSWERED;
    }
}
