package dev.cairn.proxy.userspace;

import dev.cairn.cluster.control.AddressRange;
import dev.cairn.facts.Address;
import dev.cairn.proxy.plan.ServiceName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What {@code iptables-restore} gets for a family. Immutable. */
final class IptablesRules {
    /** How our chains begin. */
    static final String CHAIN = "CAIRN-USER";
    /** The rules that lead to our chains, each with its table. */
    static final List<String> JUMPS = List.of(
            "mangle -I PREROUTING -j CAIRN-USER-FIREWALL",
            "mangle -I OUTPUT -j CAIRN-USER-FIREWALL",
            "nat -I PREROUTING -j CAIRN-USER-SERVICES",
            "nat -I OUTPUT -j CAIRN-USER-SERVICES",
            "filter -I INPUT -j CAIRN-USER-INPUT",
            "filter -I FORWARD -j CAIRN-USER-REFUSED",
            "filter -I OUTPUT -j CAIRN-USER-REFUSED");

    private static final String NEW = " -m conntrack --ctstate NEW";
    private static final String NOT_LED = NEW + " -m conntrack ! --ctstate DNAT";

    private final Crossing crossing;

    IptablesRules(Crossing crossing) {
        this.crossing = crossing;
    }

    /** All chains, which lose what they have, and some jumps to them. */
    String script(Map<ServiceName, List<Redirect>> redirects, List<String> jumps) {
        List<Redirect> own = new ArrayList<>();
        redirects.values().forEach(some -> some.stream().filter(one -> one.place().family() == crossing.family()).forEach(own::add));
        StringBuilder script = new StringBuilder();
        table(script, "mangle", List.of("FIREWALL"), firewall(own), jumps);
        table(script, "nat", List.of("SERVICES", "NODEPORTS"), services(own), jumps);
        table(script, "filter", List.of("INPUT", "REFUSED", "NODEPORTS"), refusals(own), jumps);
        return script.toString();
    }

    private static void table(StringBuilder script, String table, List<String> chains, List<String> rules, List<String> jumps) {
        script.append('*').append(table).append('\n');
        chains.forEach(chain -> script.append(':').append(CHAIN).append('-').append(chain).append(" - [0:0]\n"));
        rules.forEach(rule -> script.append("-A ").append(CHAIN).append('-').append(rule).append('\n'));
        jumps.stream().filter(jump -> jump.startsWith(table + " ")).forEach(jump -> script.append(jump.substring(table.length() + 1)).append('\n'));
        script.append("COMMIT\n");
    }

    private String own() {
        String mark = "0x" + Integer.toHexString(crossing.mark());
        return " -m mark --mark " + mark + "/" + mark + " -j RETURN";
    }

    private static String match(Redirect redirect) {
        Address address = redirect.place().address();
        String protocol = redirect.place().protocol().label();
        return (address == null ? "" : " -d " + address) + " -p " + protocol + " -m " + protocol + " --dport " + redirect.place().port();
    }

    /** Before destinations are changed, so that they are still the services'. */
    private List<String> firewall(List<Redirect> redirects) {
        List<String> rules = new ArrayList<>(List.of("FIREWALL" + own()));
        for (Redirect redirect : redirects) {
            if (!redirect.sources().isEmpty()) {
                for (AddressRange range : redirect.sources()) {
                    rules.add("FIREWALL" + match(redirect) + " -s " + range + " -j RETURN");
                }
                rules.add("FIREWALL" + match(redirect) + NEW + " -j DROP");
            }
        }
        return rules;
    }

    private List<String> services(List<Redirect> redirects) {
        List<String> rules = new ArrayList<>(List.of("SERVICES" + own()));
        for (Redirect redirect : redirects) {
            String rule = (redirect.place().address() == null ? "NODEPORTS" : "SERVICES") + match(redirect);
            if (redirect.port() == 0) {
                continue;
            }
            if (redirect.outsideDiffers()) {
                around().forEach(who -> rules.add(rule + who + to(redirect.port())));
                rules.add(rule + (redirect.outsidePort() == 0 ? " -j RETURN" : to(redirect.outsidePort())));
            } else {
                rules.add(rule + to(redirect.port()));
            }
        }
        atNode().forEach(node -> rules.add("SERVICES" + node + " -j CAIRN-USER-NODEPORTS"));
        return rules;
    }

    private String to(int port) {
        return " -j DNAT --to-destination " + (crossing.at().isIpv4() ? crossing.at() : "[" + crossing.at() + "]") + ":" + port;
    }

    /** Pods and the node itself go round a policy for what comes from outside. */
    private List<String> around() {
        List<String> matches = new ArrayList<>();
        if (crossing.podRange() != null) {
            matches.add(" -s " + crossing.podRange());
        } else if (!crossing.podDevice().isEmpty()) {
            matches.add(" -i " + crossing.podDevice().replace('*', '+'));
        }
        matches.add(" -m addrtype --src-type LOCAL");
        return matches;
    }

    private List<String> atNode() {
        List<String> matches = new ArrayList<>();
        List<Address> some = crossing.nodePorts();
        if (some == null) {
            matches.add((crossing.localhost() ? "" : " ! -d " + crossing.loopback()) + " -m addrtype --dst-type LOCAL");
        } else {
            some.forEach(address -> matches.add(" -d " + address));
            if (crossing.localhost()) {
                matches.add(" -d " + crossing.loopback());
            }
        }
        return matches;
    }

    private List<String> refusals(List<Redirect> redirects) {
        Set<String> rules = new LinkedHashSet<>();
        for (Redirect redirect : redirects) {
            for (int port : new int[] {redirect.port(), redirect.outsidePort()}) {
                if (port != 0) {
                    String protocol = redirect.place().protocol().label();
                    rules.add("INPUT -d " + crossing.at() + " -p " + protocol + " -m " + protocol + " --dport " + port + NOT_LED + " -j REJECT");
                }
            }
        }
        rules.add("INPUT -j CAIRN-USER-REFUSED");
        atNode().forEach(node -> rules.add("INPUT" + node + " -j CAIRN-USER-NODEPORTS"));
        rules.add("REFUSED" + own());
        redirects.stream().filter(Redirect::isRefusing).forEach(redirect -> rules.add(
                (redirect.place().address() == null ? "NODEPORTS" : "REFUSED") + match(redirect) + NOT_LED + (redirect.reject() ? " -j REJECT" : " -j DROP")));
        return List.copyOf(rules);
    }

    /** Our rules and the jumps to them in what {@code iptables-save} printed, each with its table. */
    static List<String> own(String saved) {
        List<String> own = new ArrayList<>();
        String table = "";
        for (String line : saved.lines().toList()) {
            if (line.startsWith("*")) {
                table = line.substring(1);
            } else if (line.startsWith(":" + CHAIN) || (line.startsWith("-A ") && line.contains(CHAIN))) {
                own.add(table + " " + (line.startsWith(":") ? line.substring(0, line.indexOf(' ')) : line));
            }
        }
        return own;
    }

    /** The jumps that are not among our rules. */
    static List<String> missingJumps(Collection<String> own) {
        return JUMPS.stream().filter(jump -> !own.contains(jump.replace(" -I ", " -A "))).toList();
    }

    /** Takes back our rules, jumps and chains. */
    static String removal(List<String> own) {
        StringBuilder script = new StringBuilder();
        for (String table : List.of("mangle", "nat", "filter")) {
            List<String> lines = own.stream().filter(line -> line.startsWith(table + " ")).map(line -> line.substring(table.length() + 1)).toList();
            List<String> chains = lines.stream().filter(line -> line.startsWith(":")).map(line -> line.substring(1)).toList();
            if (lines.isEmpty()) {
                continue;
            }
            script.append('*').append(table).append('\n');
            chains.forEach(chain -> script.append(':').append(chain).append(" - [0:0]\n"));
            lines.stream().filter(line -> line.startsWith("-A ") && !line.startsWith("-A " + CHAIN))
                    .forEach(line -> script.append("-D").append(line.substring(2)).append('\n'));
            chains.forEach(chain -> script.append("-X ").append(chain).append('\n'));
            script.append("COMMIT\n");
        }
        return script.toString();
    }
}
