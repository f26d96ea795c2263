package dev.cairn.plugin.cache;

import dev.cairn.chain.AnswerHook;
import dev.cairn.chain.Exchange;
import dev.cairn.chain.Plugin;
import dev.cairn.chain.Protocol;
import dev.cairn.chain.Step;
import dev.cairn.wire.Answer;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.EdnsOption;
import dev.cairn.wire.HeaderFlag;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.WireName;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers from the store, and asks below what is not there: in an exchange of its own, so that neither the deadline nor the end of the client
 * who was first matters to those who wait with it. Only what is too much to watch over goes down as it came.
 */
final class CachePlugin implements AnswerHook {
    private static final byte[] STALE_ANSWER = {0, 3}; // RFC 8914 section 4.4
    private static final int HIT_FLAGS = HeaderFlag.RA | HeaderFlag.AD;
    private static final int MISS_FLAGS = HIT_FLAGS | HeaderFlag.AA | HeaderFlag.TC;

    private final CacheSettings settings;
    private final WireName[] zones;
    private final WireName[] noSuccess;
    private final WireName[] noDenial;
    private final AnswerStore store;
    private final Flights flights = new Flights();
    private final CacheMetrics metrics;
    private final LongSupplier clock;
    private final ScheduledExecutorService timer;

    /**
     * @param clock nanoseconds, as {@link System#nanoTime}
     * @param timer ends the wait of clients whose answer comes too late
     */
    CachePlugin(CacheSettings settings, AnswerStore store, CacheMetrics metrics, LongSupplier clock, ScheduledExecutorService timer) {
        this.settings = settings;
        this.zones = settings.zones().toArray(WireName[]::new);
        this.noSuccess = settings.success().except().toArray(WireName[]::new);
        this.noDenial = settings.denial().except().toArray(WireName[]::new);
        this.store = store;
        this.metrics = metrics;
        this.clock = clock;
        this.timer = timer;
    }

    @Override
    public String name() {
        return "cache";
    }

    @Override
    public Step query(Exchange exchange) {
        if (!handles(exchange)) {
            return Step.NEXT;
        }
        long now = clock.getAsLong();
        metrics.requests.increment(exchange.route());
        Question question = Question.of(exchange.query());
        CachedAnswer found = store.find(question, now);
        if (found == null) {
            metrics.misses.increment(exchange.route());
            return askOrWait(exchange, question, now, null);
        }
        (found.kind().isSuccess() ? metrics.successHits : metrics.denialHits).increment(exchange.route());
        if (!found.isFresh(now)) {
            return stale(exchange, question, now, found);
        }
        if (settings.prefetch().amount() > 0 && isDue(found, now)) {
            refresh(exchange, question, now, found);
        }
        return give(exchange, found, settings.keepTtl() ? found.fullTtl() : found.ttl(now), HIT_FLAGS);
    }

    private boolean handles(Exchange exchange) {
        QueryView query = exchange.query();
        return query.type() != DnsType.AXFR && query.type() != DnsType.IXFR && query.isWithinAny(zones)
                && isForAll(query) && !exchange.isPersonal();
    }

    /** Whether the answer is the same for every client: a server answers differently who wants no recursion, or tells its network. */
    private static boolean isForAll(QueryView query) {
        return (query.flags() & HeaderFlag.RD) != 0 && query.option(EdnsOption.CLIENT_SUBNET) < 0;
    }

    private boolean isDue(CachedAnswer found, long now) {
        int popularity = found.hit(now, settings.prefetch().gapNanos());
        return popularity >= settings.prefetch().amount() && found.ttl(now) <= settings.prefetch().threshold(found.fullTtl());
    }

    private static Step give(Exchange exchange, CachedAnswer found, int ttl, int flags) {
        QueryView query = exchange.query();
        // AD is for those who ask for it (RFC 6840 section 5.8).
        boolean wantsAd = query.dnssecOk() || (query.flags() & HeaderFlag.AD) != 0;
        found.addTo(exchange.answer(), ttl, wantsAd ? flags : flags & ~HeaderFlag.AD);
        return Step.ANSWERED;
    }

    private Step giveStale(Exchange exchange, CachedAnswer found) {
        metrics.servedStale.increment(exchange.route());
        exchange.answer().addOption(EdnsOption.EXTENDED_ERROR, STALE_ANSWER);
        return give(exchange, found, settings.keepTtl() ? found.fullTtl() : settings.stale().ttl(), HIT_FLAGS);
    }

    private Step stale(Exchange exchange, Question question, long now, CachedAnswer found) {
        if (!settings.stale().verify()) {
            refresh(exchange, question, now, found);
            return giveStale(exchange, found);
        }
        boolean tooSoon = settings.stale().recheckNanos() > 0 && (!found.mayRefresh(now) || flights.find(question, now) != null);
        return tooSoon ? giveStale(exchange, found) : askOrWait(exchange, question, now, found);
    }

    /** Asks below unless somebody does already, and has the client wait for the answer. */
    private Step askOrWait(Exchange exchange, Question question, long now, @Nullable CachedAnswer stale) {
        Flight flight = flights.find(question, now);
        boolean first = false;
        if (flight == null) {
            Flight mine = new Flight(Question.kept(exchange.query()), now);
            flight = flights.open(mine, now, Flights.MAX);
            first = flight == mine;
            if (first) {
                start(mine, exchange, exchange.protocol(), stale);
            }
        }
        Waiter waiter = new Waiter(exchange, stale, first);
        if (flight != null && flight.join(waiter)) {
            if (stale != null && settings.stale().timeoutNanos() > 0) {
                timer.schedule(() -> waitedEnough(waiter, stale), settings.stale().timeoutNanos(), TimeUnit.NANOSECONDS);
            }
            return Step.LATER;
        }
        Outcome outcome = flight == null ? null : flight.outcome();
        if (outcome != null) {
            return give(waiter, outcome);
        }
        return stale == null ? Step.NEXT : giveStale(exchange, stale);
    }

    private void waitedEnough(Waiter waiter, CachedAnswer stale) {
        if (!waiter.exchange().isSettled() && waiter.claim()) {
            waiter.exchange().resume(giveStale(waiter.exchange(), stale));
        }
    }

    /** Asks below for what is about to expire, or has, with nobody waiting. */
    private void refresh(Exchange exchange, Question question, long now, CachedAnswer old) {
        if (flights.find(question, now) != null || !old.mayRefresh(now)) {
            return;
        }
        Flight flight = new Flight(Question.kept(exchange.query()), now);
        if (flights.open(flight, now, Flights.MAX_REFRESHES) == flight) {
            metrics.prefetches.increment(exchange.route());
            start(flight, exchange, Protocol.TCP, old); // over TCP nothing comes back cut
        }
    }

    /** @param old what is to be refreshed; null for what is not there */
    private void start(Flight flight, Exchange exchange, Protocol by, @Nullable CachedAnswer old) {
        if (old == null) {
            // Between the look into the store and now, the one who asked before may have put it there.
            long now = clock.getAsLong();
            CachedAnswer there = store.find(flight.question(), now);
            if (there != null && there.isFresh(now)) {
                land(flight, Outcome.stored(there));
                return;
            }
        }
        Exchange inner = exchange.below(by);
        // So that upstreams say whether they have checked signatures (RFC 6840 section 5.7), for those who will want to know.
        inner.query().flags(inner.query().flags() | HeaderFlag.AD);
        inner.ask(answered -> {
            Outcome outcome = judge(flight.question(), answered, old);
            answered.giveBack(); // before clients have their replies, so that it is there when their exchanges are used again
            land(flight, outcome);
        });
    }

    private void land(Flight flight, Outcome outcome) {
        flights.close(flight);
        for (Waiter waiter = flight.land(outcome); waiter != null; waiter = waiter.next) {
            if (!waiter.exchange().isSettled() && waiter.claim()) {
                waiter.exchange().resume(give(waiter, outcome));
            }
        }
    }

    private Step give(Waiter waiter, Outcome outcome) {
        Exchange exchange = waiter.exchange();
        CachedAnswer stale = waiter.stale();
        if (stale != null && !outcome.refreshes()) {
            return giveStale(exchange, stale);
        }
        if (outcome.dropped()) {
            return Step.DROPPED;
        }
        if (!outcome.suits(waiter)) {
            return Step.NEXT;
        }
        CachedAnswer answer = outcome.answer();
        outcome.credit(exchange);
        return give(exchange, answer, answer.fullTtl(), MISS_FLAGS);
    }

    /** Looks at what came from below and keeps it if that is right. */
    private Outcome judge(Question question, Exchange inner, @Nullable CachedAnswer old) {
        long now = clock.getAsLong();
        CachedAnswer answer = read(inner, now);
        Kind kind = answer.kind();
        boolean keep = kind != Kind.UNKEPT && !inner.isDropped();
        // A failure to refresh must not take the place of data (RFC 8767 section 4).
        boolean refreshes = !inner.isDropped() && (settings.stale().preferPositive() ? kind == Kind.ANSWER : answer.isDefinite());
        if (old != null) {
            keep &= kind != Kind.FAILURE;
            if (refreshes) {
                answer.succeed(old);
            } else if (settings.stale().recheckNanos() > 0) {
                old.refreshFailed(now + settings.stale().recheckNanos());
            }
        }
        if (keep) {
            keep(question, inner.query(), answer, now);
        }
        return Outcome.asked(inner, answer, refreshes);
    }

    private CachedAnswer read(Exchange exchange, long now) {
        Answer answer = exchange.answer();
        Plugin by = exchange.answeredBy();
        boolean cacheable = (by == null || by.cacheable()) && !exchange.isMomentary();
        Kind kind = cacheable ? Classifier.classify(exchange.query(), answer, System.currentTimeMillis() / 1000) : Kind.UNKEPT;
        long life = switch (kind) {
            case ANSWER, NON_ANSWER -> seconds(settings.success().clamp(Classifier.lowestTtl(kind, answer)));
            case DENIAL -> seconds(settings.denial().clamp(Classifier.lowestTtl(kind, answer)));
            case FAILURE -> settings.failureNanos();
            case UNKEPT -> CachedAnswer.UNKEPT_LIFE;
        };
        return CachedAnswer.of(kind, exchange.query(), answer, now, life);
    }

    private static long seconds(int ttl) {
        return TimeUnit.SECONDS.toNanos(ttl);
    }

    private void keep(Question question, QueryView query, CachedAnswer answer, long now) {
        if (answer.isFresh(now) && !query.isWithinAny(answer.kind().isSuccess() ? noSuccess : noDenial)) {
            store.put(question, answer, now);
        }
    }

    /** What went down as it came. */
    @Override
    public Step answer(Exchange exchange) {
        if (!handles(exchange)) {
            return Step.ANSWERED;
        }
        long now = clock.getAsLong();
        CachedAnswer answer = read(exchange, now);
        if (answer.kind() == Kind.UNKEPT) {
            return Step.ANSWERED;
        }
        keep(Question.kept(exchange.query()), exchange.query(), answer, now);
        for (int i = 0; i < exchange.answer().size(); i++) {
            exchange.answer().part(i).overrideTtl(answer.fullTtl());
        }
        return Step.ANSWERED;
    }
}
