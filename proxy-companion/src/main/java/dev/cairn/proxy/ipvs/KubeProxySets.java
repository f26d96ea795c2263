package dev.cairn.proxy.ipvs;

import dev.cairn.facts.Protocol;
import dev.cairn.proxy.sync.ApplyFailure;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The sets of ipset that a kube-proxy in mode ipvs has left. Names have 31 characters at most, so some lack their end. */
final class KubeProxySets {
    private static final Pattern NAME = Pattern.compile("KUBE-(6-)?(LOOP-BACK|CLUSTER-IP|EXTERNAL-IP(-LOCAL)?"
            + "|LOAD-BALANCER(-LOCAL|-FW|-SOURCE-IP|-SOURCE-CIDR?)?"
            + "|NODE-PORT(-LOCAL)?-(TCP|UDP|SCTP-HASH?)|HEALTH-CHECK-NODE-PORT|IPVS-IPS)");
    /** An element with a node port: {@code 30080}, or with an address where the kind of set has ports of TCP and UDP only. */
    private static final Pattern NODE_PORT = Pattern.compile("add KUBE-(?:6-)?NODE-PORT(?:-LOCAL)?-(TCP|UDP|SCTP)\\S* (?:\\S+:)?(\\d+)");

    private final Tool tool;

    KubeProxySets(Tool tool) {
        this.tool = tool;
    }

    /** A port that it serves at all addresses of the node. */
    record NodePort(Protocol protocol, int port) {}

    /** The virtual servers of node ports are known by these alone: they are at addresses that are the node's own. */
    Set<NodePort> nodePorts() throws ApplyFailure {
        Set<NodePort> ports = new HashSet<>();
        for (String line : tool.run(List.of("ipset", "save"), "").text().lines().toList()) {
            Matcher matcher = NODE_PORT.matcher(line);
            if (matcher.matches()) {
                ports.add(new NodePort(Protocol.valueOf(matcher.group(1).toUpperCase(Locale.ROOT)), Integer.parseInt(matcher.group(2))));
            }
        }
        return ports;
    }

    /** Removes those that no rule refers to; where there is no ipset there are none. */
    List<String> remove() throws ApplyFailure {
        List<String> unused = new ArrayList<>();
        String name = "";
        for (String line : tool.run(List.of("ipset", "list", "-terse"), "").text().lines().toList()) {
            if (line.startsWith("Name: ")) {
                name = line.substring("Name: ".length());
            } else if (line.equals("References: 0") && NAME.matcher(name).matches()) {
                unused.add(name);
            }
        }
        if (unused.isEmpty()) {
            return List.of();
        }
        StringBuilder script = new StringBuilder();
        unused.forEach(set -> script.append("destroy ").append(set).append('\n'));
        tool.must(List.of("ipset", "restore"), script.toString());
        return List.of(unused.size() + " sets KUBE-* of ipset");
    }
}
