package dev.cairn.cluster.api;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.cairn.facts.Fact;
import dev.cairn.facts.Resource;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the listener told of one kind of object: lists, then watches from the list's version, for ever. Run by a thread of its own, which
 * owns all its fields; other threads may ask for the state and stop it.
 */
final class Reflector implements Runnable {
    /** A stream that is cut is nothing to tell, as long as the next one goes on. */
    private static final int CUTS_TO_TELL = 3;
    /** After so many, something in the stream itself cannot be read; a list gets past it. */
    private static final int CUTS_TO_LIST = 10;

    private final Target target;
    private final ApiClient client;
    private final Gate gate;
    private final Known known;
    private final ObjectDecoder decoder;
    private final Reach reach;
    private final Logger log;
    private final Timing timing;
    private final int pageSize;
    private final Delay delay;
    /** For lists that a watch asks for again and again; only a watch that works resets it. */
    private final Delay relistDelay;
    private boolean relisted;
    /** Objects that are there and could not be told: once may be by chance, twice in one version is the object's fault. */
    private final Map<String, Untold> untold = new HashMap<>();
    /** How many lists were begun. */
    private long begun;
    /** Why the list that is under way has to be made again at its end; null if it has not. */
    private @Nullable RuntimeException again;

    /** In which version an object could not be told, and which list has met it last. */
    private record Untold(String version, long list) {}

    /** Where the next watch begins; empty if a list is needed. */
    private String version = "";
    /** Where the list that is under way goes on; empty at its beginning. */
    private String next = "";
    /** Lists in a row whose pages expired before they were read. */
    private int expired;
    /** Streams in a row that broke before they brought anything. */
    private int cuts;
    private boolean opened;
    /** Whether the list is to come as events of a watch. */
    private boolean streams;

    private volatile boolean stopped;
    private volatile boolean synced;
    private volatile boolean watching;
    private volatile String trouble = "";
    private volatile long lastWord = System.nanoTime();
    private final AtomicLong events = new AtomicLong();
    private final AtomicLong lists = new AtomicLong();

    Reflector(
            Target target,
            ApiClient client,
            Gate gate,
            Known known,
            ObjectDecoder decoder,
            Reach reach,
            Logger log,
            Timing timing,
            ApiOptions options) {
        this.target = target;
        this.client = client;
        this.gate = gate;
        this.known = known;
        this.decoder = decoder;
        this.reach = reach;
        this.log = log;
        this.timing = timing;
        pageSize = options.pageSize();
        streams = options.streamedLists();
        delay = new Delay(timing.firstDelay(), timing.lastDelay(), RandomGenerator.getDefault());
        relistDelay = new Delay(timing.firstDelay(), timing.lastDelay(), RandomGenerator.getDefault());
    }

    Resource resource() {
        return target.resource();
    }

    WatchState state() {
        return new WatchState(synced, watching, (System.nanoTime() - lastWord) / 1e9, events.get(), Math.max(0, lists.get() - 1),
                decoder.complaints(), trouble);
    }

    /** No further step is made; the thread may have to be interrupted to notice. */
    void stop() {
        stopped = true;
    }

    @Override
    public void run() {
        while (!stopped) {
            opened = false;
            try {
                if (version.isEmpty() && !streams) {
                    list();
                } else {
                    watch();
                }
            } catch (IOException e) {
                failed(e);
            } catch (RuntimeException e) {
                defect(e);
            } finally {
                watching = false;
            }
        }
    }

    private void list() throws IOException {
        if (next.isEmpty()) {
            begin();
        }
        boolean paged = pageSize > 0 && expired < 2;
        String listed;
        do {
            long begun = System.nanoTime();
            ListReader page = new ListReader(decoder, this::found);
            try (BodyStream body = open(target.path() + listQuery(paged), ApiClient.Form.LIST, timing.answer())) {
                page.read(body);
            } finally {
                client.took(System.nanoTime() - begun);
            }
            listed = page.version();
            next = page.next();
            progress();
        } while (!next.isEmpty());
        listed(listed);
    }

    /** Begins a list; what one that was cut off has left to do again, this one does. */
    private void begin() {
        known.begin();
        begun++;
        again = null;
    }

    /** All that is there has been met. */
    private void listed(String listVersion) {
        RuntimeException defect = again;
        if (defect != null) {
            again = null;
            throw defect;
        }
        known.sweep((namespace, name) -> gate.remove(resource(), namespace, name));
        untold.values().removeIf(object -> object.list() != begun);
        version = listVersion;
        expired = 0;
        lists.incrementAndGet();
        if (!synced) {
            gate.synced(resource());
            synced = true;
        }
    }

    /**
     * A list at the start may come from the server's cache (version 0), which may be behind, but is sent whole and at once: a server with a
     * cache takes no heed of the limit then. Later lists come from the store, in pages.
     */
    private String listQuery(boolean paged) {
        String page = paged ? Target.parameter("limit", Integer.toString(pageSize)) + Target.parameter("continue", next) : "";
        return page + (synced || expired > 0 || !next.isEmpty() ? "" : Target.parameter("resourceVersion", "0"));
    }

    private void watch() throws IOException {
        long begun = System.nanoTime();
        long shortest = timing.watch().toSeconds();
        long seconds = ThreadLocalRandom.current().nextLong(shortest, shortest * 2 + 1);
        String query = "watch=true&allowWatchBookmarks=true&timeoutSeconds=" + seconds + "&" + beginning();
        boolean heard;
        try (BodyStream body = open(target.path() + query, ApiClient.Form.WATCH, timing.silence())) {
            watching = true;
            heard = events(body);
        } catch (BodyStream.Silence e) {
            log.log(Level.INFO, "watch of " + target.fullName() + " is silent: " + e.getMessage() + "; cut, to be resumed");
            return;
        }
        if (!heard && System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(1)) {
            throw new IOException("a watch ended as soon as it began");   // or this would be a loop without a pause
        }
    }

    /** Reads events until the stream ends; whether there were any. */
    private boolean events(BodyStream body) throws IOException {
        boolean heard = false;
        WatchReader reader = new WatchReader(decoder);
        if (body.isProtobuf()) {
            ProtoWatch watch = new ProtoWatch(body);
            for (Proto event = watch.next(); event != null && !stopped; event = watch.next()) {
                event(reader.read(event));
                heard = true;
            }
        } else {
            try (JsonParser json = Json.FACTORY.createParser(body)) {
                while (!stopped && json.nextToken() == JsonToken.START_OBJECT) {
                    event(reader.read(json));
                    heard = true;
                }
            }
        }
        return heard;
    }

    private String beginning() {
        if (!version.isEmpty()) {
            return Target.parameter("resourceVersion", version);
        }
        begin();
        return "sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
    }

    private BodyStream open(String path, ApiClient.Form form, Duration silence) throws IOException {
        BodyStream body = client.open(path, form, silence);
        opened = true;
        if (cuts < CUTS_TO_TELL) {
            fine();
        }
        lastWord = System.nanoTime();
        return body;
    }

    private void fine() {
        trouble = "";
        reach.fine(resource(), client.server());
    }

    private void progress() {
        lastWord = System.nanoTime();
        if (cuts >= CUTS_TO_TELL) {
            fine();
        }
        cuts = 0;
        delay.reset();
    }

    private void event(String type) throws IOException {
        switch (type) {
            case "ADDED", "MODIFIED" -> found();
            case "DELETED" -> {
                forgetUntold();
                lost();
            }
            case "BOOKMARK" -> {}
            case WatchReader.ERROR -> throw new ApiFailure(decoder.code(), decoder.message(), Duration.ZERO);
            default -> log.log(Level.DEBUG, "unknown event " + type + " in the watch of " + target.fullName());
        }
        if (!type.equals("BOOKMARK") && !version.isEmpty()) {
            events.incrementAndGet();
        }
        // Among the events that stand for a list, only the bookmark at their end is a place to go on from.
        if (version.isEmpty()) {
            if (type.equals("BOOKMARK") && decoder.endsInitialEvents()) {
                listed(decoder.version());
            }
        } else if (!decoder.version().isEmpty()) {
            version = decoder.version();
        }
        relisted = false;
        relistDelay.reset();
        progress();
    }

    /** The decoder holds an object that is there. */
    private void found() {
        String name = decoder.name();
        if (name.isEmpty()) {
            decoder.complain("it has no name");
            return;
        }
        if (decoder.isUnchanged()) {
            return;
        }
        if (resource() == Resource.PODS && decoder.isTerminating()) {
            known.keep(decoder.namespace(), name);   // answers until it is gone, as in CoreDNS
            return;
        }
        try {
            tell(decoder.fact());
        } catch (RuntimeException e) {
            untold(e);
        }
    }

    private void tell(@Nullable Fact fact) {
        if (fact == null) {
            lost();
            return;
        }
        gate.put(fact);
        known.put(fact.namespace(), fact.name(), decoder.version());
        forgetUntold();
    }

    /** There is hardly ever one, and each object that is told comes by here. */
    private void forgetUntold() {
        if (!untold.isEmpty()) {
            untold.remove(object());
        }
    }

    private String object() {
        return decoder.namespace() + "/" + decoder.name();
    }

    /**
     * Neither a defect here nor one in the listener may let one object keep the others from being told: a list goes on without it, and is made once more; what
     * fails again in the same version is left out.
     */
    private void untold(RuntimeException e) {
        String object = object();
        Untold before = untold.put(object, new Untold(decoder.version(), begun));
        if (before != null && before.version().equals(decoder.version())) {
            decoder.complain("it cannot be told: " + e);
            lost();
        } else if (version.isEmpty()) {
            again = new IllegalStateException(object + " cannot be told", e);
        } else {
            throw e;
        }
    }

    private void lost() {
        if (known.contains(decoder.namespace(), decoder.name())) {
            gate.remove(resource(), decoder.namespace(), decoder.name());
            known.remove(decoder.namespace(), decoder.name());
        }
    }

    private void failed(IOException e) {
        if (stopped) {
            return;
        }
        Duration atLeast = Duration.ZERO;
        if (e instanceof ApiFailure failure) {
            atLeast = failure.retryAfter();
            if (failure.code() == ApiFailure.GONE) {
                gone();
                return;
            }
            boolean refused = failure.code() == ApiFailure.BAD_REQUEST || failure.code() == ApiFailure.INVALID;
            if (streams && version.isEmpty() && refused) {
                streams = false;   // a server that does not have this kind of list
                return;
            }
        }
        if (opened && ++cuts < CUTS_TO_TELL) {
            log.log(Level.DEBUG, target.fullName() + ": " + e);
        } else {
            trouble = Sentences.of(e, target, client.server(), version.isEmpty() ? "list" : "watch");
            reach.failed(resource(), trouble);
        }
        if (opened && cuts % CUTS_TO_LIST == 0) {
            relist();
        }
        pause(delay, atLeast);
    }

    private void relist() {
        version = "";
        next = "";
    }

    /** What was to be continued is too old for the server. A list begins anew at once, but not again and again. */
    private void gone() {
        if (version.isEmpty()) {
            expired++;
        }
        relist();
        if (relisted) {
            pause(relistDelay, Duration.ZERO);
        }
        relisted = true;
    }

    /** Here or in the listener. What it was to be told is not known as told, so the list tells it again. */
    private void defect(RuntimeException e) {
        if (!stopped) {
            log.log(Level.ERROR, "defect while reading " + target.fullName() + "; listing again", e);
            relist();
            pause(relistDelay, Duration.ZERO);
        }
    }

    private void pause(Delay delay, Duration atLeast) {
        try {
            TimeUnit.NANOSECONDS.sleep(Math.max(delay.nanos(), atLeast.toNanos()));
        } catch (InterruptedException _) {
            stopped = true;   // nobody else interrupts this thread
        }
    }
}
