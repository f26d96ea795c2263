package dev.cairn.proxy.iptables;

import dev.cairn.proxy.plan.ServicePlan;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All that shall be in a family.
 *
 * @param own chains with exactly these rules
 * @param shared chains with the rules of services, those of each in its order, and the layout's tail
 */
record Ruleset(Layout layout, Map<Chain, List<String>> own, Map<Chain, List<List<String>>> shared) {
    static Ruleset of(Layout layout, Collection<ServicePlan> plans) {
        Ruleset all = new Ruleset(layout, new LinkedHashMap<>(layout.chains()), new LinkedHashMap<>());
        Chain.SHARED.forEach(chain -> all.shared.put(chain, new ArrayList<>()));
        ServiceRules rules = new ServiceRules(layout);
        for (ServicePlan plan : plans) {
            ServiceRules.Content content = rules.of(plan);
            all.own.putAll(content.own());
            content.shared().forEach((chain, some) -> all.shared.computeIfAbsent(chain, _ -> new ArrayList<>()).add(some));
        }
        return all;
    }

    /** The rules of a shared chain in some order that does. */
    List<String> rules(Chain chain) {
        List<String> rules = new ArrayList<>();
        shared.getOrDefault(chain, List.of()).forEach(rules::addAll);
        rules.addAll(layout.tail(chain));
        return rules;
    }

    /** Whether a shared chain with these rules does the same: the order of services is of no account. */
    boolean isSame(Chain chain, List<String> rules) {
        Map<String, Integer> places = new HashMap<>();
        for (int i = 0; i < rules.size(); i++) {
            places.put(rules.get(i), i);
        }
        List<String> tail = layout.tail(chain);
        int count = tail.size();
        for (List<String> group : shared.getOrDefault(chain, List.of())) {
            int last = -1;
            for (String rule : group) {
                int place = places.getOrDefault(rule, -1);
                if (place <= last) {
                    return false;
                }
                last = place;
            }
            count += group.size();
        }
        return count == rules.size() && tail.equals(rules.subList(rules.size() - tail.size(), rules.size()));
    }
}
