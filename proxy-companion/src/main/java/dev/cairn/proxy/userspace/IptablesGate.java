package dev.cairn.proxy.userspace;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.proxy.iptables.RuleFingerprint;
import dev.cairn.proxy.plan.ServiceName;
import dev.cairn.proxy.sync.ApplyFailure;
import dev.cairn.proxy.sync.Tool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Leads packets by iptables, where there is no nftables: own chains that are written anew as a whole. */
final class IptablesGate implements Gate {
    private String fingerprint = "";
    /** Whether iptables are those in nftables; null if that is not known yet. */
    private @Nullable Boolean nft;
    private final Tool tool;
    /** What was given to a family at last, and what it was then read as. */
    private final Map<IpFamily, String> given = new HashMap<>();
    private final Map<IpFamily, List<String>> read = new HashMap<>();

    IptablesGate(Tool tool) {
        this.tool = tool;
    }

    private static String program(IpFamily family, String verb) {
        return (family == IpFamily.IPV4 ? "iptables-" : "ip6tables-") + verb;
    }

    @Override
    public @Nullable String probe(List<Crossing> crossings) {
        try {
            for (Crossing crossing : crossings) {
                restore(crossing.family(), new IptablesRules(crossing).script(Map.of(), List.of()), "--test");
                saved(crossing.family());
            }
            return null;
        } catch (ApplyFailure e) {
            return e.getMessage();
        }
    }

    @Override
    public void apply(List<Crossing> crossings, Map<ServiceName, List<Redirect>> redirects, Set<ServiceName> changed) throws ApplyFailure {
        for (Crossing crossing : crossings) {
            IpFamily family = crossing.family();
            IptablesRules rules = new IptablesRules(crossing);
            String wanted = rules.script(redirects, IptablesRules.JUMPS);
            if (!wanted.equals(given.remove(family))) {
                List<String> there = saved(family);
                restore(family, rules.script(redirects, IptablesRules.missingJumps(there)));
            }
            read.put(family, saved(family));
            given.put(family, wanted);
        }
        fingerprint = fingerprint();
    }

    @Override
    public String render(List<Crossing> crossings, Map<ServiceName, List<Redirect>> redirects) {
        StringBuilder all = new StringBuilder();
        crossings.forEach(crossing -> all.append("# ").append(program(crossing.family(), "restore")).append(" --noflush\n")
                .append(new IptablesRules(crossing).script(redirects, IptablesRules.JUMPS)));
        return all.toString();
    }

    @Override
    public List<String> audit(List<Crossing> crossings, Map<ServiceName, List<Redirect>> redirects, boolean portsKnown) throws ApplyFailure {
        List<String> drift = new ArrayList<>();
        fingerprint = fingerprint();
        for (Crossing crossing : crossings) {
            List<String> there = saved(crossing.family());
            List<String> before = read.get(crossing.family());
            if (!portsKnown || before == null) {
                IptablesRules.missingJumps(there).forEach(jump -> drift.add(crossing.family() + " rule " + jump + " is missing"));
                continue;
            }
            before.stream().filter(line -> !there.contains(line)).forEach(line -> drift.add(crossing.family() + " rule " + line + " is missing"));
            there.stream().filter(line -> !before.contains(line)).forEach(line -> drift.add(crossing.family() + " rule " + line + " is left over"));
        }
        if (!drift.isEmpty()) {
            given.clear();
        }
        return drift;
    }

    @Override
    public List<String> cleanUp() throws ApplyFailure {
        given.clear();
        List<String> removed = new ArrayList<>();
        for (IpFamily family : IpFamily.values()) {
            Tool.Answer answer = tool.run(List.of(program(family, "save")), "");
            List<String> there = answer == null || answer.code() != 0 ? List.of() : IptablesRules.own(answer.out());
            if (!there.isEmpty()) {
                restore(family, IptablesRules.removal(there));
                removed.add("iptables chains " + IptablesRules.CHAIN + "* of " + family);
            }
        }
        return removed;
    }

    /** A look at a number, or at the sizes of tables, that are others when anybody has changed rules. */
    @Override
    public boolean isDisturbed() {
        return !read.isEmpty() && !fingerprint().equals(fingerprint);
    }

    private String fingerprint() {
        Boolean known = nft;
        if (known == null) {
            known = isNft();
            nft = known;
        }
        return known ? String.valueOf(RuleFingerprint.ofNft()) : RuleFingerprint.ofLegacy();
    }

    private boolean isNft() {
        try {
            Tool.Answer answer = tool.run(List.of("iptables", "-V"), "");
            return answer != null && answer.out().contains("nf_tables");
        } catch (ApplyFailure _) {
            return false;
        }
    }

    /** Our own rules and the jumps to them, each with its table. */
    private List<String> saved(IpFamily family) throws ApplyFailure {
        String program = program(family, "save");
        return IptablesRules.own(checked(program, tool.run(List.of(program), "")).out());
    }

    private void restore(IpFamily family, String script, String... more) throws ApplyFailure {
        String program = program(family, "restore");
        List<String> words = new ArrayList<>(List.of(program, "-w", "5", "--noflush"));
        words.addAll(List.of(more));
        checked(program, tool.run(words, script));
    }

    private static Tool.Answer checked(String program, Tool.@Nullable Answer answer) throws ApplyFailure {
        if (answer == null) {
            throw new ApplyFailure("cannot run " + program + ": install iptables 1.8 or later, and have it on the PATH", true);
        }
        if (answer.code() != 0) {
            String text = answer.err() + answer.out();
            if (text.contains("Permission denied") || text.contains("must be root") || text.contains("Operation not permitted")) {
                throw new ApplyFailure("not allowed to program iptables: run as root, or give the container the capability NET_ADMIN", true);
            }
            throw new ApplyFailure(program + " refused: " + text.lines().findFirst().orElse("no reason given"), false);
        }
        return answer;
    }
}
