package dev.cairn.proxy.ipvs;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.proxy.nft.RuleComment;
import dev.cairn.proxy.plan.LocalDetector;
import dev.cairn.proxy.sync.ApplyFailure;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** The rules as nftables, in two tables of their own. Used by one thread. */
final class NftHelper implements Helper {
    static final String TABLE = "cairn-ipvs";
    private static final String PLACE = "IP daddr . meta l4proto . th dport";

    private final Tool tool;
    private final ElementWriter writer;
    private int transactions;

    NftHelper(Tool tool, ElementWriter writer) {
        this.tool = tool;
        this.writer = writer;
    }

    private static String word(IpFamily family) {
        return family == IpFamily.IPV4 ? "ip" : "ip6";
    }

    static String table(IpFamily family) {
        return word(family) + " " + TABLE;
    }

    private static String in(IpFamily family, String text) {
        return text.replace("IP ", word(family) + " ");
    }

    private static String type(HelperSet set) {
        return switch (set.kind()) {
            case PLACE -> PLACE + ";";
            case PLACE_RANGE -> PLACE + " . IP saddr; flags interval;";
            case PLACE_ADDRESS -> PLACE + " . IP saddr;";
            case ADDRESS -> "IP daddr;";
            case PORT -> "tcp dport;";
        };
    }

    /** The hook of each chain, and its rules. */
    static Map<String, List<String>> rules(IpFamily family, HelperRules rules) {
        Map<String, List<String>> chains = new LinkedHashMap<>();
        String mark = "meta mark set meta mark or " + rules.mark();
        List<String> filter = List.of(
                PLACE + " @firewall-places " + PLACE + " . IP saddr != @allowed-sources drop",
                PLACE + " @drop-places drop");
        List<String> incoming = new ArrayList<>(filter);
        boolean pods = rules.options().detector().works(family);
        if (pods) {
            incoming.add(fromPod(family, rules.options().detector(), "") + " return");
        }
        incoming.add("fib saddr type local return");
        incoming.add(PLACE + " @no-local-places drop");
        chains.put("filter-incoming", incoming);
        chains.put("filter-own", filter);
        List<String> masquerade = new ArrayList<>(List.of(PLACE + " @masquerade-places " + mark));
        List<String> own = new ArrayList<>(List.of(PLACE + " @masquerade-places " + mark, PLACE + " @local-places " + mark,
                "IP saddr @service-addresses " + PLACE + " @cluster-places " + mark));
        if (rules.options().masqueradeAll()) {
            masquerade.add(PLACE + " @cluster-places " + mark);
            own.add(PLACE + " @cluster-places " + mark);
        } else if (pods) {
            masquerade.add(PLACE + " @cluster-places " + fromPod(family, rules.options().detector(), "!= ") + " " + mark);
            boolean byInterface = rules.options().detector() instanceof LocalDetector.Interface;
            own.add(PLACE + " @cluster-places " + (byInterface ? "" : fromPod(family, rules.options().detector(), "!= ") + " ") + mark);
        }
        chains.put("mark-incoming", masquerade);
        chains.put("mark-own", own);
        chains.put("masquerading", List.of(
                PLACE + " . IP saddr @hairpins masquerade fully-random",
                "meta mark and " + rules.mark() + " == 0 return",
                "meta mark set meta mark xor " + rules.mark(),
                "masquerade fully-random"));
        chains.put("other-ports", List.of(
                "tcp dport @health-ports return",
                PLACE + " @cluster-places return", PLACE + " @masquerade-places return", PLACE + " @local-places return",
                "meta l4proto { tcp, udp, sctp } IP daddr @service-addresses reject"));
        return chains;
    }

    /** The rules of each chain as nft reads them. */
    private static Map<String, List<String>> written(IpFamily family, HelperRules rules) {
        Map<String, List<String>> written = new LinkedHashMap<>();
        rules(family, rules).forEach((chain, those) -> {
            List<String> all = new ArrayList<>(isFilter(chain) ? List.of("ct state != new return") : List.of());
            those.forEach(rule -> all.add(in(family, rule)));
            written.put(chain, all);
        });
        return written;
    }

    private static String hook(String chain) {
        return switch (chain) {
            case "filter-incoming" -> "filter hook prerouting priority mangle";
            case "filter-own" -> "filter hook output priority -150";
            case "mark-incoming" -> "nat hook prerouting priority dstnat";
            case "mark-own" -> "nat hook output priority -100";
            case "masquerading" -> "nat hook postrouting priority srcnat";
            default -> "filter hook input priority filter";
        };
    }

    /** In a filter every packet would be looked at; only the first of a connection counts. */
    private static boolean isFilter(String chain) {
        return hook(chain).startsWith("filter ");
    }

    private static String fromPod(IpFamily family, LocalDetector detector, String not) {
        return switch (detector) {
            case LocalDetector.Ranges ranges -> "IP saddr " + not + ranges.of(family);
            case LocalDetector.Interface(String name, boolean prefix) -> "iifname " + not + "\"" + name + (prefix ? "*" : "") + "\"";
        };
    }

    /** Makes tables, sets and rules; what elements there are stays. */
    static String script(HelperRules rules) {
        StringBuilder script = new StringBuilder();
        for (IpFamily family : rules.families()) {
            script.append("add table ").append(table(family)).append('\n');
            for (HelperSet set : HelperSet.values()) {
                script.append("add set ").append(table(family)).append(' ').append(set.text())
                        .append(" { typeof ").append(in(family, type(set))).append(" }\n");
            }
            written(family, rules).forEach((chain, those) -> {
                script.append("add chain ").append(table(family)).append(' ').append(chain).append(" { type ").append(hook(chain))
                        .append("; policy accept; }\nflush chain ").append(table(family)).append(' ').append(chain).append('\n');
                those.forEach(rule -> script.append("add rule ").append(table(family)).append(' ').append(chain).append(' ')
                        .append(RuleComment.with(rule)).append('\n'));
            });
        }
        return script.toString();
    }

    @Override
    public void load(HelperRules rules) throws ApplyFailure {
        tool.must(List.of("nft", "-f", "-"), script(rules));
        transactions++;
    }

    @Override
    public void add(Collection<Element> elements) throws ApplyFailure {
        write(true, elements);
    }

    @Override
    public void remove(Collection<Element> elements) throws ApplyFailure {
        write(false, elements);
    }

    private void write(boolean add, Collection<Element> elements) throws ApplyFailure {
        if (!elements.isEmpty()) {
            writer.write(add, elements);
            transactions++;
        }
    }

    @Override
    public int transactions() {
        return transactions;
    }

    @Override
    public Set<Element> elements() throws ApplyFailure {
        Set<Element> elements = new HashSet<>();
        for (IpFamily family : IpFamily.values()) {
            Tool.Answer answer = tool.run(List.of("nft", "list", "table", word(family), TABLE), "");
            if (answer.isGood()) {
                elements.addAll(parse(family, answer.text()));
            }
        }
        return elements;
    }

    /** Reads what {@code nft list table} prints, where elements stand as they are written. */
    static Set<Element> parse(IpFamily family, String text) {
        Set<Element> elements = new HashSet<>();
        HelperSet set = null;
        boolean inside = false;
        for (String line : text.lines().map(String::strip).toList()) {
            if (line.startsWith("set ") && line.endsWith(" {")) {
                String name = line.substring(4, line.length() - 2);
                set = List.of(HelperSet.values()).stream().filter(candidate -> candidate.text().equals(name)).findFirst().orElse(null);
            }
            inside |= line.startsWith("elements = {");
            if (inside && set != null) {
                for (String key : line.replace("elements = {", "").replace("}", "").split(",", -1)) {
                    if (!key.isBlank()) {
                        elements.add(new Element(set, family, fields(key.strip())));
                    }
                }
            }
            inside &= !line.endsWith("}");
        }
        return elements;
    }

    /** Without /etc/protocols, as in small images, nft prints numbers. */
    private static List<String> fields(String key) {
        List<String> fields = new ArrayList<>(List.of(key.split(" \\. ", -1)));
        if (fields.size() >= 3) {
            fields.set(1, switch (fields.get(1)) {
                case "6" -> "tcp";
                case "17" -> "udp";
                case "132" -> "sctp";
                default -> fields.get(1);
            });
        }
        return fields;
    }

    @Override
    public List<String> missing(HelperRules rules) throws ApplyFailure {
        List<String> missing = new ArrayList<>();
        for (IpFamily family : rules.families()) {
            Tool.Answer answer = tool.run(List.of("nft", "list", "table", word(family), TABLE), "");
            if (!answer.isGood()) {
                missing.add("table " + table(family) + " is missing");
                continue;
            }
            written(family, rules).forEach((chain, those) -> {
                List<String> there = listed(answer.text(), chain);
                String place = "table " + table(family) + ": chain " + chain;
                if (there.size() != those.size()) {
                    missing.add(place + " has " + there.size() + " rules instead of " + those.size());
                } else {
                    IntStream.range(0, those.size()).filter(i -> !RuleComment.marks(those.get(i), there.get(i)))
                            .forEach(i -> missing.add(place + " has another rule in the place of " + those.get(i)));
                }
            });
        }
        return missing;
    }

    /** The rules of a chain; none if there is no such. */
    private static List<String> listed(String text, String chain) {
        int from = text.indexOf("\tchain " + chain + " {\n");
        if (from < 0) {
            return List.of();
        }
        String body = text.substring(from, text.indexOf("\n\t}", from));
        return body.lines().skip(1).filter(line -> !line.isBlank() && !line.strip().startsWith("type ")).toList();
    }

    @Override
    public List<String> cleanUp() throws ApplyFailure {
        List<String> removed = new ArrayList<>();
        for (IpFamily family : IpFamily.values()) {
            if (tool.run(List.of("nft", "-t", "list", "table", word(family), TABLE), "").isGood()) {
                tool.must(List.of("nft", "-f", "-"), "delete table " + table(family) + "\n");
                removed.add("table " + table(family));
            }
        }
        return removed;
    }
}
