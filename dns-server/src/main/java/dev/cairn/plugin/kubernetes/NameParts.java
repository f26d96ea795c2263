package dev.cairn.plugin.kubernetes;

import dev.cairn.wire.QueryView;
import dev.cairn.wire.WireName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the labels of a question's name stand for, whether or not there is such a thing; empty for what is not named. Made for those who
 * want to be told, not for answering.
 *
 * @param topologyZone of a name with {@code _zone}
 * @param kind {@code svc} or {@code pod}
 */
record NameParts(
        String port, String protocol, String endpoint, String cluster, String topologyZone, String service, String namespace, String kind) {
    private static final NameParts NONE = new NameParts("", "", "", "", "", "", "", "");

    /**
     * Reads the labels before {@code zone}, which the question's name is in; null if they have no meaning.
     *
     * @param imported whether the zone holds imported services
     * @param zonal whether endpoints may be asked for by topology zone
     */
    static @Nullable NameParts of(QueryView query, WireName zone, boolean imported, boolean zonal) {
        List<String> labels = labels(query, query.labelCount() - zone.labelCount());
        String kind = fromEnd(labels, 0);
        if (labels.isEmpty()) {
            return NONE;
        }
        if (!kind.equals("svc") && !kind.equals("pod")) {
            return null;
        }
        NameParts thing = new NameParts("", "", "", "", "", fromEnd(labels, 2), fromEnd(labels, 1), labels.size() == 1 ? "" : kind);
        return switch (labels.size()) {
            case 1, 2, 3 -> thing;
            case 4 -> thing.withEndpoint(labels.get(0), "");
            case 5 -> imported && !labels.get(0).startsWith("_") && !labels.get(1).startsWith("_")
                    ? thing.withEndpoint(labels.get(0), labels.get(1))
                    : thing.withPort(withoutUnderscore(labels.get(0)), withoutUnderscore(labels.get(1)));
            default -> zonal && !imported && kind.equals("svc") ? thing.inTopologyZone(labels) : null;
        };
    }

    private static List<String> labels(QueryView query, int count) {
        List<String> labels = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int at = query.labelAt(i);
            byte[] alone = new byte[query.name()[at] + 2];
            System.arraycopy(query.name(), at, alone, 0, alone.length - 1);
            String text = WireName.toText(alone, 0);
            labels.add(text.substring(0, text.length() - 1));
        }
        return labels;
    }

    private static String fromEnd(List<String> labels, int index) {
        return index < labels.size() ? labels.get(labels.size() - 1 - index) : "";
    }

    private static String withoutUnderscore(String label) {
        return label.startsWith("_") ? label.substring(1) : label;
    }

    private NameParts withEndpoint(String name, String ofCluster) {
        return new NameParts(port, protocol, name, ofCluster, topologyZone, service, namespace, kind);
    }

    private NameParts withPort(String name, String ofProtocol) {
        return new NameParts(name, ofProtocol, endpoint, cluster, topologyZone, service, namespace, kind);
    }

    /** The value of a topology zone may have dots, so it is all that stands before {@code pin._zone} or {@code prefer._zone}. */
    private @Nullable NameParts inTopologyZone(List<String> labels) {
        String how = fromEnd(labels, 4);
        if (!fromEnd(labels, 3).equals("_zone") || !(how.equals("pin") || how.equals("prefer"))) {
            return null;
        }
        String value = String.join(".", labels.subList(0, labels.size() - 5));
        return new NameParts(port, protocol, endpoint, cluster, value, service, namespace, kind);
    }
}
