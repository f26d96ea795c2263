package dev.cairn.proxy.nft;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Protocol;
import java.util.List;
import java.util.stream.Stream;

/** The sets and maps that services have elements in. {@code IP} stands for {@code ip} or {@code ip6}. */
enum NftSet {
    /** Where a packet to an address goes on. */
    SERVICE_IPS("map", "service-ips", Key.PLACE + " : verdict", ""),
    SERVICE_NODEPORTS("map", "service-nodeports", Key.PORT + " : verdict", ""),
    /**
     * The endpoints of a place by their number. Each protocol has its own: by the port in the type of a map nft knows which protocol a rule
     * that sends to it is for.
     */
    ENDPOINTS_TCP("map", "endpoints-tcp", Key.PLACE + Key.INDEX + " : IP daddr . tcp dport", ""),
    ENDPOINTS_UDP("map", "endpoints-udp", Key.PLACE + Key.INDEX + " : IP daddr . udp dport", ""),
    ENDPOINTS_SCTP("map", "endpoints-sctp", Key.PLACE + Key.INDEX + " : IP daddr . sctp dport", ""),
    LOCAL_ENDPOINTS_TCP("map", "local-endpoints-tcp", Key.PLACE + Key.INDEX + " : IP daddr . tcp dport", ""),
    LOCAL_ENDPOINTS_UDP("map", "local-endpoints-udp", Key.PLACE + Key.INDEX + " : IP daddr . udp dport", ""),
    LOCAL_ENDPOINTS_SCTP("map", "local-endpoints-sctp", Key.PLACE + Key.INDEX + " : IP daddr . sctp dport", ""),
    NODEPORT_ENDPOINTS_TCP("map", "nodeport-endpoints-tcp", Key.PORT + Key.INDEX + " : IP daddr . tcp dport", ""),
    NODEPORT_ENDPOINTS_UDP("map", "nodeport-endpoints-udp", Key.PORT + Key.INDEX + " : IP daddr . udp dport", ""),
    NODEPORT_ENDPOINTS_SCTP("map", "nodeport-endpoints-sctp", Key.PORT + Key.INDEX + " : IP daddr . sctp dport", ""),
    NODEPORT_LOCAL_ENDPOINTS_TCP("map", "nodeport-local-endpoints-tcp", Key.PORT + Key.INDEX + " : IP daddr . tcp dport", ""),
    NODEPORT_LOCAL_ENDPOINTS_UDP("map", "nodeport-local-endpoints-udp", Key.PORT + Key.INDEX + " : IP daddr . udp dport", ""),
    NODEPORT_LOCAL_ENDPOINTS_SCTP("map", "nodeport-local-endpoints-sctp", Key.PORT + Key.INDEX + " : IP daddr . sctp dport", ""),
    /** What happens to a packet that no endpoint was found for. */
    NO_ENDPOINT_SERVICES("map", "no-endpoint-services", Key.PLACE + " : verdict", ""),
    NO_ENDPOINT_NODEPORTS("map", "no-endpoint-nodeports", Key.PORT + " : verdict", ""),
    CLUSTER_IPS("set", "cluster-ips", "IP daddr", ""),
    /** Places that not everybody may use, and who may. */
    FIREWALL_IPS("set", "firewall-ips", Key.PLACE, ""),
    FIREWALL_ALLOW("set", "firewall-allow", Key.PLACE + " . IP saddr", " flags interval;"),
    /** Endpoints of this node, which must not be answered by themselves. */
    HAIRPIN("set", "hairpin", "IP saddr . IP daddr . meta l4proto . th dport", ""),
    /** Where clients are to be remembered. */
    AFFINITY_SERVICES("map", "affinity-services", Key.PLACE + " : verdict", ""),
    AFFINITY_NODEPORTS("map", "affinity-nodeports", Key.PORT + " : verdict", ""),
    NODEPORT_IPS("set", "nodeport-ips", "IP daddr", ""),
    SERVICE_RANGES("set", "service-ranges", "IP daddr", " flags interval;");

    private final String kind;
    private final String text;
    private final String type;
    private final String flags;

    /** What keys and values are made of. */
    enum Field {
        ADDRESS, PROTOCOL, PORT, NUMBER;

        /** How many bytes it has in the kernel. */
        int size(IpFamily family) {
            return this == ADDRESS && family == IpFamily.IPV6 ? 16 : 4;
        }

        private static Field of(String type) {
            return type.endsWith("addr") ? ADDRESS : type.endsWith("l4proto") ? PROTOCOL : type.endsWith("dport") ? PORT : NUMBER;
        }
    }

    /** Parts of types. */
    private static final class Key {
        static final String PLACE = "IP daddr . meta l4proto . th dport";
        static final String PORT = "meta l4proto . th dport";
        static final String INDEX = " . numgen random mod 2";
    }

    NftSet(String kind, String text, String type, String flags) {
        this.kind = kind;
        this.text = text;
        this.type = type;
        this.flags = flags;
    }

    private static List<Field> fields(String type) {
        return Stream.of(type.split(" \\. ", -1)).map(Field::of).toList();
    }

    /** Where the endpoints of a frontend are. */
    static NftSet endpoints(boolean nodePort, boolean local, Protocol protocol) {
        return switch (protocol) {
            case TCP -> nodePort ? (local ? NODEPORT_LOCAL_ENDPOINTS_TCP : NODEPORT_ENDPOINTS_TCP) : (local ? LOCAL_ENDPOINTS_TCP : ENDPOINTS_TCP);
            case UDP -> nodePort ? (local ? NODEPORT_LOCAL_ENDPOINTS_UDP : NODEPORT_ENDPOINTS_UDP) : (local ? LOCAL_ENDPOINTS_UDP : ENDPOINTS_UDP);
            case SCTP -> nodePort ? (local ? NODEPORT_LOCAL_ENDPOINTS_SCTP : NODEPORT_ENDPOINTS_SCTP)
                    : (local ? LOCAL_ENDPOINTS_SCTP : ENDPOINTS_SCTP);
        };
    }

    /** Its name in the kernel. */
    String text() {
        return text;
    }

    boolean isMap() {
        return kind.equals("map");
    }

    /** Whether its values say where a packet goes on. */
    boolean isVerdict() {
        return type.endsWith(" : verdict");
    }

    /** Whether the last field of its keys is a range. */
    boolean hasRanges() {
        return flags.contains("interval");
    }

    /** Whether its keys are a range and nothing else. The kernel keeps these in another way. */
    boolean isOnlyRange() {
        return hasRanges() && !type.contains(" . ");
    }

    List<Field> keyFields() {
        return fields(type.split(" : ", -1)[0]);
    }

    /** The fields of its values, if they are no verdicts. */
    List<Field> valueFields() {
        return isMap() && !isVerdict() ? fields(type.split(" : ", -1)[1]) : List.of();
    }

    /** Whether several services may have the same element. */
    boolean isShared() {
        return this == CLUSTER_IPS || this == HAIRPIN;
    }

    /** Whether keys end with the number of an endpoint. */
    boolean isNumbered() {
        return type.contains(Key.INDEX);
    }

    String declaration(IpFamily family) {
        return "add " + kind + " " + Table.of(family) + " " + text + " { typeof " + Table.in(family, type) + ";" + flags + " }\n";
    }
}
