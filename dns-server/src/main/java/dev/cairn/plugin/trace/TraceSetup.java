package dev.cairn.plugin.trace;

import dev.cairn.corefile.Use;
import dev.cairn.metrics.Counter;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.Outbox;
import dev.cairn.plugin.PluginSetup;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads {@code trace}. */
public final class TraceSetup implements PluginSetup {
    private static final String USAGE = "trace [zipkin|otlp] [HOST:PORT|URL]";
    private static final List<String> PROPERTIES = List.of("every", "service", "client_server", "zipkin_max_backlog_size",
            "zipkin_max_batch_size", "zipkin_max_batch_interval", "max_backlog_size", "max_batch_size", "max_batch_interval");
    private static final Duration GRACE = Duration.ofSeconds(2);

    @Override
    public String name() {
        return "trace";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        Use.onlyOnce(uses);
        new Reader(uses.getFirst()).addTo(block);
    }

    /** Where spans go, and in which form. */
    private enum Kind {
        ZIPKIN("localhost:9411", "/api/v2/spans"),
        OTLP("localhost:4318", "/v1/traces");

        private final String endpoint;
        private final String path;

        Kind(String endpoint, String path) {
            this.endpoint = endpoint;
            this.path = path;
        }

        static @Nullable Kind of(String word) {
            return switch (word.toLowerCase(Locale.ROOT)) {
                case "zipkin" -> ZIPKIN;
                case "otlp", "opentelemetry" -> OTLP;
                default -> null;
            };
        }
    }

    private static final class Reader {
        private final Use use;
        private Kind kind = Kind.ZIPKIN;
        private String endpoint = "";
        private int every = 1;
        private String service = "coredns";
        private int backlog = 1000;
        private int batch = 100;
        private Duration interval = Duration.ofSeconds(1);

        Reader(Use use) {
            this.use = use;
        }

        void addTo(Block block) {
            use.block().forEach(this::property);
            URI collector = collector();
            if (collector == null) {
                return;
            }
            Counter dropped = block.host().metrics()
                    .counter("cairn_trace_dropped_spans_total", "Spans that were not sent to the collector.").with();
            SpanFormat format = kind == Kind.ZIPKIN ? new ZipkinFormat(service) : new OtlpFormat(service);
            Outbox<Span> outbox = new Outbox<>(
                    "cairn-trace", new Outbox.Size(backlog, batch, interval), new SpanSender(collector, format, dropped), dropped);
            block.add(new TracePlugin(every, outbox));
            block.onStart(outbox::start);
            block.onStop(() -> outbox.stop(GRACE));
        }

        private @Nullable URI collector() {
            if (!use.expect(0, 2, USAGE)) {
                return null;
            }
            Kind named = use.count() == 0 ? Kind.ZIPKIN : Kind.of(use.arg(0));
            if (use.arg(0, "").equalsIgnoreCase("datadog")) {
                use.error("datadog is not offered: its agent takes OpenTelemetry; let it (otlp_config.receiver.protocols.http) and write:"
                        + " trace otlp HOST:4318");
                return null;
            }
            if (named == null && use.count() == 2) {
                use.error("\"" + use.arg(0) + "\" is not known here; write: " + USAGE);
                return null;
            }
            kind = named == null ? Kind.ZIPKIN : named;
            endpoint = use.count() == 2 ? use.arg(1) : named == null ? use.arg(0) : kind.endpoint;
            String lower = endpoint.toLowerCase(Locale.ROOT);
            boolean whole = lower.startsWith("http://") || lower.startsWith("https://");
            try {
                URI uri = new URI(whole ? endpoint : "http://" + endpoint + kind.path);
                if (uri.getHost() != null) {
                    return uri;
                }
            } catch (URISyntaxException e) {
                // told below, as a URL without a host is
            }
            use.error("\"" + endpoint + "\" is not an address; write HOST:PORT or http://HOST:PORT/PATH");
            return null;
        }

        private void property(Use line) {
            switch (line.name()) {
                case "every" -> every = number(line, 0, every);
                case "service" -> service = line.expect(1, 1, "service NAME") ? line.arg(0) : service;
                case "client_server" -> {
                    // A query brings no span along that one of ours could be the other half of, so there is nothing to switch.
                    if (line.expect(0, 1, "client_server") && !List.of("true", "false", "1", "0", "t", "f").contains(line.arg(0, "true"))) {
                        line.error("\"" + line.arg(0) + "\" is neither true nor false");
                    }
                }
                case "zipkin_max_backlog_size", "max_backlog_size" -> backlog = number(line, 1, backlog);
                case "zipkin_max_batch_size", "max_batch_size" -> batch = number(line, 1, batch);
                case "zipkin_max_batch_interval", "max_batch_interval" -> {
                    if (line.expect(1, 1, line.name() + " DURATION")) {
                        interval = line.durationArg(0, Duration.ZERO, Duration.ofHours(1), interval);
                    }
                }
                case "datadog_analytics_rate" -> line.error("it is for datadog, which is not offered; remove it");
                default -> line.unknown(PROPERTIES);
            }
        }

        private static int number(Use line, int min, int fallback) {
            return line.expect(1, 1, line.name() + " NUMBER") ? line.intArg(0, min, Integer.MAX_VALUE, fallback) : fallback;
        }
    }
}
