package dev.cairn.proxy.iptables;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What has to be done to a kernel that has some rules so that it has others. */
final class Difference {
    private final Listing is;
    private final Ruleset shall;
    private final Spelling spelling;
    private final RestoreScript script = new RestoreScript();
    private final List<String> drift = new ArrayList<>();
    private final List<String> foreign = new ArrayList<>();

    /** How the kernel prints chains that it prints otherwise than they are written, as another version of iptables may. */
    static final class Spelling {
        private final Map<Chain, List<List<String>>> known = new LinkedHashMap<>();

        boolean isSame(Chain chain, List<String> written, List<String> printed) {
            return printed.equals(written) || List.of(written, printed).equals(known.get(chain));
        }

        /** Takes what is printed of rules that were just written. */
        void learn(Listing now, Ruleset written) {
            known.clear();
            written.own().forEach((chain, rules) -> learn(chain, rules, now.chains().get(chain)));
            written.shared().keySet().forEach(chain -> learn(chain, written.rules(chain), now.chains().get(chain)));
        }

        private void learn(Chain chain, List<String> written, @Nullable List<String> printed) {
            if (printed != null && printed.size() == written.size() && !printed.equals(written)) {
                known.put(chain, List.of(written, printed));
            }
        }
    }

    Difference(Listing is, Ruleset shall, Spelling spelling) {
        this.is = is;
        this.shall = shall;
        this.spelling = spelling;
        shall.own().forEach((chain, rules) ->
                chain(chain, rules, spelling.isSame(chain, rules, is.chains().getOrDefault(chain, List.of()))));
        shall.shared().keySet().forEach(this::shared);
        stale();
        shall.layout().jumps().forEach(this::jump);
    }

    /** The commands; empty if nothing differs. */
    RestoreScript script() {
        return script;
    }

    /** What differs, each in one line. */
    List<String> drift() {
        return drift;
    }

    /** What would go, did not others refer to it. */
    List<String> foreign() {
        return foreign;
    }

    private void shared(Chain chain) {
        List<String> there = is.chains().getOrDefault(chain, List.of());
        chain(chain, shall.rules(chain), shall.isSame(chain, there) || spelling.isSame(chain, shall.rules(chain), there));
    }

    private void chain(Chain chain, List<String> rules, boolean same) {
        List<String> there = is.chains().get(chain);
        if (there == null || !same) {
            drift.add(there == null ? chain + " is missing"
                    : chain + " has " + there.size() + " rules that are not the " + rules.size() + " it should have");
            script.replace(chain, rules);
        }
    }

    /** Chains of services that are gone, and those that kube-proxy has beside virtual servers. What others lead to is emptied and stays. */
    private void stale() {
        List<Layout.Jump> jumps = is.jumpsTo(Chain::isIpvs);
        jumps.forEach(jump -> script.remove(jump.from(), jump.rule()));
        Set<Layout.Jump> known = new HashSet<>(shall.layout().jumps());
        known.addAll(jumps);
        Set<Chain> referred = is.referredByOthers(known);
        for (Chain chain : new TreeSet<>(is.chains().keySet())) {
            if ((!chain.isServices() && !chain.isIpvs()) || shall.own().containsKey(chain)) {
                continue;
            }
            if (!referred.contains(chain)) {
                drift.add(chain + " is left over");
                script.delete(chain);
            } else {
                foreign.add(chain + " is left over, and rules of others lead to it");
                if (!is.chains().getOrDefault(chain, List.of()).isEmpty()) {
                    script.replace(chain, List.of());
                }
            }
        }
    }

    private void jump(Layout.Jump jump) {
        List<String> there = is.others().get(jump.from());
        if (there == null && jump.from().equals(Chain.KUBELET_FIREWALL)) {
            script.replace(jump.from(), List.of());
        }
        if (there == null || !there.contains(jump.rule())) {
            drift.add(jump.from() + " lacks " + jump.rule());
            script.insert(jump.from(), 1, jump.rule());
        }
    }
}
