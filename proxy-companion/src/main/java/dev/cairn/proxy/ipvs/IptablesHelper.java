package dev.cairn.proxy.ipvs;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.proxy.iptables.RuleFingerprint;
import dev.cairn.proxy.plan.LocalDetector;
import dev.cairn.proxy.sync.ApplyFailure;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules as iptables with ipset, for kernels without nftables. Used by one thread. */
final class IptablesHelper implements Helper {
    private static final String CHAIN = "CAIRN-IPVS-";
    private static final List<String> RESTORE_SETS = List.of("ipset", "restore", "-exist");

    private final Tool tool;
    private final ElementWriter writer;
    private final SetSizes sizes;
    /** Whether iptables is the kind that writes nftables; null if it was not asked yet. */
    private @Nullable Boolean nft;

    /** Our rules as the kernel told them when they had been written; it spells them in its own way. */
    private final Map<IpFamily, String> written = new EnumMap<>(IpFamily.class);

    /** A chain of ours, where it is jumped to from, and its rules. */
    record Chain(String table, String from, List<String> rules) {}

    IptablesHelper(Tool tool, ElementWriter writer, SetSizes sizes) {
        this.tool = tool;
        this.sizes = sizes;
        this.writer = writer;
    }

    private static String command(IpFamily family, String kind) {
        return (family == IpFamily.IPV4 ? "iptables" : "ip6tables") + kind;
    }

    /** The name of a set in the kernel. */
    static String name(HelperSet set, IpFamily family) {
        return (family == IpFamily.IPV4 ? "cairn-" : "cairn6-") + set.text();
    }

    private static String match(HelperSet set, IpFamily family) {
        String sides = switch (set.kind()) {
            case PLACE -> "dst,dst";
            case PLACE_RANGE, PLACE_ADDRESS -> "dst,dst,src";
            case ADDRESS, PORT -> "dst";
        };
        return match(set, family, sides, "");
    }

    private static String match(HelperSet set, IpFamily family, String sides, String not) {
        return "-m set " + not + "--match-set " + name(set, family) + " " + sides;
    }

    private static String type(HelperSet set, IpFamily family) {
        String hash = switch (set.kind()) {
            case PLACE -> "hash:ip,port";
            case PLACE_RANGE -> "hash:ip,port,net";
            case PLACE_ADDRESS -> "hash:ip,port,ip";
            case ADDRESS -> "hash:ip";
            case PORT -> "";
        };
        return hash.isEmpty() ? "bitmap:port range 0-65535"
                : hash + " family " + (family == IpFamily.IPV4 ? "inet" : "inet6") + " maxelem 1048576";
    }

    static Map<String, Chain> chains(IpFamily family, HelperRules rules) {
        Map<String, Chain> chains = new LinkedHashMap<>();
        String mark = " -j MARK --or-mark " + rules.mark();
        String first = "-m conntrack ! --ctstate NEW -j RETURN";
        List<String> filter = List.of(first,
                match(HelperSet.FIREWALL, family) + " " + match(HelperSet.ALLOW, family, "dst,dst,src", "! ") + " -j DROP",
                match(HelperSet.DROP, family) + " -j DROP");
        List<String> incoming = new ArrayList<>(filter);
        LocalDetector detector = rules.options().detector();
        boolean pods = detector.works(family);
        if (pods) {
            incoming.add(fromPod(family, detector, "") + " -j RETURN");
        }
        incoming.add("-m addrtype --src-type LOCAL -j RETURN");
        incoming.add(match(HelperSet.NO_LOCAL, family) + " -j DROP");
        chains.put(CHAIN + "FILTER-IN", new Chain("mangle", "PREROUTING", incoming));
        chains.put(CHAIN + "FILTER-OWN", new Chain("mangle", "OUTPUT", filter));
        List<String> masquerade = new ArrayList<>(List.of(match(HelperSet.MASQUERADE, family) + mark));
        List<String> own = new ArrayList<>(List.of(match(HelperSet.MASQUERADE, family) + mark, match(HelperSet.LOCAL, family) + mark,
                match(HelperSet.ADDRESSES, family, "src", "") + " " + match(HelperSet.CLUSTER, family) + mark));
        if (rules.options().masqueradeAll()) {
            masquerade.add(match(HelperSet.CLUSTER, family) + mark);
            own.add(match(HelperSet.CLUSTER, family) + mark);
        } else if (pods) {
            String others = fromPod(family, detector, "! ") + " ";
            masquerade.add(others + match(HelperSet.CLUSTER, family) + mark);
            own.add((detector instanceof LocalDetector.Interface ? "" : others) + match(HelperSet.CLUSTER, family) + mark);
        }
        chains.put(CHAIN + "MARK-IN", new Chain("nat", "PREROUTING", masquerade));
        chains.put(CHAIN + "MARK-OWN", new Chain("nat", "OUTPUT", own));
        chains.put(CHAIN + "MASQUERADE", new Chain("nat", "POSTROUTING", List.of(
                match(HelperSet.HAIRPIN, family) + " -j MASQUERADE",
                "-m mark ! --mark " + rules.mark() + "/" + rules.mark() + " -j RETURN",
                "-j MARK --xor-mark " + rules.mark(),
                "-j MASQUERADE --random-fully")));
        chains.put(CHAIN + "PORTS", new Chain("filter", "INPUT", ports(first, family)));
        chains.put(CHAIN + "FORWARD", new Chain("filter", "FORWARD", List.of("-m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT")));
        return chains;
    }

    private static List<String> ports(String first, IpFamily family) {
        List<String> ports = new ArrayList<>(List.of(first, "-p tcp " + match(HelperSet.HEALTH, family) + " -j ACCEPT"));
        for (HelperSet set : List.of(HelperSet.CLUSTER, HelperSet.MASQUERADE, HelperSet.LOCAL)) {
            ports.add(match(set, family) + " -j RETURN");
        }
        for (String protocol : HelperRules.PROTOCOLS) {
            ports.add("-p " + protocol + " " + match(HelperSet.ADDRESSES, family) + " -j REJECT");
        }
        return ports;
    }

    private static String fromPod(IpFamily family, LocalDetector detector, String not) {
        return switch (detector) {
            case LocalDetector.Ranges ranges -> not + "-s " + ranges.of(family);
            case LocalDetector.Interface(String name, boolean prefix) -> not + "-i " + name + (prefix ? "+" : "");
        };
    }

    @Override
    public void load(HelperRules rules) throws ApplyFailure {
        StringBuilder sets = new StringBuilder();
        for (IpFamily family : rules.families()) {
            for (HelperSet set : HelperSet.values()) {
                sets.append("create ").append(name(set, family)).append(' ').append(type(set, family)).append('\n');
            }
        }
        tool.must(RESTORE_SETS, sets.toString());
        for (IpFamily family : rules.families()) {
            String there = save(family);
            tool.must(List.of(command(family, "-restore"), "-w", "5", "--noflush"), script(chains(family, rules), there));
            written.put(family, save(family));
        }
    }

    /** What {@code iptables-restore} gets: our chains anew, and jumps to them that are not there yet. */
    static String script(Map<String, Chain> chains, String there) {
        StringBuilder script = new StringBuilder();
        for (String table : List.of("mangle", "nat", "filter")) {
            script.append('*').append(table).append('\n');
            chains.forEach((name, chain) -> script.append(chain.table().equals(table) ? ":" + name + " - [0:0]\n" : ""));
            chains.forEach((name, chain) -> {
                if (chain.table().equals(table)) {
                    script.append(there.contains(jump(name, chain) + "\n") ? "" : "-I " + chain.from() + " 1 -j " + name + "\n");
                    chain.rules().forEach(rule -> script.append("-A ").append(name).append(' ').append(rule).append('\n'));
                }
            });
            script.append("COMMIT\n");
        }
        return script.toString();
    }

    private static String jump(String name, Chain chain) {
        return "-A " + chain.from() + " -j " + name;
    }

    private static List<String> rules(String saved, String chain) {
        return saved.lines().filter(line -> line.startsWith("-A " + chain + " ")).toList();
    }

    private String save(IpFamily family) throws ApplyFailure {
        Tool.Answer answer = tool.run(List.of(command(family, "-save")), "");
        return answer.isGood() ? answer.text() : "";
    }

    @Override
    public void add(Collection<Element> elements) throws ApplyFailure {
        writer.write(true, elements);
    }

    @Override
    public void remove(Collection<Element> elements) throws ApplyFailure {
        writer.write(false, elements);
    }

    /** {@code 10.96.0.1,tcp:80}, and a fourth field after a comma. */
    static String text(Element element) {
        List<String> fields = element.fields();
        return fields.size() < 3 ? fields.getFirst()
                : fields.get(0) + "," + fields.get(1) + ":" + fields.get(2) + (fields.size() > 3 ? "," + fields.get(3) : "");
    }

    @Override
    public Set<Element> elements() throws ApplyFailure {
        Tool.Answer answer = tool.run(List.of("ipset", "save"), "");
        Set<Element> elements = new HashSet<>();
        for (String line : answer.isGood() ? answer.text().lines().toList() : List.<String>of()) {
            String[] words = line.split(" ", -1);
            if (words[0].equals("add")) {
                for (IpFamily family : IpFamily.values()) {
                    for (HelperSet set : HelperSet.values()) {
                        if (words[1].equals(name(set, family))) {
                            elements.add(new Element(set, family, fields(words[2])));
                        }
                    }
                }
            }
        }
        return elements;
    }

    private static List<String> fields(String text) {
        String[] parts = text.split(",", -1);
        List<String> fields = new ArrayList<>(List.of(parts[0]));
        if (parts.length > 1) {
            fields.addAll(List.of(parts[1].split(":", 2)));
        }
        if (parts.length > 2) {
            fields.add(parts[2]);
        }
        return fields;
    }

    @Override
    public List<String> missing(HelperRules rules) throws ApplyFailure {
        List<String> missing = new ArrayList<>();
        Set<String> names = new HashSet<>(tool.run(List.of("ipset", "list", "-n"), "").text().lines().toList());
        for (IpFamily family : rules.families()) {
            for (HelperSet set : HelperSet.values()) {
                if (!names.contains(name(set, family))) {
                    missing.add("set " + name(set, family) + " is missing");
                }
            }
            String there = save(family);
            chains(family, rules).forEach((name, chain) -> {
                List<String> now = rules(there, name);
                List<String> shall = written.containsKey(family) ? rules(written.getOrDefault(family, ""), name) : now;
                if (now.size() != chain.rules().size()) {
                    missing.add(command(family, "") + ": chain " + name + " has " + now.size() + " rules instead of " + chain.rules().size());
                } else if (!now.equals(shall)) {
                    missing.add(command(family, "") + ": chain " + name + " has another rule in the place of "
                            + shall.stream().filter(rule -> !now.contains(rule)).findFirst().orElse("one of its own"));
                }
                if (!there.contains(jump(name, chain) + "\n")) {
                    missing.add(command(family, "") + ": the jump from " + chain.from() + " to " + name + " is missing");
                }
            });
        }
        return missing;
    }

    @Override
    public String fingerprint() throws ApplyFailure {
        if (nft == null) {
            nft = tool.run(List.of("iptables", "-V"), "").text().contains("nf_tables");
        }
        return nft ? String.valueOf(RuleFingerprint.ofNft()) : RuleFingerprint.ofLegacy();
    }

    @Override
    public boolean hasAsMany(KernelState state) throws ApplyFailure {
        Map<String, Integer> now = sizes.read();
        for (IpFamily family : IpFamily.values()) {
            for (HelperSet set : HelperSet.values()) {
                if (state.count(set, family) != now.getOrDefault(name(set, family), 0)) {
                    return false;
                }
            }
        }
        return true;
    }

    @Override
    public List<String> cleanUp() throws ApplyFailure {
        List<String> removed = new ArrayList<>();
        for (IpFamily family : IpFamily.values()) {
            String there = save(family);
            if (there.contains(CHAIN)) {
                tool.must(List.of(command(family, "-restore"), "-w", "5", "--noflush"), removal(there));
                removed.add("chains " + CHAIN + "* of " + command(family, ""));
            }
        }
        Set<String> own = new HashSet<>();
        for (IpFamily family : IpFamily.values()) {
            for (HelperSet set : HelperSet.values()) {
                own.add(name(set, family));
            }
        }
        own.retainAll(tool.run(List.of("ipset", "list", "-n"), "").text().lines().toList());
        if (!own.isEmpty()) {
            StringBuilder script = new StringBuilder();
            own.forEach(name -> script.append("destroy ").append(name).append('\n'));
            tool.must(RESTORE_SETS, script.toString());
            removed.add(own.size() + " sets cairn-* and cairn6-* of ipset");
        }
        return removed;
    }

    /** Takes out jumps to our chains, then the chains, whichever version made them. */
    static String removal(String there) {
        StringBuilder script = new StringBuilder();
        List<String> own = new ArrayList<>();
        for (String line : there.lines().toList()) {
            if (line.startsWith("*")) {
                script.append(line).append('\n');
            } else if (line.startsWith(":" + CHAIN)) {
                own.add(line.substring(1, line.indexOf(' ')));
            } else if (line.startsWith("-A ") && !line.startsWith("-A " + CHAIN) && line.contains("-j " + CHAIN)) {
                script.append("-D ").append(line, 3, line.length()).append('\n');
            } else if (line.equals("COMMIT")) {
                own.forEach(chain -> script.append("-F ").append(chain).append('\n'));
                own.forEach(chain -> script.append("-X ").append(chain).append('\n'));
                own.clear();
                script.append("COMMIT\n");
            }
        }
        return script.toString();
    }
}
