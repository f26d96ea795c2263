package dev.cairn.plugin.k8sexternal;

import dev.cairn.corefile.Use;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.PluginSetup;
import dev.cairn.plugin.ClusterHolder;
import dev.cairn.wire.WireName;
import java.io.IOException;
import java.util.List;

/** Reads {@code k8s_external}. */
public final class K8sExternalSetup implements PluginSetup {
    private static final List<String> PROPERTIES = List.of("apex", "fallthrough", "headless", "ttl");
    private static final int DEFAULT_TTL = 5;
    private static final int MAX_TTL = 3600;

    @Override
    public String name() {
        return "k8s_external";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        Use.onlyOnce(uses);
        Use use = uses.getFirst();
        Reading reading = new Reading();
        use.block().forEach(reading::property);
        K8sExternalPlugin plugin = new K8sExternalPlugin(new ExternalSettings(
                block.zonesOr(use.zones(0)), reading.apex, reading.ttl, reading.headless, reading.through));
        block.add(plugin);
        // kubernetes starts after this, since a query meets it after this
        block.onStart(() -> block.plugins().stream()
                .filter(ClusterHolder.class::isInstance)
                .map(ClusterHolder.class::cast)
                .findFirst()
                .orElseThrow(() -> new IOException(use.at()
                        + ": k8s_external needs the cluster of kubernetes: add kubernetes to the server block"))
                .tell(plugin));
    }

    private static final class Reading {
        private String apex = "dns";
        private int ttl = DEFAULT_TTL;
        private boolean headless;
        private List<WireName> through = List.of();

        void property(Use line) {
            switch (line.name()) {
                case "apex" -> {
                    if (line.expect(1, 1, "apex LABEL")) {
                        apex(line);
                    }
                }
                case "ttl" -> {
                    if (line.expect(1, 1, "ttl SECONDS")) {
                        ttl = line.intArg(0, 0, MAX_TTL, DEFAULT_TTL);
                    }
                }
                case "headless" -> headless = line.expect(0, 0, "headless");
                case "fallthrough" ->
                    through = line.count() == 0 ? List.of(WireName.ROOT) : line.zones(0).stream().map(WireName::parse).toList();
                default -> line.unknown(PROPERTIES);
            }
        }

        private void apex(Use line) {
            try {
                apex = WireName.parse(line.arg(0)).toString().replaceFirst("\\.$", "");
            } catch (IllegalArgumentException e) {
                line.error(e.getMessage() + "; write a label such as dns");
            }
        }
    }
}
