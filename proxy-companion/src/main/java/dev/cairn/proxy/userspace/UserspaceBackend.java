package dev.cairn.proxy.userspace;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Protocol;
import dev.cairn.log.Log;
import dev.cairn.proxy.conntrack.FlowCleaner;
import dev.cairn.proxy.plan.LocalDetector;
import dev.cairn.proxy.plan.NodePortAddresses;
import dev.cairn.proxy.plan.NodeView;
import dev.cairn.proxy.plan.PortPlan;
import dev.cairn.proxy.plan.ServiceName;
import dev.cairn.proxy.plan.ServicePlan;
import dev.cairn.proxy.plan.TrafficOptions;
import dev.cairn.proxy.sync.ApplyFailure;
import dev.cairn.proxy.sync.Audit;
import dev.cairn.proxy.sync.Backend;
import dev.cairn.proxy.sync.Tool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Carries the traffic of services in this process. Listeners come first, then the rules that lead packets to them, then listeners that are
 * not needed any more go; so a process that takes over from one that was killed replaces its rules when it can do their work. When it ends
 * in order, its rules go with it: they would lead packets to ports that anybody may have then.
 */
public final class UserspaceBackend implements Backend {
    private static final Log LOG = Log.server();

    private final List<IpFamily> families;
    private final int mark;
    private final RelayLimits limits;
    private final List<Gate> gates;
    private final Consumer<Collection<ServicePlan>> flows;
    private final RelayMetrics metrics = new RelayMetrics();
    private final Map<ServiceName, List<Redirect>> redirects = new TreeMap<>();
    private final Set<String> told = new HashSet<>();
    private @Nullable Relay relay;
    private @Nullable Gate gate;
    private @Nullable Runnable wake;
    private final Listeners listeners;
    private List<Crossing> crossings = List.of();
    private boolean doubtful = true;
    private long written;

    UserspaceBackend(Set<IpFamily> families, int mark, RelayLimits limits, List<Gate> gates, Consumer<Collection<ServicePlan>> flows) {
        this.families = families.stream().sorted().toList();
        this.mark = mark;
        this.limits = limits;
        this.gates = List.copyOf(gates);
        this.flows = flows;
        listeners = new Listeners((protocol, at, targets) -> relay().listen(protocol, at, targets));
    }

    /**
     * A backend for this machine.
     *
     * @param markBit the bit of the packet mark that the relay's own packets have
     * @param udpIdle after how much silence a UDP client is forgotten
     */
    public static UserspaceBackend of(Set<IpFamily> families, int markBit, Duration udpIdle) {
        FlowCleaner cleaner = new FlowCleaner(families, false);
        return new UserspaceBackend(families, 1 << markBit, RelayLimits.ofProcess(udpIdle), gates(), cleaner::clean);
    }

    private static List<Gate> gates() {
        Tool tool = new Tool(List.of());
        return List.of(new NftGate(tool), new IptablesGate(tool));
    }

    /** Why this machine cannot do it, in one line; null if it can. */
    public static @Nullable String probe(Set<IpFamily> families) {
        return refusal(gates(), families);
    }

    private static @Nullable String refusal(List<Gate> gates, Set<IpFamily> families) {
        TrafficOptions options = new TrafficOptions(false, LocalDetector.none(), NodePortAddresses.ALL, List.of(), false, true);
        List<Crossing> sample = families.stream().sorted()
                .map(family -> Crossing.of(family, new NodeView("", "", List.of(), List.of(), List.of()), options, 1)).toList();
        List<String> reasons = new ArrayList<>();
        for (Gate gate : gates) {
            String reason = gate.probe(sample);
            if (reason == null) {
                return null;
            }
            reasons.add(reason);
        }
        return "no address of a Service can be led to it: " + String.join("; ", reasons);
    }

    private Relay relay() {
        Relay made = relay;
        if (made == null) {
            made = new Relay(limits, metrics, System::nanoTime, mark);
            relay = made;
        }
        return made;
    }

    private Gate gate() throws ApplyFailure {
        Gate chosen = gate;
        if (chosen == null) {
            List<String> reasons = new ArrayList<>();
            for (Gate candidate : gates) {
                String reason = candidate.probe(crossings);
                if (reason == null) {
                    chosen = candidate;
                    break;
                }
                reasons.add(reason);
            }
            if (chosen == null) {
                throw new ApplyFailure("mode userspace has nothing to lead packets to it: " + String.join("; ", reasons), true);
            }
            gate = chosen;
            if (wake != null) {
                chosen.onDisturbance(wake);
            }
        }
        return chosen;
    }

    @Override
    public boolean cleansFlows() {
        return true;
    }

    @Override
    public String metrics() {
        return metrics.text();
    }

    @Override
    public synchronized void apply(Desired desired, Set<ServiceName> changed) throws ApplyFailure {
        List<Crossing> now = crossings(desired);
        Set<ServiceName> names = new TreeSet<>(changed);
        if (doubtful || !now.equals(crossings)) {
            names.addAll(desired.plans().keySet());
            names.addAll(listeners.services());
        }
        doubtful = true;
        crossings = now;
        for (ServiceName name : names) {
            ServicePlan plan = desired.plans().get(name);
            if (plan == null) {
                redirects.remove(name);
            } else {
                tell(plan);
                redirects.put(name, listeners.follow(plan, crossings));
            }
        }
        gate().apply(crossings, redirects, names);
        written += names.stream().mapToLong(name -> redirects.getOrDefault(name, List.of()).size()).sum();
        names.forEach(name -> listeners.closeUnused(name, redirects.getOrDefault(name, List.of())));
        doubtful = false;
        flows.accept(names.stream().map(desired.plans()::get).filter(plan -> plan != null).map(this::answering).toList());
    }

    @Override
    public synchronized long written() {
        return written;
    }

    private List<Crossing> crossings(Desired desired) {
        return families.stream().map(family -> Crossing.of(family, desired.node(), desired.options(), mark)).toList();
    }

    private void tell(ServicePlan plan) {
        plan.ports().stream().filter(port -> port.protocol() == Protocol.SCTP).forEach(port -> {
            if (told.add(plan.name() + " " + port.name())) {
                LOG.warning("service " + plan.name() + " has a port for SCTP, which mode userspace does not carry: it is refused");
            }
        });
    }

    /** A plan with listeners as those that serve, which they do for the connection tracker. */
    private ServicePlan answering(ServicePlan plan) {
        List<PortPlan> ports = plan.ports().stream().map(port -> port.withServing(listeners.answering(plan.name(), port))).toList();
        return new ServicePlan(plan.name(), ports, plan.healthCheckNodePort(), plan.localReady(), plan.scheduler());
    }

    /** Listeners do not exist yet, so their ports are made up. */
    @Override
    public String render(Desired desired) {
        return "# The ports of listeners are chosen by the kernel; here they are counted from " + MadeUp.FIRST + " on.\n"
                + gates.getFirst().render(crossings(desired), madeUp(desired));
    }

    private Map<ServiceName, List<Redirect>> madeUp(Desired desired) {
        MadeUp ports = new MadeUp();
        Listeners pretended = new Listeners((_, _, _) -> ports.next());
        Map<ServiceName, List<Redirect>> all = new TreeMap<>();
        for (ServicePlan plan : desired.plans().values()) {
            try {
                all.put(plan.name(), pretended.follow(plan, crossings(desired)));
            } catch (ApplyFailure e) {
                throw new IllegalStateException("nothing is opened", e);
            }
        }
        return all;
    }

    /** Listeners that are none. */
    private static final class MadeUp {
        private static final int FIRST = 40_001;

        private int next = FIRST;

        RelayListener next() {
            int port = next++;
            return new RelayListener() {
                @Override
                public int port() {
                    return port;
                }

                @Override
                public void update(Targets targets) {}

                @Override
                public void close() {}
            };
        }
    }

    /** A process that has no listeners yet cannot know their ports, and compares all else. */
    @Override
    public synchronized Audit audit(Desired desired) throws ApplyFailure {
        boolean own = !doubtful;
        crossings = own ? crossings : crossings(desired);
        List<String> drift = gate().audit(crossings, own ? redirects : madeUp(desired), own);
        doubtful |= !drift.isEmpty();
        return new Audit(drift, List.of());
    }

    @Override
    public synchronized boolean isDisturbed() {
        return gate != null && gate.isDisturbed();
    }

    @Override
    public synchronized void onDisturbance(Runnable woken) {
        wake = woken;
    }

    @Override
    public synchronized List<String> cleanUp() throws ApplyFailure {
        List<String> removed = new ArrayList<>();
        for (Gate one : gates) {
            removed.addAll(one.cleanUp());
        }
        doubtful = true;
        return removed;
    }

    /** Takes no more clients, removes what leads packets here, and ends what is carried. */
    @Override
    public synchronized void close() {
        Relay running = relay;
        if (running == null) {
            return;
        }
        try {
            if (gate != null) {
                gate.close();
                gate.cleanUp();
            }
        } catch (ApplyFailure e) {
            LOG.warning("rules are left behind that lead packets to ports where nobody listens: " + e.getMessage());
        }
        listeners.close();
        running.close();
        relay = null;
        redirects.clear();
        doubtful = true;
    }
}
