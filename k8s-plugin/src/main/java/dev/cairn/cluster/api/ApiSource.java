package dev.cairn.cluster.api;

import dev.cairn.cluster.ClusterSource;
import dev.cairn.cluster.WatchScope;
import dev.cairn.facts.ClusterListener;
import dev.cairn.facts.Interner;
import dev.cairn.facts.Resource;
import dev.cairn.kernel.Promptness;
import java.io.IOException;
import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The cluster as an API server tells it. Waits for the server as long as it takes, at the start as well as later. */
public final class ApiSource implements ClusterSource {
    private static final long END_MILLIS = 2000;

    private final ApiClient client;
    private final WatchScope scope;
    private final Timing timing;
    private final ApiOptions options;
    private final Logger log;
    private final Interner interner = new Interner();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private volatile List<Reflector> reflectors = List.of();
    private volatile @Nullable Gate gate;

    ApiSource(ApiOptions options, Map<String, String> environment, WatchScope scope, ApiObserver observer, Timing timing, Logger log) {
        this.client = new ApiClient(new Credentials(options, environment), options, observer, timing.answer());
        this.scope = scope;
        this.timing = timing;
        this.options = options;
        this.log = log;
    }

    /** A source that is yet to be started. */
    public static ApiSource of(ApiOptions options, WatchScope scope, ApiObserver observer) {
        return new ApiSource(options, System.getenv(), scope, observer, Timing.USUAL, System.getLogger(ApiSource.class.getPackageName()));
    }

    /** The server's URL, or what is known of it. */
    public String server() {
        return client.server();
    }

    @Override
    public String place() {
        return "API server " + server();
    }

    @Override
    public boolean create(String collection, String json) throws IOException {
        client.post(collection, json);
        return true;
    }

    /** How well each kind of object that is watched is known; empty before the start. Any thread may ask. */
    public Map<Resource, WatchState> states() {
        Map<Resource, WatchState> states = new EnumMap<>(Resource.class);
        reflectors.forEach(reflector -> states.put(reflector.resource(), reflector.state()));
        return states;
    }

    @Override
    public synchronized void start(ClusterListener listener) {
        if (closed.get() || gate != null) {
            throw new IllegalStateException("a source is started once");
        }
        Gate shared = new Gate(listener);
        gate = shared;
        Reach reach = new Reach(log, System::nanoTime);
        Complaints complaints = new Complaints(log);
        List<Reflector> all = new ArrayList<>();
        for (Target target : Target.of(scope)) {
            Known known = new Known();
            ObjectDecoder decoder = decoder(target.resource(), known, complaints);
            all.add(new Reflector(target, client, shared, known, decoder, reach, log, timing, options));
        }
        reflectors = List.copyOf(all);
        for (Reflector reflector : reflectors) {
            threads.add(Thread.ofPlatform().daemon().name("api-" + reflector.resource()).start(Promptness.prompt(reflector)));
        }
    }

    private ObjectDecoder decoder(Resource resource, Known known, Complaints complaints) {
        return switch (resource) {
            case NAMESPACES -> new NamespaceDecoder(known, interner, complaints);
            case SERVICES -> new ServiceDecoder(scope, known, interner, complaints);
            case SLICES -> new SliceDecoder(scope, known, interner, complaints);
            case PODS -> new PodDecoder(scope, known, interner, complaints);
            case IMPORTS -> new ImportDecoder(known, interner, complaints);
            case NODES -> new NodeDecoder(known, interner, complaints);
            case SERVICE_RANGES -> new RangeDecoder(known, interner, complaints);
        };
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        Gate shared = gate;
        if (shared != null) {
            shared.shut();
        }
        reflectors.forEach(Reflector::stop);
        threads.forEach(Thread::interrupt);
        client.close();
        long deadline = System.nanoTime() + END_MILLIS * 1_000_000;
        for (Thread thread : threads) {
            join(thread, deadline);
        }
    }

    private static void join(Thread thread, long deadline) {
        long millis = (deadline - System.nanoTime()) / 1_000_000;
        if (thread.equals(Thread.currentThread()) || millis <= 0) {
            return;   // closed from within the listener, or stuck: it is a daemon and the gate is shut
        }
        try {
            thread.join(millis);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
