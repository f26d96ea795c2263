package dev.cairn.cluster.manifest;

import dev.cairn.cluster.ClusterSource;
import dev.cairn.cluster.WatchScope;
import dev.cairn.cluster.control.Allocations;
import dev.cairn.cluster.control.ControlPlane;
import dev.cairn.cluster.control.Problem;
import dev.cairn.facts.ClusterListener;
import dev.cairn.facts.Fact;
import dev.cairn.facts.Resource;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A cluster that is written down in files. They are watched; what changes in them is told, and nothing else. All state is owned by the
 * one thread that {@code start} starts.
 */
public final class ManifestSource implements ClusterSource {
    private static final System.Logger LOG = System.getLogger(ManifestSource.class.getName());
    private static final Duration POLL = Duration.ofSeconds(5);
    private static final Duration SOON = Duration.ofMillis(100);
    private static final int MOST_LOOKS = 5;

    private final List<Path> paths;
    private final WatchScope scope;
    private final ControlPlane controlPlane;
    private final ManifestFiles files;
    private final Consumer<String> log;
    private final Duration poll;
    private final PathWatch watch;
    private final Map<Key, Fact> told = new LinkedHashMap<>();
    private final Map<Key, Fact> untold = new HashMap<>();
    private Set<Problem> problems = new HashSet<>();
    private ControlPlane.Outcome outcome = new ControlPlane.Outcome(List.of(), List.of(), Allocations.NONE);
    private long revision = -1;
    private boolean synced;
    private @Nullable Thread thread;

    private record Key(Resource resource, String namespace, String name) {
        static Key of(Fact fact) {
            return new Key(fact.resource(), fact.namespace(), fact.name());
        }
    }

    /**
     * Makes a source that writes what is wrong with the manifests to {@code log}, and looks for changes at least each {@code poll}.
     *
     * @param clock what the time stamps of files are compared with
     */
    ManifestSource(ManifestOptions options, WatchScope scope, Consumer<String> log, Duration poll, InstantSource clock) {
        paths = options.paths();
        this.scope = scope;
        this.log = log;
        this.poll = poll;
        controlPlane = new ControlPlane(options.control(), scope);
        files = new ManifestFiles(options.paths(), clock);
        watch = new PathWatch(log);
    }

    /** A source of what the manifests at some paths say. */
    public static ManifestSource of(ManifestOptions options, WatchScope scope) {
        return new ManifestSource(options, scope, message -> LOG.log(System.Logger.Level.WARNING, message), POLL, InstantSource.system());
    }

    @Override
    public String place() {
        return "manifests " + paths.stream().map(Path::toString).collect(Collectors.joining(", "));
    }

    @Override
    public synchronized void start(ClusterListener listener) {
        if (thread != null) {
            throw new IllegalStateException("started already");
        }
        thread = Thread.ofPlatform().name("cairn-manifests").daemon().start(() -> run(listener));
    }

    private void run(ClusterListener listener) {
        while (!watch.isClosed()) {
            try {
                boolean soon = refresh(listener);
                watch.await(soon ? SOON : poll);
            } catch (InterruptedException e) {
                // Nobody but close ends this thread, and it does so without an interrupt.
                LOG.log(System.Logger.Level.DEBUG, "interrupted while waiting for changes of manifests");
            } catch (RuntimeException e) {
                LOG.log(System.Logger.Level.ERROR, "a change of manifests was not applied, trying again", e);
                pause();
            }
        }
    }

    private void pause() {
        try {
            watch.await(poll);
        } catch (InterruptedException e) {
            LOG.log(System.Logger.Level.DEBUG, "interrupted while waiting for changes of manifests");
        }
    }

    /** Reads and tells what changed; says whether to look again soon. */
    private boolean refresh(ClusterListener listener) {
        ManifestFiles.View view = files.look();
        // What changed between a look and the beginning of a watch would be missed until the next poll.
        for (int i = 0; i < MOST_LOOKS && watch.follow(view.directories()); i++) {
            view = files.look();
        }
        List<Problem> found = new ArrayList<>(view.problems());
        if (view.revision() != revision) {
            outcome = controlPlane.reconcile(view.objects(), outcome.allocations());
            revision = view.revision();
        }
        found.addAll(outcome.problems());
        tell(found);
        tell(outcome.facts(), listener);
        if (!synced && !watch.isClosed()) {
            wanted().forEach(listener::synced);
            synced = true;
        }
        return view.deferred();
    }

    /** Tells each problem when it appears, and again only if it was gone in between. */
    private void tell(List<Problem> found) {
        Set<Problem> now = new HashSet<>();
        for (Problem problem : found) {
            if (now.add(problem) && !problems.contains(problem)) {
                log.accept(problem.toString());
            }
        }
        problems = now;
    }

    /** New facts come before old ones go, so that a name that moves from one object to another does not vanish in between. */
    private void tell(List<Fact> facts, ClusterListener listener) {
        Set<Key> gone = new HashSet<>(told.keySet());
        for (Fact fact : facts) {
            Key key = Key.of(fact);
            gone.remove(key);
            if (!fact.equals(told.get(key)) && !watch.isClosed() && isTold(fact, listener)) {
                told.put(key, fact);
            }
        }
        for (Key key : gone) {
            if (!watch.isClosed()) {
                listener.remove(key.resource(), key.namespace(), key.name());
                told.remove(key);
            }
        }
    }

    /** Tells a fact; what a listener cannot take keeps nobody else waiting, and is tried again with the next look. */
    private boolean isTold(Fact fact, ClusterListener listener) {
        Key key = Key.of(fact);
        try {
            listener.put(fact);
            untold.remove(key);
            return true;
        } catch (RuntimeException e) {
            if (!fact.equals(untold.put(key, fact))) {
                LOG.log(System.Logger.Level.ERROR, key + " was not applied, trying again", e);
            }
            return false;
        }
    }

    private Set<Resource> wanted() {
        Set<Resource> wanted = EnumSet.of(Resource.NAMESPACES, Resource.SERVICES);
        if (scope.slices() || scope.imports()) {
            wanted.add(Resource.SLICES);
        }
        if (scope.pods()) {
            wanted.add(Resource.PODS);
        }
        if (scope.imports()) {
            wanted.add(Resource.IMPORTS);
        }
        if (!scope.node().isEmpty()) {
            wanted.add(Resource.NODES);
        }
        if (scope.traffic()) {
            wanted.add(Resource.SERVICE_RANGES);
        }
        return wanted;
    }

    @Override
    public void close() {
        watch.close();
        Thread running;
        synchronized (this) {
            running = thread;
        }
        if (running != null && !running.equals(Thread.currentThread())) {
            join(running);
        }
    }

    /** Waits without end, since the listener must not be called after; an interrupt is kept for the caller. */
    private static void join(Thread running) {
        boolean interrupted = false;
        while (running.isAlive()) {
            try {
                running.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
