package dev.cairn.proxy.ipvs;

import dev.cairn.facts.Address;
import dev.cairn.proxy.netlink.NetlinkException;
import dev.cairn.proxy.nft.NftMonitor;
import dev.cairn.proxy.plan.Endpoint;
import dev.cairn.proxy.sync.ApplyFailure;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds out cheaply whether others have changed something. Nobody tells of changes to IPVS, and to list it takes long where it is large:
 * so each time some virtual servers are looked at, one after the other in rounds. Who takes all away is found at once, who takes one when its turn
 * comes. Used by one thread.
 */
final class Look implements AutoCloseable {
    /** How many are looked at each time. */
    private static final int SOME = 100;

    private final Kernel kernel;
    private Iterator<ServerKey> round = Collections.emptyIterator();
    private @Nullable Runnable wake;
    private @Nullable NftMonitor monitor;
    private int transactions;
    private String fingerprint = "";

    Look(Kernel kernel) {
        this.kernel = kernel;
    }

    /** Has somebody told of changes to rules, where the kernel tells them. */
    void onDisturbance(Runnable listener) {
        wake = listener;
    }

    /** We are about to change something. */
    void before(Helper helper) {
        if (monitor == null && wake != null && helper instanceof NftHelper) {
            monitor = NftMonitor.start(NftHelper.TABLE, wake);
            wake = null;
        }
        transactions = helper.transactions();
        if (monitor != null) {
            monitor.pause();
        }
    }

    /** We have changed something. */
    void after(Helper helper) {
        if (monitor != null) {
            monitor.resume(helper.transactions() - transactions);
        }
    }

    /** All is about to be looked at. */
    void auditing() {
        if (monitor != null) {
            monitor.clear();
        }
    }

    boolean isDisturbed(Collection<ServiceState> services, KernelState state, HelperRules rules) throws ApplyFailure, NetlinkException {
        Helper helper = kernel.helper();
        return (monitor != null && monitor.isDisturbed()) || !helper.hasAsMany(state) || areRulesMissing(helper, rules)
                || !isAsLeft(next(services, state), state);
    }

    /** Looks at the rules if somebody has changed some; mostly they are somebody else's. */
    private boolean areRulesMissing(Helper helper, HelperRules rules) throws ApplyFailure {
        String now = helper.fingerprint();
        if (now.equals(fingerprint)) {
            return false;
        }
        if (!helper.missing(rules).isEmpty()) {
            return true;
        }
        fingerprint = now;
        return false;
    }

    /** The next ones in the round; after the last it begins anew with those that there are then. */
    private List<ServerKey> next(Collection<ServiceState> services, KernelState state) {
        List<ServerKey> next = new ArrayList<>();
        if (!round.hasNext()) {
            List<ServerKey> all = new ArrayList<>();
            services.forEach(service -> all.addAll(service.servers().keySet()));
            round = all.iterator();
        }
        while (round.hasNext() && next.size() < SOME) {
            ServerKey key = round.next();
            if (state.servers().containsKey(key)) {
                next.add(key);
            }
        }
        return next;
    }

    private boolean isAsLeft(List<ServerKey> keys, KernelState state) throws NetlinkException {
        Map<ServerKey, Server> servers = kernel.balancer().servers(keys);
        Set<Address> addresses = new HashSet<>();
        for (ServerKey key : keys) {
            Server there = servers.get(key);
            if (there == null || !there.equals(state.servers().get(key)) || !weights(key).equals(state.reals(key))) {
                return false;
            }
            if (state.addresses().contains(key.at().address())) {
                addresses.add(key.at().address());
            }
        }
        return addresses.isEmpty() || kernel.balancer().areLocal(addresses);
    }

    private Map<Endpoint, Integer> weights(ServerKey key) throws NetlinkException {
        Map<Endpoint, Integer> weights = new HashMap<>();
        kernel.balancer().reals(key).forEach((endpoint, real) -> weights.put(endpoint, real.weight()));
        return weights;
    }

    @Override
    public void close() {
        if (monitor != null) {
            monitor.close();
            monitor = null;
        }
    }
}
