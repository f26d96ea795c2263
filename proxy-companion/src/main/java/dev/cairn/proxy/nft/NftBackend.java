package dev.cairn.proxy.nft;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Address;
import dev.cairn.proxy.plan.Frontend;
import dev.cairn.proxy.plan.ServiceName;
import dev.cairn.proxy.plan.ServicePlan;
import dev.cairn.proxy.sync.ApplyFailure;
import dev.cairn.proxy.sync.Audit;
import dev.cairn.proxy.sync.Backend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Programs plans as nftables. The first time, and after a failure, it reads back what the kernel has and changes what differs; from then on
 * a change is the difference between the committed plan of a service and the new one. Used by one thread.
 */
public final class NftBackend implements Backend {
    /** Elements in a transaction of a first load: the kernel holds its lock, and we hold all of its elements, for as long as one takes. */
    private static final int CHUNK = 5_000;

    /** What is read ahead is kept for so long: a cluster that can be reached has been read by then. */
    private static final Duration EARLY = Duration.ofMinutes(1);

    private final NftRunner runner;
    private final NftElements elements;
    private final List<IpFamily> families;
    private final int masqueradeBit;
    private final Map<ServiceName, ServicePlan> committed = new HashMap<>();
    private final Map<IpFamily, KnownRules> intact = new EnumMap<>(IpFamily.class);
    private List<FamilyTable> tables = List.of();
    /** Whether what we believe to be in the kernel is in doubt. */
    private boolean doubtful = true;
    private @Nullable NftMonitor monitor;
    private @Nullable ServiceCounters counters;
    private @Nullable EarlyListing early;

    NftBackend(NftRunner runner, NftElements elements, Set<IpFamily> families, int masqueradeBit) {
        this.runner = runner;
        this.elements = elements;
        this.families = families.stream().sorted().toList();
        this.masqueradeBit = masqueradeBit;
    }

    /**
     * A backend that runs {@code nft} for rules and talks to the kernel for elements.
     *
     * @param masqueradeBit the bit of the packet mark that stands for packets to be masqueraded
     */
    public static NftBackend of(Set<IpFamily> families, int masqueradeBit) {
        return new NftBackend(new NftRunner(), new NftElements(), families, masqueradeBit);
    }

    @Override
    public void readAhead() {
        early = EarlyListing.begin(elements, families, EARLY);
    }

    @Override
    public void apply(Desired desired, Set<ServiceName> changed) throws ApplyFailure {
        NftMonitor listening = monitor;
        if (listening == null) {
            program(desired, changed);
            return;
        }
        int before = transactions();
        listening.pause();
        try {
            program(desired, changed);
        } finally {
            listening.resume(transactions() - before);
        }
    }

    private int transactions() {
        return runner.transactions() + elements.transactions();
    }

    private void program(Desired desired, Set<ServiceName> changed) throws ApplyFailure {
        List<String> markers = tables.stream().map(FamilyTable::marker).toList();
        List<FamilyTable> now = families.stream().map(family -> table(family, desired)).toList();
        boolean sameRules = markers.equals(now.stream().map(FamilyTable::marker).toList());
        if (doubtful || !sameRules) {
            doubtful = true;
            tables = now;
            loadAll(desired);
        } else {
            doubtful = true;
            applyChanges(desired, changed);
        }
        doubtful = false;
        purgeAffinity(desired, changed);
        if (counters != null) {
            counters.apply(desired, changed);
        }
    }

    private KnownRules intact(IpFamily family) {
        return intact.computeIfAbsent(family, _ -> new KnownRules());
    }

    private FamilyTable table(IpFamily family, Desired desired) {
        boolean all = desired.options().nodePortAddresses().of(family, desired.node()) == null;
        return new FamilyTable(family, new StaticRules(family, desired.options(), all, masqueradeBit), intact(family));
    }

    /**
     * Loads everything in chunks, what name resolution needs first, and removes at last what nobody wants any more. All chains come before all
     * elements: to add a rule that uses a map, nft reads all of the map.
     */
    private void loadAll(Desired desired) throws ApplyFailure {
        StringBuilder script = new StringBuilder();
        Map<IpFamily, NftListing> listed = early == null ? null : early.get();
        early = null;
        for (FamilyTable table : tables) {
            script.append(table.adopt(listed == null ? elements.read(table.family()) : listed.get(table.family())));
            desired.plans().values().forEach(table::prepare);
        }
        committed.clear();
        globals(desired);
        commit(script.toString());
        List<ServicePlan> plans = new ArrayList<>(desired.plans().values());
        plans.sort(Comparator.comparing(plan -> !plan.isUrgent()));
        for (ServicePlan plan : plans) {
            tables.forEach(table -> table.shallBe(plan));
            committed.put(plan.name(), plan);
            for (FamilyTable table : tables) {
                if (table.size() >= CHUNK) {
                    commit("");
                }
            }
        }
        commit("");
        tables.forEach(FamilyTable::dropRest);
        commit("");
    }

    private void applyChanges(Desired desired, Set<ServiceName> changed) throws ApplyFailure {
        Map<ServiceName, ServicePlan> arranged = new HashMap<>();
        for (ServiceName name : changed) {
            ServicePlan before = committed.get(name);
            ServicePlan wanted = desired.plans().get(name);
            if (before != null) {
                tables.forEach(table -> table.was(before));
            }
            if (wanted != null) {
                ServicePlan plan = Slots.arrange(before, wanted);
                arranged.put(name, plan);
                tables.forEach(table -> table.shallBe(plan));
            }
        }
        globals(desired);
        commit("");
        changed.forEach(name -> {
            ServicePlan plan = arranged.get(name);
            if (plan == null) {
                committed.remove(name);
            } else {
                committed.put(name, plan);
            }
        });
    }

    private void globals(Desired desired) {
        tables.forEach(table -> table.globals(globals(table.family(), desired)));
    }

    /** Elements that are the node's and no service's. */
    static Map<NftSet, List<Packed>> globals(IpFamily family, Desired desired) {
        List<Address> nodePorts = desired.options().nodePortAddresses().of(family, desired.node());
        List<Packed> ranges = desired.options().serviceRanges().stream()
                .filter(range -> range.family() == family)
                .map(Packed.EMPTY::andRange)
                .toList();
        return Map.of(
                NftSet.NODEPORT_IPS, nodePorts == null ? List.of() : nodePorts.stream().map(Packed::of).toList(),
                NftSet.SERVICE_RANGES, ranges);
    }

    /** Rules come first: a chain that nothing leads to yet does no harm. */
    private void commit(String before) throws ApplyFailure {
        StringBuilder script = new StringBuilder(before);
        List<ElementChange> changes = new ArrayList<>();
        for (FamilyTable table : tables) {
            script.append(table.chains());
            changes.addAll(table.changes());
        }
        if (!script.isEmpty()) {
            runner.run(script.toString());
            for (FamilyTable table : tables) {
                table.written(elements.rules(table.family()));
            }
        }
        if (!changes.isEmpty()) {
            elements.change(changes);
        }
        tables.forEach(FamilyTable::committed);
    }

    private void purgeAffinity(Desired desired, Set<ServiceName> changed) throws ApplyFailure {
        List<ServicePlan> sticky = changed.stream()
                .map(desired.plans()::get)
                .filter(plan -> plan != null && plan.ports().stream().anyMatch(port -> port.affinitySeconds() > 0))
                .toList();
        if (!sticky.isEmpty() && families.contains(IpFamily.IPV4)) {
            new AffinityPurge(runner, desired).purge(sticky);
        }
    }

    @Override
    public long written() {
        return runner.commands() + elements.changed();
    }

    @Override
    public String render(Desired desired) {
        StringBuilder all = new StringBuilder();
        NftRunner recorder = new NftRunner() {
            @Override
            void run(String script) {
                all.append(script);
            }
        };
        NftElements noElements = new NftElements() {
            @Override
            @Nullable NftListing read(IpFamily family) {
                return null;
            }

            @Override
            Map<String, List<NftRule>> rules(IpFamily family) {
                return Map.of();
            }

            @Override
            void change(List<ElementChange> changes) {
                all.append(ElementText.script(changes));
            }
        };
        NftBackend copy = new NftBackend(recorder, noElements, Set.copyOf(families), masqueradeBit);
        try {
            copy.apply(desired, Set.of());
        } catch (ApplyFailure e) {
            throw new IllegalStateException("a recorder does not fail", e);
        }
        return all.toString();
    }

    @Override
    public Audit audit(Desired desired) throws ApplyFailure {
        NftMonitor listening = monitor;
        if (listening != null) {
            listening.clear();
        }
        Audit audit = new NftAudit(elements, families, masqueradeBit, this::intact).compare(desired);
        doubtful |= !audit.drift().isEmpty();
        return counters == null ? audit : audit.and(new Audit(counters.audit(), List.of()));
    }

    @Override
    public boolean isDisturbed() {
        NftMonitor listening = monitor;
        return listening != null && listening.isDisturbed();
    }

    @Override
    public void onDisturbance(Runnable wake) {
        monitor = NftMonitor.start(Table.NAME, wake);
    }

    @Override
    public synchronized void close() {
        NftMonitor listening = monitor;
        monitor = null;
        if (listening != null) {
            listening.close();
        }
    }

    /** Has connections to each service counted from now on; to be called before anything else. */
    public NftBackend counting() {
        counters = new ServiceCounters(runner, families);
        return this;
    }

    /** How many connections each service has had, if they are counted. Any thread may ask. */
    public static Map<ServiceName, Long> connections(Set<IpFamily> families) throws ApplyFailure {
        return ServiceCounters.read(new NftRunner(), families);
    }

    /** The element that leads packets on, where there are endpoints. */
    public static String where(Frontend frontend) {
        IpFamily family = frontend.place().family();
        NftSet set = frontend.place().address() == null ? NftSet.SERVICE_NODEPORTS : NftSet.SERVICE_IPS;
        return "element " + ElementText.key(set, family, ServiceElements.place(frontend)) + " of map " + set.text() + " in table " + Table.of(family);
    }

    /** Why this machine cannot do it; null if it can. All kinds of rules are given to the kernel to be checked, not to be kept. */
    public static @Nullable String probe(Set<IpFamily> families) {
        return NftProbe.probe(new NftRunner(), families);
    }

    @Override
    public List<String> cleanUp() throws ApplyFailure {
        doubtful = true;
        committed.clear();
        List<String> all = new ArrayList<>(families.stream().map(Table::of).toList());
        all.addAll(ServiceCounters.tables(families));
        return new NftTables(runner).delete(all);
    }
}
