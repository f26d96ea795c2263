package dev.cairn.proxy.iptables;

import dev.cairn.facts.Protocol;
import dev.cairn.proxy.plan.Endpoint;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Set;

/** A chain of a table. */
record Chain(Table table, String name) implements Comparable<Chain> {
    static final String MARK_MASQ = "KUBE-MARK-MASQ";
    static final String CANARY = "KUBE-PROXY-CANARY";
    static final Chain NAT_SERVICES = new Chain(Table.NAT, "KUBE-SERVICES");
    static final Chain NAT_NODEPORTS = new Chain(Table.NAT, "KUBE-NODEPORTS");
    static final Chain POSTROUTING = new Chain(Table.NAT, "KUBE-POSTROUTING");
    static final Chain SERVICES = new Chain(Table.FILTER, "KUBE-SERVICES");
    static final Chain EXTERNAL = new Chain(Table.FILTER, "KUBE-EXTERNAL-SERVICES");
    static final Chain NODEPORTS = new Chain(Table.FILTER, "KUBE-NODEPORTS");
    static final Chain FIREWALL = new Chain(Table.FILTER, "KUBE-PROXY-FIREWALL");
    static final Chain FORWARD = new Chain(Table.FILTER, "KUBE-FORWARD");
    /** The kubelet's, in which we have a rule, too. */
    static final Chain KUBELET_FIREWALL = new Chain(Table.FILTER, "KUBE-FIREWALL");

    /** In which all services have rules; one that leads to another comes after it. */
    static final List<Chain> SHARED = List.of(NAT_NODEPORTS, NAT_SERVICES, SERVICES, EXTERNAL, NODEPORTS, FIREWALL);

    /** Chains of one service, and those that older proxies had, in the order in which one may lead to the other. */
    private static final List<String> PREFIXES = List.of("KUBE-FW-", "KUBE-EXT-", "KUBE-XLB-", "KUBE-SVC-", "KUBE-SVL-", "KUBE-SEP-");
    private static final Set<String> FIXED = Set.of("KUBE-SERVICES", "KUBE-NODEPORTS", "KUBE-POSTROUTING", "KUBE-EXTERNAL-SERVICES",
            "KUBE-PROXY-FIREWALL", "KUBE-FORWARD", MARK_MASQ, CANARY);
    /** What kube-proxy makes beside virtual servers. */
    private static final Set<String> OF_IPVS = Set.of("KUBE-NODE-PORT", "KUBE-LOAD-BALANCER", "KUBE-IPVS-FILTER", "KUBE-IPVS-OUT-FILTER",
            "KUBE-SOURCE-RANGES-FIREWALL");

    private static final String BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    private static final int HASH_LENGTH = 16;

    /** A chain leads only to such as have a higher number. */
    int depth() {
        if (name.equals(MARK_MASQ)) {
            return Integer.MAX_VALUE;
        }
        for (int i = 0; i < PREFIXES.size(); i++) {
            if (name.startsWith(PREFIXES.get(i))) {
                return i + 1;
            }
        }
        return 0;
    }

    /** Whether it is a proxy's and not the kubelet's or another's. */
    boolean isProxys() {
        return FIXED.contains(name) || isServices();
    }

    boolean isIpvs() {
        return OF_IPVS.contains(name);
    }

    /** Whether it is the chain of one service. */
    boolean isServices() {
        return table == Table.NAT && PREFIXES.stream().anyMatch(name::startsWith);
    }

    /** {@code namespace/name:port}, or without the last if the port has no name. */
    static String portName(String service, String port) {
        return port.isEmpty() ? service : service + ":" + port;
    }

    static Chain ofService(String prefix, String portName, Protocol protocol) {
        return new Chain(Table.NAT, prefix + hash(portName + protocol.label()));
    }

    static Chain ofEndpoint(String portName, Protocol protocol, Endpoint endpoint) {
        return new Chain(Table.NAT, "KUBE-SEP-" + hash(portName + protocol.label() + endpoint));
    }

    /** The first of the SHA-256 sum in base 32: names of chains are short. */
    private static String hash(String text) {
        byte[] sum;
        try {
            sum = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has SHA-256", e);
        }
        StringBuilder hash = new StringBuilder(HASH_LENGTH);
        for (int bit = 0; hash.length() < HASH_LENGTH; bit += 5) {
            int two = ((sum[bit / 8] & 0xff) << 8) | (sum[bit / 8 + 1] & 0xff);
            hash.append(BASE32.charAt((two >> (11 - bit % 8)) & 31));
        }
        return hash.toString();
    }

    @Override
    public int compareTo(Chain that) {
        int order = table.compareTo(that.table);
        return order != 0 ? order : name.compareTo(that.name);
    }

    @Override
    public String toString() {
        return "chain " + name + " of table " + table;
    }
}
