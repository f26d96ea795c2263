package dev.cairn.plugin.kubernetes;

import dev.cairn.chain.Exchange;
import dev.cairn.facts.Address;
import dev.cairn.facts.PodFact;
import dev.cairn.plugin.MetadataValue;
import dev.cairn.plugin.ZoneValues;
import dev.cairn.plugin.kubernetes.KubernetesSettings.PodMode;
import dev.cairn.wire.WireName;
import java.util.Arrays;
import java.util.Comparator;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the plugin tells about a query: the parts of its name, and the pod it came from. Each value is made when it is used. */
final class KubernetesMetadata {
    private static final String PREFIX = "kubernetes/";
    private static final String CLIENT_LABEL = PREFIX + "client-label/";

    private final KubernetesSettings settings;
    private final Supplier<@Nullable Served> served;
    private final ZoneValues<WireName> zones;

    KubernetesMetadata(KubernetesSettings settings, Supplier<@Nullable Served> served) {
        this.settings = settings;
        this.served = served;
        this.zones = ZoneValues.longest(settings.zones(), zone -> zone);
    }

    /** Where the value of a label is found; null if it is none of this plugin's. */
    @Nullable MetadataValue of(String label) {
        if (label.startsWith(CLIENT_LABEL)) {
            String key = label.substring(CLIENT_LABEL.length());
            return ofClient(pod -> pod.labels().get(key));
        }
        return switch (label) {
            case PREFIX + "port-name" -> ofName(NameParts::port);
            case PREFIX + "protocol" -> ofName(NameParts::protocol);
            case PREFIX + "endpoint" -> ofName(NameParts::endpoint);
            case PREFIX + "cluster" -> settings.imported().isEmpty() ? null : this::cluster;
            case PREFIX + "zone" -> settings.zonal() ? ofName(NameParts::topologyZone) : null;
            case PREFIX + "service" -> ofName(NameParts::service);
            case PREFIX + "namespace" -> ofName(NameParts::namespace);
            case PREFIX + "kind" -> ofName(NameParts::kind);
            case PREFIX + "parse-error" -> this::parseError;
            case PREFIX + "client-namespace" -> ofClient(PodFact::namespace);
            case PREFIX + "client-pod-name" -> ofClient(PodFact::name);
            default -> null;
        };
    }

    private MetadataValue ofName(Function<NameParts, String> part) {
        return exchange -> {
            WireName zone = zone(exchange);
            NameParts parts = zone == null ? null : parts(exchange, zone);
            return parts == null ? null : part.apply(parts);
        };
    }

    private @Nullable String cluster(Exchange exchange) {
        WireName zone = zone(exchange);
        NameParts parts = zone == null || !settings.imported().contains(zone) ? null : parts(exchange, zone);
        return parts == null ? null : parts.cluster();
    }

    private @Nullable String parseError(Exchange exchange) {
        WireName zone = zone(exchange);
        return zone == null || parts(exchange, zone) != null ? null : "invalid query name";
    }

    private @Nullable NameParts parts(Exchange exchange, WireName zone) {
        return NameParts.of(exchange.query(), zone, settings.imported().contains(zone), settings.zonal());
    }

    /** The longest of the plugin's zones that the question's name is in. */
    private @Nullable WireName zone(Exchange exchange) {
        return zones.of(exchange.query());
    }

    /** Pods are watched only if their names are verified. Of several with one address (those of the host's network) it is always the same. */
    private @Nullable MetadataValue ofClient(Function<PodFact, @Nullable String> value) {
        if (settings.pods() != PodMode.VERIFIED) {
            return null;
        }
        return exchange -> {
            Served cluster = served.get();
            if (cluster == null) {
                return null;
            }
            Address client = Address.of(Arrays.copyOf(exchange.clientAddress(), exchange.addressLength()));
            return cluster.store().podsWith(client).stream()
                    .min(Comparator.comparing(PodFact::namespace).thenComparing(PodFact::name))
                    .map(value)
                    .orElse(null);
        };
    }
}
