package dev.cairn.plugin.template;

import dev.cairn.chain.Exchange;
import dev.cairn.metrics.CounterFamily;
import dev.cairn.metrics.MetricRegistry;
import dev.cairn.plugin.RouteCounter;
import dev.cairn.wire.DnsClass;
import dev.cairn.wire.DnsType;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** The counters of {@code template}. */
final class TemplateMetrics {
    /** Types above this, and classes other than IN, are too rare to keep a counter at hand for. */
    private static final int COMMON_TYPES = 260;

    private static final String OTHER = "other";

    private final CounterFamily matches;
    private final CounterFamily templateFailures;
    private final CounterFamily recordFailures;

    TemplateMetrics(MetricRegistry metrics) {
        matches = metrics.counter("coredns_template_matches_total", "Counter of template regex matches.",
                "server", "zone", "view", "class", "type");
        templateFailures = metrics.counter("coredns_template_template_failures_total", "Counter of go template failures.",
                "server", "zone", "view", "class", "type", "section", "template");
        recordFailures = metrics.counter("coredns_template_rr_failures_total", "Counter of mis-templated RRs.",
                "server", "zone", "view", "class", "type", "section", "template");
    }

    /** Clients choose the numbers; those without a name share a counter, since each counter stays. */
    private static String typeLabel(int type) {
        String text = DnsType.toText(type);
        return text.startsWith("TYPE") ? OTHER : text;
    }

    private static String classLabel(int dnsClass) {
        String text = DnsClass.toText(dnsClass);
        return text.startsWith("CLASS") ? OTHER : text;
    }

    ZoneCounters of(String zone) {
        return new ZoneCounters(zone);
    }

    /** The counters of one zone of a template. Used by all threads. */
    final class ZoneCounters {
        private final String zone;
        private final AtomicReferenceArray<RouteCounter> byType = new AtomicReferenceArray<>(COMMON_TYPES);

        private ZoneCounters(String zone) {
            this.zone = zone;
        }

        void matched(Exchange exchange, int dnsClass, int type) {
            if (dnsClass != DnsClass.IN || type >= COMMON_TYPES) {
                matches.with(exchange.route().server(), zone, exchange.route().view(), classLabel(dnsClass), typeLabel(type)).increment();
                return;
            }
            RouteCounter counter = byType.get(type);
            if (counter == null) {
                byType.compareAndSet(type, null, new RouteCounter(route ->
                        matches.with(route.server(), zone, route.view(), DnsClass.toText(dnsClass), DnsType.toText(type))));
                counter = byType.get(type);
            }
            counter.increment(exchange.route());
        }

        Matched failures(int dnsClass, int type) {
            return new Matched(zone, classLabel(dnsClass), typeLabel(type));
        }
    }

    /** Counts what goes wrong for one query. */
    final class Matched {
        private final String zone;
        private final String dnsClass;
        private final String type;

        private Matched(String zone, String dnsClass, String type) {
            this.zone = zone;
            this.dnsClass = dnsClass;
            this.type = type;
        }

        void templateFailed(Exchange exchange, String section, String template) {
            count(templateFailures, exchange, section, template);
        }

        void recordFailed(Exchange exchange, String section, String template) {
            count(recordFailures, exchange, section, template);
        }

        private void count(CounterFamily family, Exchange exchange, String section, String template) {
            family.with(exchange.route().server(), zone, exchange.route().view(), dnsClass, type, section, template).increment();
        }
    }
}
