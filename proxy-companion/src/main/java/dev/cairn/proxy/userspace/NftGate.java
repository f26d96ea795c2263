package dev.cairn.proxy.userspace;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.proxy.nft.NftMonitor;
import dev.cairn.proxy.plan.ServiceName;
import dev.cairn.proxy.sync.ApplyFailure;
import dev.cairn.proxy.sync.Tool;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Leads packets by nftables: a table for each family, with few rules and the services as elements. */
final class NftGate implements Gate {
    private final Tool tool;
    private List<Crossing> committedCrossings = List.of();
    private final Map<ServiceName, List<Redirect>> committed = new TreeMap<>();
    private boolean doubtful = true;
    private @Nullable NftMonitor monitor;

    NftGate(Tool tool) {
        this.tool = tool;
    }

    @Override
    public @Nullable String probe(List<Crossing> crossings) {
        try {
            nft(List.of("nft", "-c", "-f", "-"), render(crossings, Map.of()));
            return null;
        } catch (ApplyFailure e) {
            return e.getMessage();
        }
    }

    @Override
    public void apply(List<Crossing> crossings, Map<ServiceName, List<Redirect>> redirects, Set<ServiceName> changed) throws ApplyFailure {
        boolean whole = doubtful || !crossings.equals(committedCrossings);
        doubtful = true;
        String script = whole ? render(crossings, redirects) : difference(redirects, changed);
        if (!script.isEmpty()) {
            change(script);
        }
        committedCrossings = crossings;
        if (whole) {
            committed.clear();
            committed.putAll(redirects);
        } else {
            changed.forEach(name -> {
                List<Redirect> now = redirects.get(name);
                if (now == null) {
                    committed.remove(name);
                } else {
                    committed.put(name, now);
                }
            });
        }
        doubtful = false;
    }

    private String difference(Map<ServiceName, List<Redirect>> redirects, Set<ServiceName> changed) {
        Map<NftElements.Key, String> before = new LinkedHashMap<>();
        Map<NftElements.Key, String> after = new LinkedHashMap<>();
        for (ServiceName name : changed) {
            NftElements.add(committed.getOrDefault(name, List.of()), before);
            NftElements.add(redirects.getOrDefault(name, List.of()), after);
        }
        return NftElements.script(before, after);
    }

    @Override
    public String render(List<Crossing> crossings, Map<ServiceName, List<Redirect>> redirects) {
        StringBuilder script = new StringBuilder();
        crossings.forEach(crossing -> script.append(new NftRules(crossing).script()));
        return script + NftElements.script(Map.of(), elements(redirects));
    }

    private static Map<NftElements.Key, String> elements(Map<ServiceName, List<Redirect>> redirects) {
        Map<NftElements.Key, String> elements = new LinkedHashMap<>();
        redirects.values().forEach(some -> NftElements.add(some, elements));
        return elements;
    }

    @Override
    public List<String> audit(List<Crossing> crossings, Map<ServiceName, List<Redirect>> redirects, boolean portsKnown) throws ApplyFailure {
        NftMonitor listening = monitor;
        if (listening != null) {
            listening.clear();
        }
        List<String> drift = new ArrayList<>();
        Map<NftElements.Key, String> wanted = elements(redirects);
        for (Crossing crossing : crossings) {
            String table = crossing.word() + " " + NftRules.TABLE;
            String text = listing(table);
            if (text == null) {
                drift.add("table " + table + " is missing");
            } else {
                new NftComparison(table, NftListed.parse(text), portsKnown).compare(crossing, wanted, drift);
            }
        }
        doubtful |= !drift.isEmpty();
        return drift;
    }

    private @Nullable String listing(String table) throws ApplyFailure {
        List<String> command = new ArrayList<>(List.of("nft", "list", "table"));
        command.addAll(List.of(table.split(" ", -1)));
        Tool.Answer answer = tool.run(command, "");
        if (answer != null && answer.code() != 0 && answer.err().contains("No such file or directory")) {
            return null;
        }
        return checked(answer).out();
    }

    @Override
    public List<String> cleanUp() throws ApplyFailure {
        doubtful = true;
        List<String> removed = new ArrayList<>();
        for (IpFamily family : IpFamily.values()) {
            String table = (family == IpFamily.IPV4 ? "ip " : "ip6 ") + NftRules.TABLE;
            // Asked for by its name: to list all tables takes as long as to list all that is in them.
            Tool.Answer answer = tool.run(List.of("nft", "-t", "list", "table", family == IpFamily.IPV4 ? "ip" : "ip6", NftRules.TABLE), "");
            if (answer != null && answer.code() == 0) {
                change("delete table " + table + "\n");
                removed.add("nftables table " + table);
            }
        }
        return removed;
    }

    /** One transaction, during which our own change is not taken for somebody else's. */
    private void change(String script) throws ApplyFailure {
        NftMonitor listening = monitor;
        if (listening == null) {
            nft(List.of("nft", "-f", "-"), script);
            return;
        }
        listening.pause();
        int transactions = 0;
        try {
            nft(List.of("nft", "-f", "-"), script);
            transactions = 1;
        } finally {
            listening.resume(transactions);
        }
    }

    @Override
    public boolean isDisturbed() {
        NftMonitor listening = monitor;
        return listening != null && listening.isDisturbed();
    }

    @Override
    public void onDisturbance(Runnable wake) {
        monitor = NftMonitor.start(NftRules.TABLE, wake);
    }

    @Override
    public void close() {
        NftMonitor listening = monitor;
        if (listening != null) {
            listening.close();
            monitor = null;
        }
    }

    private void nft(List<String> command, String script) throws ApplyFailure {
        checked(tool.run(command, script));
    }

    private static Tool.Answer checked(Tool.@Nullable Answer answer) throws ApplyFailure {
        if (answer == null) {
            throw new ApplyFailure("cannot run nft: install nftables 1.0.1 or later, and have it on the PATH", true);
        }
        if (answer.code() != 0) {
            String text = answer.err() + answer.out();
            if (text.contains("Operation not permitted") || text.contains("must be root")) {
                throw new ApplyFailure("not allowed to program nftables: run as root, or give the container the capability NET_ADMIN", true);
            }
            throw new ApplyFailure("nft refused: " + text.lines().findFirst().orElse("no reason given"), false);
        }
        return answer;
    }
}
