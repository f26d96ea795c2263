package dev.cairn.nodecache;

import dev.cairn.facts.Address;
import dev.cairn.nodecache.SystemCommand.Result;
import java.util.ArrayList;
import java.util.List;

/**
 * Rules that keep queries to the cache and its replies out of connection tracking, and let them through filters: those of node-cache, by
 * iptables, or a table of its own by nft where there is no iptables.
 */
final class NodeRules {
    private static final String NOTRACK = "NodeLocal DNS Cache: skip conntrack";
    private static final String ACCEPT = "NodeLocal DNS Cache: allow DNS traffic";
    private static final String TABLE = "inet cairn_node_cache";

    private final List<Address> addresses;
    private final int port;
    private final int healthPort;
    private final boolean nft;

    /** One rule; {@code matches} goes from protocol to port. */
    private record Rule(String program, String table, String chain, List<String> matches, String target, String comment) {
        List<String> command(String action) {
            List<String> command = new ArrayList<>(List.of(program, "-w", "5", "-t", table, action, chain));
            command.addAll(matches);
            command.addAll(List.of("-m", "comment", "--comment", comment, "-j", target));
            return command;
        }
    }

    NodeRules(List<Address> addresses, int port, int healthPort) {
        this.addresses = List.copyOf(addresses);
        this.port = port;
        this.healthPort = healthPort;
        this.nft = !SystemCommand.isThere(program(this.addresses)) && SystemCommand.isThere("nft");
    }

    private static String program(List<Address> addresses) {
        return addresses.getFirst().isIpv4() ? "iptables" : "ip6tables";
    }

    /** Puts in what is missing; returns what went wrong, empty if nothing did. */
    String ensure() {
        if (nft) {
            Result known = SystemCommand.run(List.of("nft", "list", "table", "inet", "cairn_node_cache"), "");
            Result made = known.ok() ? known : SystemCommand.run(List.of("nft", "-f", "-"), script());
            return made.ok() ? "" : made.output();
        }
        for (Rule rule : rules()) {
            if (!SystemCommand.run(rule.command("-C"), "").ok()) {
                Result added = SystemCommand.run(rule.command("-I"), "");
                if (!added.ok()) {
                    return String.join(" ", rule.command("-I")) + ": " + added.output();
                }
            }
        }
        return "";
    }

    void remove() {
        if (nft) {
            SystemCommand.run(List.of("nft", "-f", "-"), "delete table " + TABLE + "\n");
            return;
        }
        for (Rule rule : rules()) {
            while (SystemCommand.run(rule.command("-D"), "").ok()) {
                // Once more, in case it was added by another process as well.
            }
        }
    }

    private List<Rule> rules() {
        List<Rule> rules = new ArrayList<>();
        for (Address address : addresses) {
            for (String protocol : List.of("tcp", "udp")) {
                List<String> to = matches(protocol, "-d", address, "--dport", port);
                List<String> from = matches(protocol, "-s", address, "--sport", port);
                add(rules, "raw", "PREROUTING", to);
                add(rules, "filter", "INPUT", to);
                add(rules, "raw", "OUTPUT", from);
                add(rules, "filter", "OUTPUT", from);
                // Of those on the node itself, such as pods on its network.
                add(rules, "raw", "OUTPUT", to);
            }
            // The kubelet's probes.
            add(rules, "raw", "OUTPUT", matches("tcp", "-d", address, "--dport", healthPort));
            add(rules, "raw", "OUTPUT", matches("tcp", "-s", address, "--sport", healthPort));
        }
        return rules;
    }

    private void add(List<Rule> rules, String table, String chain, List<String> matches) {
        boolean raw = table.equals("raw");
        rules.add(new Rule(program(addresses), table, chain, matches, raw ? "NOTRACK" : "ACCEPT", raw ? NOTRACK : ACCEPT));
    }

    private static List<String> matches(String protocol, String side, Address address, String portSide, int number) {
        return List.of("-p", protocol, side, address.toString(), portSide, Integer.toString(number));
    }

    /** The same for nft, in one table that is put in and taken out as a whole. */
    private String script() {
        StringBuilder in = new StringBuilder();
        StringBuilder out = new StringBuilder();
        for (Address address : addresses) {
            String family = address.isIpv4() ? "ip" : "ip6";
            String to = family + " daddr " + address;
            String from = family + " saddr " + address;
            for (String protocol : List.of("tcp", "udp")) {
                in.append(to).append(' ').append(protocol).append(" dport ").append(port).append(" notrack\n");
                out.append(from).append(' ').append(protocol).append(" sport ").append(port).append(" notrack\n");
                out.append(to).append(' ').append(protocol).append(" dport ").append(port).append(" notrack\n");
            }
            out.append(to).append(" tcp dport ").append(healthPort).append(" notrack\n");
            out.append(from).append(" tcp sport ").append(healthPort).append(" notrack\n");
        }
        return "table " + TABLE + " {\nchain prerouting {\ntype filter hook prerouting priority raw;\n" + in
                + "}\nchain output {\ntype filter hook output priority raw;\n" + out + "}\n}\n";
    }
}
