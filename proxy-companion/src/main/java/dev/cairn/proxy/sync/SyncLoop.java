package dev.cairn.proxy.sync;

import dev.cairn.facts.Address;
import dev.cairn.facts.ClusterListener;
import dev.cairn.facts.Fact;
import dev.cairn.facts.Resource;
import dev.cairn.facts.SliceFact;
import dev.cairn.log.Log;
import dev.cairn.proxy.plan.ClusterModel;
import dev.cairn.proxy.plan.NodeView;
import dev.cairn.proxy.plan.ServiceName;
import dev.cairn.proxy.plan.TrafficOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Hears of changes, plans and applies them. Listeners put changes into a queue; one thread, that of {@code run}, owns model and backend.
 * Nothing is programmed before all services and slices are known, since a service without its endpoints would be refused, nor before the node
 * is, unless that takes long: what its object tells decides where node ports are found, who is a pod, and which endpoints are near.
 */
public final class SyncLoop implements ClusterListener, Runnable, AutoCloseable {
    /** After how long all is compared with the kernel, whatever that tells. */
    public static final Duration AUDIT = Duration.ofMinutes(5);

    private static final Log LOG = Log.server();
    private static final Set<Resource> NEEDED = EnumSet.of(Resource.SERVICES, Resource.SLICES);
    private static final long FIRST_DELAY = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LAST_DELAY = TimeUnit.SECONDS.toNanos(30);
    private static final long LONGEST_GAP = TimeUnit.SECONDS.toNanos(1);
    private static final long LOOK = TimeUnit.SECONDS.toNanos(1);
    /** How long the node is waited for when all else is known: it may not be allowed to be read. */
    private static final long NODE_PATIENCE = TimeUnit.SECONDS.toNanos(10);

    private final ClusterModel model;
    private final Backend backend;
    private final Function<NodeView, TrafficOptions> options;
    private final SyncObserver observer;
    private final LongSupplier clock;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();
    private List<Consumer<ClusterModel>> queue = new ArrayList<>();
    private final List<Long> triggers = new ArrayList<>();
    private final long begun = System.currentTimeMillis();
    private final Set<Resource> synced = EnumSet.noneOf(Resource.class);
    /** When what is needed was known, and the node may have been missing. */
    private long knownSince;
    private boolean closed;
    private boolean woken;

    /** What the backend has not taken yet. */
    private final Set<ServiceName> unapplied = new TreeSet<>();
    private volatile boolean applied;
    /** When the changes happened that are not applied yet. */
    private final List<Long> waiting = new ArrayList<>();
    /** Whether the model has taken over what is not planned yet. */
    private boolean pending;
    private boolean failed;
    /** Whether an audit has found what is to be repaired. */
    private boolean drifted;
    private long nextLook;
    private long nextAudit;
    private volatile @Nullable ApplyFailure hopeless;
    private long notBefore;
    private long delay;
    /** The same for looking and comparing, which changes do not wait for. */
    private long lookDelay;

    /** Makes a loop that is yet to be run. {@code options} may depend on what the Node object tells. */
    public SyncLoop(
            ClusterModel model,
            Backend backend,
            Function<NodeView, TrafficOptions> options,
            SyncObserver observer,
            LongSupplier clock) {
        this.model = model;
        this.backend = backend;
        this.options = options;
        this.observer = observer;
        this.clock = clock;
        notBefore = clock.getAsLong();
        backend.onDisturbance(this::wake);
    }

    @Override
    public void put(Fact fact) {
        add(fact.resource(), fact instanceof SliceFact slice ? slice.triggerMillis() : 0, to -> to.put(fact));
    }

    @Override
    public void remove(Resource resource, String namespace, String name) {
        add(resource, 0, to -> to.remove(resource, namespace, name));
    }

    /** The interfaces of the node have other addresses. Any thread. */
    public void interfaces(List<Address> addresses) {
        add(Resource.NODES, 0, to -> to.interfaces(addresses));
    }

    private void add(Resource resource, long trigger, Consumer<ClusterModel> change) {
        lock.lock();
        try {
            queue.add(change);
            if (trigger >= begun) {
                triggers.add(trigger);   // what happened before we were there is none of our delays
            }
            observer.queued(resource);
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void synced(Resource resource) {
        lock.lock();
        try {
            boolean before = synced.containsAll(NEEDED);
            synced.add(resource);
            if (!before && synced.containsAll(NEEDED)) {
                knownSince = clock.getAsLong();
            }
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void wake() {
        lock.lock();
        try {
            woken = true;
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Why {@code run} ended by itself: at the very first time it was told that trying again is of no use. Null if it did not. */
    public @Nullable ApplyFailure hopeless() {
        return hopeless;
    }

    /** Whether services and slices are known. */
    public boolean isSynced() {
        lock.lock();
        try {
            return synced.containsAll(NEEDED);
        } finally {
            lock.unlock();
        }
    }

    /** Ends {@code run}; what is programmed stays. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void run() {
        try {
            while (hopeless == null && await()) {
                step();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for something to do and for its time; false if closed. */
    private boolean await() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!closed) {
                long now = clock.getAsLong();
                long change = !isDue() ? Long.MAX_VALUE : applied && !queue.isEmpty() ? 0 : Math.max(notBefore, nodeBy()) - now;
                long look = !applied ? Long.MAX_VALUE : isAwake() ? 0 : nextLook - now;
                if (Math.min(change, look) <= 0) {
                    return true;
                }
                news.awaitNanos(Math.min(change, look));
            }
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Until when the node is waited for. */
    private long nodeBy() {
        return applied || synced.contains(Resource.NODES) ? notBefore : knownSince + NODE_PATIENCE;
    }

    /** Whether somebody asks for a look now. One that fails is not tried more often for that. */
    private boolean isAwake() {
        return woken && lookDelay == 0;
    }

    /** Whether there is something to apply. */
    private boolean isDue() {
        lock.lock();
        try {
            return synced.containsAll(NEEDED) && (!queue.isEmpty() || pending || !unapplied.isEmpty() || !applied || drifted);
        } finally {
            lock.unlock();
        }
    }

    /** Looks whether all is as it was left, and applies what has come. A failure is logged and keeps what it had for the next time. */
    private void step() {
        try {
            look();
            drain();
            if (applied && unapplied.isEmpty() && !drifted) {
                overtake();
            }
            if (isDue() && clock.getAsLong() >= notBefore) {
                applyNow();
                delay = 0;
            }
        } catch (ApplyFailure e) {
            if (e.isLasting() && !applied) {
                hopeless = e;
                return;
            }
            delay = Math.clamp(delay * 2, FIRST_DELAY, LAST_DELAY);
            notBefore = clock.getAsLong() + delay;
            LOG.error(e.getMessage() + "; trying again in " + TimeUnit.NANOSECONDS.toMillis(delay) + " ms");
        } catch (RuntimeException e) {
            delay = LAST_DELAY;
            notBefore = clock.getAsLong() + delay;
            LOG.defect("defect while programming; trying again in 30 s", e);
        }
    }

    /** Finds out whether others changed what is programmed. What is yet to be applied is no drift, and what failed is looked at by apply. */
    private void look() {
        long now = clock.getAsLong();
        lock.lock();
        try {
            if (!applied || (!isAwake() && now < nextLook)) {
                return;
            }
            woken = false;
        } finally {
            lock.unlock();
        }
        try {
            if (unapplied.isEmpty() && !drifted && (now >= nextAudit || backend.isDisturbed())) {
                nextAudit = now;   // until one succeeds
                report(backend.audit(desired()));
                nextAudit = clock.getAsLong() + AUDIT.toNanos();
            }
            lookDelay = 0;
        } catch (ApplyFailure e) {
            observer.auditFailed();
            lookDelay = Math.clamp(lookDelay * 2, LOOK, LAST_DELAY);
            LOG.error("what is programmed cannot be compared with what should be: " + e.getMessage() + "; trying again in "
                    + TimeUnit.NANOSECONDS.toSeconds(lookDelay) + " s");
        }
        nextLook = now + Math.max(LOOK, lookDelay);
    }

    private void report(Audit audit) {
        observer.audited(audit);
        drifted = !audit.drift().isEmpty();
    }

    /** Has the model take over what has come. */
    private void drain() {
        List<Consumer<ClusterModel>> changes;
        lock.lock();
        try {
            changes = queue;
            queue = new ArrayList<>();
            waiting.addAll(triggers);
            triggers.clear();
        } finally {
            lock.unlock();
        }
        changes.forEach(change -> change.accept(model));
        pending |= !changes.isEmpty();
    }

    /**
     * An endpoint that goes waits for nothing: packets to it are lost, while one that comes is not missed yet. Nor does the rest wait for longer by it,
     * or would wait for ever while endpoints keep going.
     */
    private void overtake() throws ApplyFailure {
        unapplied.addAll(model.replanLosing());
        if (!unapplied.isEmpty()) {
            program(!model.isTouched());
            pending &= model.isTouched();
        }
    }

    /** Plans and applies everything that has come up to now; for a single run, or by {@code run}. */
    public void applyNow() throws ApplyFailure {
        drain();
        unapplied.addAll(model.replan());
        if (drifted) {
            unapplied.addAll(model.plans().keySet());   // also for flows that were made meanwhile and lead astray
        }
        if (!applied && !isNodeKnown()) {
            LOG.warning("the object of node " + model.node().name() + " is not known: going on by what the machine says of itself");
        }
        long took = program(true);
        // While a change is applied others gather; after a long one they may gather for as long again, so that a burst costs few of them.
        notBefore = clock.getAsLong() + Math.min(took, LONGEST_GAP);
        pending = false;
        drifted = false;
        if (!applied) {
            nextLook = clock.getAsLong() + LOOK;
            nextAudit = clock.getAsLong() + AUDIT.toNanos();
        }
        applied = true;
    }

    private boolean isNodeKnown() {
        lock.lock();
        try {
            return synced.contains(Resource.NODES);
        } finally {
            lock.unlock();
        }
    }

    /** Has the backend apply what is unapplied; how long that took. */
    private long program(boolean complete) throws ApplyFailure {
        long start = clock.getAsLong();
        Set<ServiceName> changed = Set.copyOf(unapplied);
        List<Long> due = complete ? waiting : List.of();
        boolean full = !applied || drifted || failed;
        long before = backend.written();
        boolean done = false;
        try {
            backend.apply(desired(), changed);
            done = true;
        } finally {
            failed = !done;
            long nanos = clock.getAsLong() - start;
            observer.applied(
                    new SyncObserver.Applied(done, full, complete, nanos, backend.written() - before, changed, List.copyOf(due)), model);
        }
        unapplied.clear();
        if (complete) {
            waiting.clear();
        }
        long took = clock.getAsLong() - start;
        if (Log.debugging()) {
            LOG.debug("programmed " + changed.size() + " services in " + TimeUnit.NANOSECONDS.toMillis(took) + " ms");
        }
        return took;
    }

    /** What shall be programmed, by the model as it is; for the owning thread. */
    public Backend.Desired desired() {
        return new Backend.Desired(model.plans(), model.node(), options.apply(model.node()).withServiceRanges(model.serviceRanges()));
    }
}
