package dev.cairn.proxy.nft;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.proxy.plan.Frontend;
import dev.cairn.proxy.plan.PortPlan;
import dev.cairn.proxy.plan.ServiceName;
import dev.cairn.proxy.plan.ServicePlan;
import dev.cairn.proxy.sync.ApplyFailure;
import dev.cairn.proxy.sync.Backend;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Counts the connections to each service by a named counter in tables of their own, which nothing else depends on. A process that starts makes
 * them anew. Used by one thread, but for {@code read}.
 */
final class ServiceCounters {
    static final String TABLE = "cairn-counters";
    private static final Pattern COUNTER_BLOCK = Pattern.compile("\\s*counter s/\\S+ \\{[^}]*}\\s*");
    private static final Pattern COUNTER = Pattern.compile("counter s/([^/\\s]+)/(\\S+) \\{\\s*packets (\\d+)");

    private final NftRunner runner;
    private final List<IpFamily> families;
    /** The elements of each service that are in the kernel, with the set that they are in; null if that is not known. */
    private @Nullable Map<ServiceName, Set<String>> committed;
    /** What the kernel prints of the tables as they were made, but for the counters and elements in them. */
    private final Map<IpFamily, String> made = new EnumMap<>(IpFamily.class);

    ServiceCounters(NftRunner runner, List<IpFamily> families) {
        this.runner = runner;
        this.families = families;
    }

    static List<String> tables(List<IpFamily> families) {
        return families.stream().map(ServiceCounters::table).toList();
    }

    private static String table(IpFamily family) {
        return Table.word(family) + " " + TABLE;
    }

    void apply(Backend.Desired desired, Set<ServiceName> changed) throws ApplyFailure {
        Map<ServiceName, Set<String>> known = committed;
        boolean anew = known == null;
        committed = null;
        StringBuilder script = new StringBuilder();
        if (known == null) {
            known = new HashMap<>();
            families.forEach(family -> script.append(empty(family)));
        }
        StringBuilder added = new StringBuilder();
        for (ServiceName name : known.isEmpty() ? desired.plans().keySet() : changed) {
            @Nullable ServicePlan plan = desired.plans().get(name);
            change(name, known.getOrDefault(name, Set.of()), plan == null ? Set.of() : elements(plan), plan == null, script, added);
            if (plan == null) {
                known.remove(name);
            } else {
                known.put(name, elements(plan));
            }
        }
        if (!script.isEmpty() || !added.isEmpty()) {
            runner.run(script.append(added).toString());
        }
        if (anew) {
            for (IpFamily family : families) {
                made.put(family, frame(family));
            }
        }
        committed = known;
    }

    /** What is missing or changed, one line each; the next {@code apply} makes all of it anew. */
    List<String> audit() throws ApplyFailure {
        List<String> drift = new ArrayList<>();
        for (IpFamily family : families) {
            String now = frame(family);
            if (now.isEmpty()) {
                drift.add("table " + table(family) + " is missing");
            } else if (!now.equals(made.getOrDefault(family, now))) {
                drift.add("table " + table(family) + " has other chains or rules");
            }
        }
        if (!drift.isEmpty()) {
            committed = null;
        }
        return drift;
    }

    /** A table without what differs between clusters; empty if there is none. */
    private String frame(IpFamily family) throws ApplyFailure {
        @Nullable String text = runner.list(List.of("nft", "-t", "list", "table", Table.word(family), TABLE));
        return text == null ? "" : COUNTER_BLOCK.matcher(text).replaceAll("");
    }

    private void change(ServiceName name, Set<String> were, Set<String> are, boolean gone, StringBuilder first, StringBuilder then) {
        String counter = "s/" + name;
        were.stream().filter(element -> !are.contains(element)).forEach(element -> first.append("delete element ").append(element).append(" }\n"));
        for (IpFamily family : families) {
            if (gone && !were.isEmpty()) {
                first.append("delete counter ").append(table(family)).append(' ').append(counter).append('\n');
            } else if (were.isEmpty() && !are.isEmpty()) {
                then.append("add counter ").append(table(family)).append(' ').append(counter).append('\n');
            }
        }
        are.stream().filter(element -> !were.contains(element))
                .forEach(element -> then.append("add element ").append(element).append(" : \"").append(counter).append("\" }\n"));
    }

    /** The elements of a service as they stand in a command, up to the key. */
    private Set<String> elements(ServicePlan plan) {
        Set<String> elements = new TreeSet<>();
        for (PortPlan port : plan.ports()) {
            for (Frontend frontend : families.contains(port.family()) ? port.frontends() : List.<Frontend>of()) {
                Frontend.Place place = frontend.place();
                String key = place.protocol().label() + " . " + place.port();
                elements.add(table(port.family()) + (place.address() == null ? " nodeports { " + key : " services { " + place.address() + " . " + key));
            }
        }
        return elements;
    }

    /** What a connection to the node itself passes twice is counted once. */
    private static String empty(IpFamily family) {
        String table = table(family);
        String ip = Table.word(family);
        String services = " ct state new counter name " + ip + " daddr . meta l4proto . th dport map @services\n";
        String ports = " ct state new fib daddr type local counter name meta l4proto . th dport map @nodeports\n";
        return "add table " + table + "\ndelete table " + table + "\nadd table " + table + "\n"
                + "add map " + table + " services { type " + (family == IpFamily.IPV4 ? "ipv4_addr" : "ipv6_addr")
                + " . inet_proto . inet_service : counter; }\n"
                + "add map " + table + " nodeports { type inet_proto . inet_service : counter; }\n"
                + "add chain " + table + " prerouting { type filter hook prerouting priority -120; }\n"
                + "add chain " + table + " output { type filter hook output priority -120; }\n"
                + "add rule " + table + " prerouting iifname != \"lo\"" + services
                + "add rule " + table + " prerouting iifname != \"lo\"" + ports
                + "add rule " + table + " output" + services
                + "add rule " + table + " output" + ports;
    }

    /** How many connections each service has had, over all families. */
    static Map<ServiceName, Long> read(NftRunner runner, Set<IpFamily> families) throws ApplyFailure {
        Map<ServiceName, Long> counts = new TreeMap<>();
        for (IpFamily family : families) {
            @Nullable String text = runner.list(List.of("nft", "list", "counters", "table", Table.word(family), TABLE));
            for (MatchResult counter : text == null ? List.<MatchResult>of() : COUNTER.matcher(text).results().toList()) {
                counts.merge(new ServiceName(counter.group(1), counter.group(2)), Long.parseLong(counter.group(3)), Long::sum);
            }
        }
        return counts;
    }
}
