package dev.cairn.plugin.prometheus;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Plugin;
import dev.cairn.chain.Protocol;
import dev.cairn.chain.Route;
import dev.cairn.metrics.Counter;
import dev.cairn.metrics.Histogram;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.Rcode;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The counters of one zone on one server, used by all threads. A combination of labels gets its counter when it is first seen, as a series
 * that was never counted is not printed; two threads that see it at once get the same counter, so either may leave it in the array.
 */
final class RouteCounters {
    private static final Protocol[] PROTOCOLS = Protocol.values();
    private static final int FAMILIES = 2;

    /** The types with a label of their own; index 0 stands for all others. */
    private static final List<String> TYPES = List.of("other", "A", "AAAA", "MX", "SOA", "CNAME", "PTR", "TXT", "NS", "SRV", "DS", "DNSKEY",
            "RRSIG", "NSEC", "NSEC3", "HTTPS", "SVCB", "IXFR", "AXFR", "ANY");

    /** Index in TYPES by type number. */
    private static final byte[] TYPE_INDEX = new byte[256];

    /** Codes from here on are rare enough to be looked up. */
    private static final int RCODES = 24;

    static {
        for (int i = 1; i < TYPES.size(); i++) {
            TYPE_INDEX[DnsType.fromText(TYPES.get(i))] = (byte) i;
        }
    }

    private final QueryMetrics metrics;
    private final String server;
    private final String zone;
    private final String view;
    private final Histogram durations;
    private final AtomicReferenceArray<@Nullable Counter> requests =
            new AtomicReferenceArray<>(PROTOCOLS.length * FAMILIES * TYPES.size());
    private final AtomicReferenceArray<@Nullable Sizes> sizes = new AtomicReferenceArray<>(PROTOCOLS.length);
    private volatile Responses[] responses = {};
    private volatile @Nullable Counter dnssecRequests;

    private record Sizes(Histogram request, Histogram response) {}

    /** The replies given by one plugin, or by the server itself, by code. */
    private record Responses(@Nullable Plugin by, AtomicReferenceArray<@Nullable Counter> counters) {}

    RouteCounters(QueryMetrics metrics, Route route, String zone) {
        this.metrics = metrics;
        this.server = route.server();
        this.zone = zone;
        this.view = route.view();
        this.durations = metrics.durations().with(server, zone, view);
    }

    @SuppressWarnings("EnumOrdinal") // an index that lives no longer than the process
    void count(Exchange exchange) {
        QueryView query = exchange.query();
        int protocol = exchange.protocol().ordinal();
        if (query.dnssecOk()) {
            dnssecRequests().increment();
        }
        requests(protocol, exchange.addressLength() == 4 ? 0 : 1, query).increment();
        durations.record(exchange.durationNanos());
        Sizes bySize = sizes.getAcquire(protocol);
        if (bySize == null) {
            bySize = newSizes(protocol);
        }
        bySize.request.record(query.length());
        bySize.response.record(exchange.replyLength());
        responses(exchange.answeredBy(), exchange.answer().rcode()).increment();
    }

    private Counter dnssecRequests() {
        Counter known = dnssecRequests;
        if (known == null) {
            known = metrics.dnssecRequests().with(server, zone, view);
            dnssecRequests = known;
        }
        return known;
    }

    private Counter requests(int protocol, int family, QueryView query) {
        // A query without a readable question still has the type of the one before it.
        boolean asked = query.questionEnd() > QueryView.HEADER && query.type() < TYPE_INDEX.length;
        int type = asked ? TYPE_INDEX[query.type()] : 0;
        int index = (protocol * FAMILIES + family) * TYPES.size() + type;
        Counter known = requests.getAcquire(index);
        if (known == null) {
            known = metrics.requests().with(server, zone, view, PROTOCOLS[protocol].label(), family == 0 ? "1" : "2", TYPES.get(type));
            requests.setRelease(index, known);
        }
        return known;
    }

    private Sizes newSizes(int protocol) {
        String label = PROTOCOLS[protocol].label();
        Sizes fresh = new Sizes(
                metrics.requestSizes().with(server, zone, view, label), metrics.responseSizes().with(server, zone, view, label));
        sizes.setRelease(protocol, fresh);
        return fresh;
    }

    private Counter responses(@Nullable Plugin by, int rcode) {
        Responses known = find(responses, by);
        return counter(known == null ? add(by) : known, rcode);
    }

    /** Looks through the plugins that have answered here; they are few. */
    @SuppressWarnings("ReferenceEquality") // a plugin has no equal
    private static @Nullable Responses find(Responses[] among, @Nullable Plugin by) {
        for (Responses one : among) {
            if (one.by == by) {
                return one;
            }
        }
        return null;
    }

    private synchronized Responses add(@Nullable Plugin by) {
        Responses[] before = responses;
        Responses known = find(before, by);
        if (known != null) {
            return known;
        }
        Responses fresh = new Responses(by, new AtomicReferenceArray<>(RCODES));
        Responses[] grown = Arrays.copyOf(before, before.length + 1);
        grown[before.length] = fresh;
        responses = grown;
        return fresh;
    }

    private Counter counter(Responses of, int rcode) {
        Counter known = rcode < RCODES ? of.counters.getAcquire(rcode) : null;
        if (known == null) {
            known = metrics.responses().with(server, zone, view, Rcode.toText(rcode), of.by == null ? "" : of.by.name());
            if (rcode < RCODES) {
                of.counters.setRelease(rcode, known);
            }
        }
        return known;
    }
}
