package dev.cairn.plugin.dns64;

import dev.cairn.chain.AnswerHook;
import dev.cairn.chain.Exchange;
import dev.cairn.chain.Step;
import dev.cairn.plugin.RouteCounter;
import dev.cairn.wire.Answer;
import dev.cairn.wire.Answer.Part;
import dev.cairn.wire.Answer.Section;
import dev.cairn.wire.DnsClass;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.HeaderFlag;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.Rcode;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;
import java.util.ArrayList;
import java.util.List;

/** Replaces an answer without IPv6 addresses by one made of IPv4 addresses, which it asks the whole server for. */
final class Dns64Plugin implements AnswerHook {
    /** The most a made-up record lives if there is no SOA that says otherwise (RFC 6147 section 5.1.7). */
    private static final int DEFAULT_TTL = 600;

    private static final int KEPT_FLAGS = HeaderFlag.AA | HeaderFlag.RA | HeaderFlag.TC;

    private final Nat64Prefix prefix;
    private final boolean translateAll;
    private final boolean allowIpv4;
    private final RouteCounter translated;

    Dns64Plugin(Nat64Prefix prefix, boolean translateAll, boolean allowIpv4, RouteCounter translated) {
        this.prefix = prefix;
        this.translateAll = translateAll;
        this.allowIpv4 = allowIpv4;
        this.translated = translated;
    }

    @Override
    public String name() {
        return "dns64";
    }

    @Override
    public Step answer(Exchange exchange) {
        QueryView query = exchange.query();
        if (query.type() != DnsType.AAAA || query.dnsClass() != DnsClass.IN || (!allowIpv4 && exchange.addressLength() == 4)) {
            return Step.ANSWERED;
        }
        Answer answer = exchange.answer();
        boolean validates = query.dnssecOk() && (query.flags() & HeaderFlag.CD) != 0;
        // A client that checks signatures itself would refuse what we make up (RFC 6147 section 5.5).
        if (validates || answer.rcode() == Rcode.NXDOMAIN || (!translateAll && hasAddress(answer))) {
            return Step.ANSWERED;
        }
        int maxTtl = maxTtl(answer);
        translated.increment(exchange.route());
        return exchange.ask(WireName.of(query.name(), 0, query.nameLength()), DnsType.A, inner -> translate(exchange, inner, maxTtl));
    }

    /** Whether there is an IPv6 address; one that only wraps an IPv4 address is none (RFC 6147 section 5.1.4). */
    private static boolean hasAddress(Answer answer) {
        for (int i = 0; i < answer.size(); i++) {
            Part part = answer.part(i);
            for (int j = 0; part.section() == Section.ANSWER && part.set().type() == DnsType.AAAA && j < part.set().count(); j++) {
                if (!isMapped(part.set().data(j))) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isMapped(byte[] address) {
        for (int i = 0; i < 12; i++) {
            if (address[i] != (i < 10 ? 0 : -1)) {
                return false;
            }
        }
        return true;
    }

    private static int maxTtl(Answer answer) {
        for (int i = 0; i < answer.size(); i++) {
            Part part = answer.part(i);
            if (part.section() == Section.AUTHORITY && part.set().type() == DnsType.SOA) {
                return part.ttl();
            }
        }
        return DEFAULT_TTL;
    }

    /** Makes the answer that of the question for IPv4 addresses, with these embedded and the rest as it is (RFC 6147 section 5.3.3). */
    private void translate(Exchange exchange, Exchange inner, int maxTtl) {
        Answer answer = exchange.answer();
        answer.clear();
        answer.clear(KEPT_FLAGS | HeaderFlag.AD);
        answer.set(inner.answer().flags() & KEPT_FLAGS);
        answer.rcode(inner.answer().rcode());
        exchange.credit(inner);
        for (int i = 0; i < inner.answer().size(); i++) {
            Part part = inner.answer().part(i);
            boolean address = part.section() == Section.ANSWER && part.set().type() == DnsType.A;
            RrSet set = address ? embed(part, maxTtl) : part.set();
            Part added = part.forQuestion() ? answer.addForQuestion(set) : answer.add(part.section(), set);
            added.rotate(part.first());
            if (!address) {
                added.overrideTtl(part.ttl());
            }
        }
    }

    private RrSet embed(Part part, int maxTtl) {
        RrSet set = part.set();
        List<byte[]> addresses = new ArrayList<>(set.count());
        for (int i = 0; i < set.count(); i++) {
            addresses.add(prefix.embed(set.data(i)));
        }
        return RrSet.of(set.owner(), DnsType.AAAA, DnsClass.IN, Math.min(part.ttl(), maxTtl), addresses);
    }
}
