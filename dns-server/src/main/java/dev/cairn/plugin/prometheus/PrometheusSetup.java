package dev.cairn.plugin.prometheus;

import dev.cairn.build.BuildInfo;
import dev.cairn.chain.Plugin;
import dev.cairn.chain.Route;
import dev.cairn.corefile.Use;
import dev.cairn.http.HttpEndpoints;
import dev.cairn.http.HttpReply;
import dev.cairn.log.Log;
import dev.cairn.metrics.GaugeFamily;
import dev.cairn.metrics.MetricRegistry;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.Host;
import dev.cairn.plugin.PluginSetup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads {@code prometheus}. */
public final class PrometheusSetup implements PluginSetup {
    private static final Log LOG = Log.plugin("prometheus");
    private static final String DEFAULT_ADDRESS = "localhost:9153";
    private static final String USAGE = "prometheus [ADDRESS]";
    private static final List<String> PROPERTIES = List.of("runtime_metrics");

    @Override
    public String name() {
        return "prometheus";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        Use.onlyOnce(uses);
        Use use = uses.getFirst();
        use.expect(0, 1, USAGE);
        use.block().forEach(PrometheusSetup::property);
        QueryMetrics metrics = QueryMetrics.in(block.host().metrics());
        block.add(new PrometheusPlugin(metrics, null));
        block.onUnrouted(new PrometheusPlugin(metrics, PrometheusPlugin.DROPPED));
        Running running = new Running(block, address(use));
        block.onStart(running::start);
        block.onStop(running::stop);
    }

    private static void property(Use line) {
        switch (line.name()) {
            case "runtime_metrics" -> line.expect(0, 0, "runtime_metrics"); // the JVM's are always exported
            case "tls" -> line.error("metrics are served over plain HTTP only; remove the line, and put a proxy with TLS before them");
            default -> line.unknown(PROPERTIES);
        }
    }

    /** HOST:PORT with a host that may be empty, for all addresses, or an IPv6 address in brackets. */
    private static HostAndPort address(Use use) {
        String text = use.arg(0, DEFAULT_ADDRESS);
        int colon = text.lastIndexOf(':');
        String host = text.substring(0, Math.max(0, colon));
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        if (colon < 0 || (!bracketed && host.indexOf(':') >= 0)) {
            use.error("'" + text + "' is not an address; write HOST:PORT, :PORT or [IPV6]:PORT, such as " + DEFAULT_ADDRESS);
            return new HostAndPort("", 0);
        }
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            if (port >= 0 && port <= 0xffff) {
                return new HostAndPort(bracketed ? host.substring(1, host.length() - 1) : host, port);
            }
        } catch (NumberFormatException e) {
            // not a number is reported like a wrong one
        }
        use.error("'" + text.substring(colon + 1) + "' is not a port; write a number from 0 to 65535 after the colon");
        return new HostAndPort("", 0);
    }

    private record HostAndPort(String host, int port) {
        InetSocketAddress resolved() throws IOException {
            return host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(InetAddress.getByName(host), port);
        }
    }

    /** What one block has open while it is in service; used by the thread that changes the configuration. */
    private static final class Running {
        private final Block block;
        private final HostAndPort address;
        private final List<GaugeFamily.Hold> enabled = new ArrayList<>();
        private HttpEndpoints.@Nullable Lease lease;

        Running(Block block, HostAndPort address) {
            this.block = block;
            this.address = address;
        }

        void start() throws IOException {
            Host host = block.host();
            MetricRegistry metrics = host.metrics();
            HttpEndpoints.Lease opened = host.http().openSlow(address.resolved(), "/metrics",
                    _ -> new HttpReply(200, MetricRegistry.CONTENT_TYPE, metrics.scrape().getBytes(StandardCharsets.UTF_8)));
            lease = opened;
            if (address.port == 0) {
                LOG.info("metrics at port " + opened.address().getPort());
            }
            metrics.gauge("coredns_build_info",
                            "A metric with a constant '1' value labeled by version, revision, and goversion from which CoreDNS was built.",
                            "version", "revision", "goversion")
                    .with(BuildInfo.version(), BuildInfo.commit(), BuildInfo.runtime()).set(1);
            GaugeFamily family = metrics.gauge("coredns_plugin_enabled",
                    "A metric that indicates whether a plugin is enabled on per server and zone basis.", "server", "zone", "view", "name");
            for (Route route : block.routes()) {
                for (Plugin plugin : block.plugins()) {
                    enabled.add(family.hold(route.server(), route.zone().toString(), route.view(), plugin.name()));
                }
            }
        }

        void stop() {
            if (lease != null) {
                lease.close();
                lease = null;
            }
            enabled.forEach(GaugeFamily.Hold::close);
            enabled.clear();
        }
    }
}
