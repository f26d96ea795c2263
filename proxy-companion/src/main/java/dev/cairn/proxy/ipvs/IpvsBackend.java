package dev.cairn.proxy.ipvs;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Address;
import dev.cairn.log.Log;
import dev.cairn.proxy.ipvs.ServiceState.Wanted;
import dev.cairn.proxy.netlink.NetlinkException;
import dev.cairn.proxy.plan.Endpoint;
import dev.cairn.proxy.plan.ServiceName;
import dev.cairn.proxy.plan.ServicePlan;
import dev.cairn.proxy.sync.ApplyFailure;
import dev.cairn.proxy.sync.Audit;
import dev.cairn.proxy.sync.Backend;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Programs plans as virtual servers of the kernel. The first time, and after a failure, it reads back what the kernel has and changes what
 * differs; from then on a change is the difference between what a service has and what it shall have. Used by one thread.
 */
public final class IpvsBackend implements Backend {
    /** How often it is looked after real servers that are to go. */
    private static final long DRAIN_LOOK = TimeUnit.SECONDS.toNanos(5);
    private static final Log LOG = Log.server();

    private final Kernel kernel;
    private final Set<IpFamily> families;
    private final IpvsOptions options;
    private final LongSupplier clock;
    private final Drain drain;
    private final Look look;
    private final Set<String> missingSchedulers = new HashSet<>();
    private final Set<ServiceName> told = new HashSet<>();

    private final Map<ServiceName, ServiceState> committed = new HashMap<>();
    private Holders<Address> addressHolders = new Holders<>();
    private Holders<Element> elementHolders = new Holders<>();
    private KernelState state = new KernelState();
    private @Nullable Scope scope;
    /** Whether what we believe to be in the kernel is in doubt. */
    private boolean doubtful = true;
    private long nextDrainLook;
    private long written;

    IpvsBackend(Kernel kernel, Set<IpFamily> families, IpvsOptions options, LongSupplier clock) {
        this.kernel = kernel;
        this.families = Set.copyOf(families);
        this.options = options;
        this.clock = clock;
        drain = new Drain(clock, options.drain().toNanos());
        look = new Look(kernel);
    }

    /** A backend for the kernel of this machine. It touches nothing before it is used. */
    public static IpvsBackend of(Set<IpFamily> families, IpvsOptions options) {
        return new IpvsBackend(new Kernel(families), families, options, System::nanoTime);
    }

    /** Why this machine cannot do it; null if it can. */
    public static @Nullable String probe(Set<IpFamily> families) {
        try (Kernel kernel = new Kernel(families)) {
            return kernel.probe();
        }
    }

    /** Removes the sets of a kube-proxy that ran in this mode, whose rules are gone already. */
    public static List<String> removeKubeProxySets() throws ApplyFailure {
        return new KubeProxySets(new Tool()).remove();
    }

    @Override
    public void apply(Desired desired, Set<ServiceName> changed) throws ApplyFailure {
        try {
            kernel.balancer();
        } catch (NetlinkException e) {
            throw Kernel.failure(e);
        }
        Helper helper = kernel.helper();
        look.before(helper);
        try {
            program(desired, changed);
        } finally {
            look.after(helper);
        }
    }

    private void program(Desired desired, Set<ServiceName> changed) throws ApplyFailure {
        Scope now = Scope.of(desired, families);
        boolean all = doubtful || !now.equals(scope);
        doubtful = true;
        scope = now;
        try {
            if (all) {
                loadAll(desired, now);
            } else {
                edit(desired, changed, now);
            }
        } catch (Balancer.Refusal e) {
            withoutScheduler(e);
            program(desired, changed);
        } catch (NetlinkException e) {
            throw Kernel.failure(e);
        }
        doubtful = false;
    }

    /** A scheduler that the kernel does not have is given up, unless it is the one for all. */
    private void withoutScheduler(Balancer.Refusal refusal) throws ApplyFailure {
        String reason = String.valueOf(refusal.getMessage());
        if (!(refusal.change() instanceof Change.PutServer put) || refusal.errno() != NetlinkException.ENOENT) {
            throw new ApplyFailure("IPVS refused " + reason, false);
        }
        String scheduler = put.server().scheduler();
        String cure = "the kernel has no IPVS scheduler " + scheduler + ": load the module ip_vs_" + scheduler;
        if (scheduler.equals(options.scheduler()) || !missingSchedulers.add(scheduler)) {
            throw new ApplyFailure(cure + ", or choose another by --ipvs-scheduler", true);
        }
        LOG.warning(cure + "; services that ask for it get " + options.scheduler());
    }

    private String scheduler(ServicePlan plan) {
        String wanted = plan.scheduler();
        if (wanted.isEmpty() || missingSchedulers.contains(wanted)) {
            return options.scheduler();
        }
        if (!IpvsOptions.isScheduler(wanted)) {
            tell(plan.name(), "service " + plan.name() + " asks for the unknown IPVS scheduler \"" + wanted + "\" and gets "
                    + options.scheduler()
                    + ": write rr, wrr, lc, wlc, sh, dh, sed, nq or mh");
            return options.scheduler();
        }
        return wanted;
    }

    /** Says it once. */
    private void tell(ServiceName name, String message) {
        if (told.add(name)) {
            LOG.warning(message);
        }
    }

    /** Loads everything, what name resolution needs first, and removes at last what nobody wants any more. */
    private void loadAll(Desired desired, Scope now) throws ApplyFailure, NetlinkException, Balancer.Refusal {
        Balancer balancer = kernel.balancer();
        kernel.prepare(options, HelperRules.of(families, now.rules(), options.masqueradeBit()));
        balancer.makeLink();
        state = KernelState.read(balancer, kernel.helper());
        committed.clear();
        drain.clear();
        addressHolders = new Holders<>();
        elementHolders = new Holders<>();
        Set<ServiceName> first = new TreeSet<>();
        desired.plans().values().stream().filter(IpvsBackend::isUrgent).forEach(plan -> first.add(plan.name()));
        edit(desired, first, now);
        Set<ServiceName> rest = new TreeSet<>(desired.plans().keySet());
        rest.removeAll(first);
        edit(desired, rest, now);
        removeRest();
    }

    /** A node that starts can do nothing before it reaches the API server and resolves names. */
    private static boolean isUrgent(ServicePlan plan) {
        return plan.name().equals(new ServiceName("default", "kubernetes"))
                || (plan.name().namespace().equals("kube-system")
                        && plan.ports().stream().flatMap(port -> port.frontends().stream()).anyMatch(frontend -> frontend.place().port() == 53));
    }

    /** Makes these services what they shall be. What comes is there before what goes is gone. */
    private void edit(Desired desired, Collection<ServiceName> names, Scope now)
            throws ApplyFailure, NetlinkException, Balancer.Refusal {
        Map<ServerKey, @Nullable Wanted> touched = new LinkedHashMap<>();
        Map<ServiceName, ServiceState> next = new HashMap<>();
        Set<Address> addresses = new LinkedHashSet<>();
        Set<Element> elements = new LinkedHashSet<>();
        for (ServiceName name : names) {
            ServiceState before = committed.getOrDefault(name, ServiceState.NONE);
            ServicePlan plan = desired.plans().get(name);
            ServiceState after = plan == null ? ServiceState.NONE : ServiceServers.of(plan, now, scheduler(plan));
            next.put(name, after);
            before.servers().keySet().forEach(key -> touched.putIfAbsent(key, null));
            touched.putAll(after.servers());
            addressHolders.add(after.addresses());
            addressHolders.remove(before.addresses());
            elementHolders.add(after.elements());
            elementHolders.remove(before.elements());
            addresses.addAll(before.addresses());
            addresses.addAll(after.addresses());
            elements.addAll(before.elements());
            elements.addAll(after.elements());
        }
        List<Change> come = new ArrayList<>();
        List<Change> go = new ArrayList<>();
        for (Map.Entry<ServerKey, @Nullable Wanted> entry : touched.entrySet()) {
            server(entry.getKey(), entry.getValue(), come, go);
        }
        for (Address address : addresses) {
            boolean here = state.addresses().contains(address);
            if (addressHolders.has(address) && !here) {
                come.add(new Change.AddAddress(address));
            } else if (!addressHolders.has(address) && here) {
                go.add(new Change.DeleteAddress(address));
            }
        }
        List<Element> added = elements.stream()
                .filter(element -> elementHolders.has(element) && !state.elements().contains(element)).toList();
        List<Element> removed = elements.stream()
                .filter(element -> !elementHolders.has(element) && state.elements().contains(element)).toList();
        make(added, come, go, removed);
        next.forEach((name, after) -> {
            if (after.equals(ServiceState.NONE)) {
                committed.remove(name);
            } else {
                committed.put(name, after);
            }
        });
    }

    /** Without the rules, what comes would come with a wrong source; so they are first. */
    private void make(Collection<Element> added, List<Change> come, List<Change> go, Collection<Element> removed)
            throws ApplyFailure, NetlinkException, Balancer.Refusal {
        kernel.helper().add(added);
        state.written(true, added);
        for (List<Change> changes : List.of(come, go)) {
            kernel.balancer().make(changes);
            changes.forEach(state::made);
        }
        kernel.helper().remove(removed);
        state.written(false, removed);
        written += added.size() + come.size() + go.size() + removed.size();
    }

    @Override
    public long written() {
        return written;
    }

    private void server(ServerKey key, @Nullable Wanted wanted, List<Change> come, List<Change> go) throws ApplyFailure, NetlinkException {
        Server there = state.servers().get(key);
        if (wanted == null) {
            if (there != null) {
                go.add(new Change.DeleteServer(key));
            }
            drain.gone(key);
            return;
        }
        if (!wanted.server().equals(there)) {
            come.add(new Change.PutServer(key, wanted.server(), there == null));
        }
        Map<Endpoint, Integer> weights = state.reals(key);
        for (Endpoint endpoint : wanted.endpoints()) {
            Integer weight = weights.get(endpoint);
            if (weight == null || weight != 1) {
                come.add(new Change.PutReal(key, endpoint, 1, weight == null));
            }
            drain.stay(key, endpoint);
        }
        leave(key, wanted, weights, go);
    }

    /** Takes out the real servers of a virtual server that it shall not have. */
    private void leave(ServerKey key, Wanted wanted, Map<Endpoint, Integer> weights, List<Change> go)
            throws ApplyFailure, NetlinkException {
        Set<Endpoint> rest = new HashSet<>(weights.keySet());
        wanted.endpoints().forEach(rest::remove);
        rest.removeIf(endpoint -> drain.isLeaving(key, endpoint));
        if (rest.isEmpty()) {
            return;
        }
        Map<Endpoint, RealServer> reals = kernel.balancer().reals(key);
        for (Endpoint endpoint : rest) {
            go.add(drain.remove(key, endpoint, reals.getOrDefault(endpoint, new RealServer(0, 0))));
        }
    }

    /** What the kernel has of ours, or of kube-proxy's, and nobody asked for. */
    private void removeRest() throws ApplyFailure, NetlinkException, Balancer.Refusal {
        List<Change> go = new ArrayList<>();
        leftServers().forEach(key -> go.add(new Change.DeleteServer(key)));
        leftAddresses().forEach(address -> go.add(new Change.DeleteAddress(address)));
        make(List.of(), List.of(), go, state.elements().stream().filter(element -> !elementHolders.has(element)).toList());
    }

    private List<ServerKey> leftServers() throws ApplyFailure {
        Ownership ours = new Ownership(state.addresses(), kernel.nodePortsOfKubeProxy(), options);
        Set<ServerKey> wanted = new HashSet<>();
        committed.values().forEach(service -> wanted.addAll(service.servers().keySet()));
        List<ServerKey> left = new ArrayList<>();
        state.servers().forEach((key, server) -> {
            if (!wanted.contains(key) && ours.includes(key, server)) {
                left.add(key);
            }
        });
        return left;
    }

    private List<Address> leftAddresses() {
        return state.addresses().stream().filter(address -> !addressHolders.has(address) && !options.isExcluded(address)).toList();
    }

    /** The time is used to look after real servers that are to go, too. */
    @Override
    public boolean isDisturbed() throws ApplyFailure {
        long now = clock.getAsLong();
        if (!doubtful && now - nextDrainLook >= 0) {
            nextDrainLook = now + DRAIN_LOOK;
            finishDrains();
        }
        if (doubtful || scope == null) {
            return false;
        }
        try {
            return look.isDisturbed(committed.values(), state, HelperRules.of(families, scope.rules(), options.masqueradeBit()));
        } catch (NetlinkException e) {
            throw Kernel.failure(e);
        }
    }

    @Override
    public void onDisturbance(Runnable wake) {
        look.onDisturbance(wake);
    }

    private void finishDrains() throws ApplyFailure {
        try {
            List<Change.DeleteReal> due = drain.due(kernel.balancer());
            kernel.balancer().make(due);
            for (Change.DeleteReal change : due) {
                state.made(change);
                drain.stay(change.key(), change.endpoint());
            }
        } catch (Balancer.Refusal e) {
            doubtful = true;
            throw new ApplyFailure("IPVS refused " + e.getMessage(), false);
        } catch (NetlinkException e) {
            throw Kernel.failure(e);
        }
    }

    @Override
    public Audit audit(Desired desired) throws ApplyFailure {
        Scope now = Scope.of(desired, families);
        Map<ServerKey, Wanted> servers = new TreeMap<>((a, b) -> a.toString().compareTo(b.toString()));
        Set<Address> addresses = new HashSet<>();
        Set<Element> elements = new HashSet<>();
        for (ServicePlan plan : desired.plans().values()) {
            ServiceState service = ServiceServers.of(plan, now, scheduler(plan));
            servers.putAll(service.servers());
            addresses.addAll(service.addresses());
            elements.addAll(service.elements());
        }
        try {
            look.auditing();
            KernelState there = KernelState.read(kernel.balancer(), kernel.helper());
            Audit rules = new Audit(kernel.helper().missing(HelperRules.of(families, now.rules(), options.masqueradeBit())), List.of());
            Audit audit = rules.and(Differences.of(there, servers, addresses, elements, options));
            doubtful |= !audit.drift().isEmpty();
            return audit;
        } catch (NetlinkException e) {
            throw Kernel.failure(e);
        }
    }

    @Override
    public String render(Desired desired) {
        Recorder recorder = new Recorder(families);
        recorder.set(sysctls());
        try {
            new IpvsBackend(recorder, families, options, clock).apply(desired, Set.of());
        } catch (ApplyFailure e) {
            throw new IllegalStateException("a recorder does not fail", e);
        }
        return recorder.text();
    }

    @Override
    public Map<String, String> sysctls() {
        return Sysctls.wanted(options.strictArp(), Sysctls.kernel());
    }

    @Override
    public List<String> cleanUp() throws ApplyFailure {
        doubtful = true;
        committed.clear();
        return kernel.cleanUp(options);
    }

    @Override
    public void close() {
        look.close();
        kernel.close();
    }
}
