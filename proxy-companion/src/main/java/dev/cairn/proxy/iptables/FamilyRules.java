package dev.cairn.proxy.iptables;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.proxy.plan.ServiceName;
import dev.cairn.proxy.plan.ServicePlan;
import dev.cairn.proxy.sync.ApplyFailure;
import dev.cairn.proxy.sync.Audit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules of a family: what is known to be in the kernel, and how it becomes what shall be. Used by one thread. */
final class FamilyRules {
    /** Beyond so many changed rules a shared chain is written anew: to remove a rule, all are searched for it. */
    private static final int EDITS = 200;
    /** What name resolution needs comes first if there are more services. */
    private static final int MANY = 1000;

    private final IpFamily family;
    private final Kernel kernel;
    private final Map<ServiceName, ServicePlan> committed = new HashMap<>();
    private final Difference.Spelling spelling = new Difference.Spelling();
    private @Nullable Layout layout;
    /** Whether what we believe to be in the kernel is in doubt. */
    private boolean doubtful = true;

    /** The kernel's side of a family. */
    interface Kernel {
        Listing list(IpFamily family) throws ApplyFailure;

        void restore(IpFamily family, RestoreScript script) throws ApplyFailure;
    }

    FamilyRules(IpFamily family, Kernel kernel) {
        this.family = family;
        this.kernel = kernel;
    }

    IpFamily family() {
        return family;
    }

    /** What is in the kernel is to be read before the next change. */
    void doubt() {
        doubtful = true;
    }

    /** Makes it so; whether it had to look at everything. */
    boolean apply(Layout now, Map<ServiceName, ServicePlan> plans, Set<ServiceName> changed) throws ApplyFailure {
        boolean all = doubtful || !now.equals(layout);
        doubtful = true;
        layout = now;
        if (all) {
            loadAll(now, plans);
        } else {
            change(now, plans, changed);
        }
        doubtful = false;
        return all;
    }

    private void loadAll(Layout now, Map<ServiceName, ServicePlan> plans) throws ApplyFailure {
        Listing listing = kernel.list(family);
        committed.clear();
        if (plans.size() > MANY && listing.chains().isEmpty()) {
            Map<ServiceName, ServicePlan> urgent = new HashMap<>(plans);
            urgent.values().removeIf(plan -> !plan.isUrgent());
            run(new Difference(listing, Ruleset.of(now, urgent.values()), spelling).script());
            committed.putAll(urgent);
            change(now, plans, plans.keySet());
            return;
        }
        Ruleset shall = Ruleset.of(now, plans.values());
        RestoreScript script = new Difference(listing, shall, spelling).script();
        run(script);
        if (!script.isEmpty() && !listing.chains().isEmpty()) {
            spelling.learn(kernel.list(family), shall);
        }
        committed.putAll(plans);
    }

    private void run(RestoreScript script) throws ApplyFailure {
        if (!script.isEmpty()) {
            kernel.restore(family, script);
        }
    }

    private void change(Layout now, Map<ServiceName, ServicePlan> plans, Set<ServiceName> changed) throws ApplyFailure {
        ServiceRules rules = new ServiceRules(now);
        RestoreScript script = new RestoreScript();
        Map<Chain, Edits> edits = new LinkedHashMap<>();
        for (ServiceName name : changed) {
            ServicePlan before = committed.get(name);
            ServicePlan wanted = plans.get(name);
            ServiceRules.Content was = before == null ? ServiceRules.Content.NONE : rules.of(before);
            ServiceRules.Content shall = wanted == null ? ServiceRules.Content.NONE : rules.of(wanted);
            own(was.own(), shall.own(), script);
            for (Chain chain : Chain.SHARED) {
                List<String> gone = was.shared().getOrDefault(chain, List.of());
                List<String> come = shall.shared().getOrDefault(chain, List.of());
                if (!gone.equals(come)) {
                    Edits those = edits.computeIfAbsent(chain, _ -> new Edits(new ArrayList<>(), new ArrayList<>()));
                    those.gone().addAll(gone);
                    those.come().addAll(come);
                }
            }
        }
        edits.forEach((chain, those) -> {
            if (those.size() > EDITS) {
                // Of other services, what is committed counts: their new plans may be kept for later.
                Map<ServiceName, ServicePlan> next = new HashMap<>(committed);
                update(next, plans, changed);
                script.replace(chain, Ruleset.of(now, next.values()).rules(chain));
            } else {
                those.write(chain, now, script);
            }
        });
        run(script);
        update(committed, plans, changed);
    }

    private static void update(Map<ServiceName, ServicePlan> some, Map<ServiceName, ServicePlan> plans, Set<ServiceName> changed) {
        for (ServiceName name : changed) {
            ServicePlan plan = plans.get(name);
            if (plan == null) {
                some.remove(name);
            } else {
                some.put(name, plan);
            }
        }
    }

    private static void own(Map<Chain, List<String>> was, Map<Chain, List<String>> shall, RestoreScript script) {
        shall.forEach((chain, rules) -> {
            if (!rules.equals(was.get(chain))) {
                script.replace(chain, rules);
            }
        });
        was.keySet().stream().filter(chain -> !shall.containsKey(chain)).forEach(script::delete);
    }

    /** Rules that go from a shared chain and that come. */
    private record Edits(List<String> gone, List<String> come) {
        int size() {
            return gone.size() + come.size();
        }

        void write(Chain chain, Layout layout, RestoreScript script) {
            gone.forEach(rule -> script.remove(chain, rule));
            boolean first = !layout.tail(chain).isEmpty();
            for (int i = 0; i < come.size(); i++) {
                if (first) {
                    script.insert(chain, i + 1, come.get(i));
                } else {
                    script.append(chain, come.get(i));
                }
            }
        }
    }

    /** Compares the kernel with what shall be. */
    Audit audit(Layout now, Map<ServiceName, ServicePlan> plans) throws ApplyFailure {
        Difference difference = new Difference(kernel.list(family), Ruleset.of(now, plans.values()), spelling);
        doubtful |= !difference.script().isEmpty();
        return new Audit(difference.drift(), difference.foreign());
    }
}
