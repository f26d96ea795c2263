package dev.cairn.plugin.forward;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Protocol;
import dev.cairn.chain.Step;
import dev.cairn.metrics.Counter;
import dev.cairn.metrics.MetricRegistry;
import dev.cairn.plugin.MessageTap;
import dev.cairn.upstream.Attempt;
import dev.cairn.upstream.Lane;
import dev.cairn.upstream.Question;
import dev.cairn.upstream.Upstream;
import dev.cairn.wire.Rcode;
import dev.cairn.wire.WireName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** The upstreams of one {@code forward} while its block is in service, and the calls that are on their way to them. Used by all threads. */
final class Forwarder {
    /** How long a probe may take. */
    private static final long PROBE_NANOS = 2_000_000_000L;

    /**
     * So many queries may wait for upstreams that are down, since perhaps it is only the health check that does not work; those that answer
     * within 10 ms would still get 25,000 a second. More would wait in vain for long, and in an outage be all that memory is filled with.
     */
    private static final int MAX_HOPING = 256;

    /**
     * While no upstream has said anything for half a second, only so many queries may wait for them. That is before they count as down, for which checks have to
     * fail a few times: a busy server would have tens of thousands waiting by then.
     */
    private static final int MAX_UNHEARD = 2048;

    private static final long SILENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final ForwardSettings settings;
    private final List<Lane> lanes;
    private final Ranking ranking;
    private final Upstream[] upstreams;
    private final MessageTap[] taps;
    private final List<Map<Question, Call>> calls = new ArrayList<>();
    private final AtomicInteger concurrent = new AtomicInteger();
    private final AtomicInteger hoping = new AtomicInteger();
    private final Counter rejected;
    private final Counter unheard;
    private final Counter allDown;
    private final Counter hedged;
    private final Counter joined;

    Forwarder(ForwardSettings settings, List<Upstream> upstreams, List<Lane> lanes, MessageTap[] taps, MetricRegistry metrics) {
        this.settings = settings;
        this.lanes = List.copyOf(lanes);
        this.upstreams = upstreams.toArray(Upstream[]::new);
        this.taps = taps;
        this.ranking = new Ranking(settings.policy(), upstreams);
        lanes.forEach(_ -> calls.add(new HashMap<>()));
        rejected = metrics.counter("coredns_forward_max_concurrent_rejects_total",
                "Counter of the number of queries rejected because the concurrent queries were at maximum.").with();
        unheard = metrics.counter("cairn_forward_unheard_rejects_total",
                "Queries that were not sent on because no upstream had said anything for half a second, and many others waited already.").with();
        allDown = metrics.counter("coredns_forward_healthcheck_broken_total",
                "Counter of the number of complete failures of the healthchecks.").with();
        hedged = metrics.counter("cairn_forward_hedged_queries_total",
                "Queries that a second upstream was asked because the first was late.").with();
        joined = metrics.counter("cairn_forward_joined_queries_total",
                "Queries that waited for the answer to an equal query instead of being sent on themselves.").with();
    }

    ForwardSettings settings() {
        return settings;
    }

    /** Shows a query that goes to an upstream to those who want to see it; its ID is not told, since a link may send it more than once. */
    void asked(Exchange exchange, Attempt attempt) {
        if (taps.length > 0) {
            byte[] message = attempt.question().message();
            tell(exchange, attempt, false, message, message.length);
        }
    }

    /** Shows the reply. */
    void replied(Exchange exchange, Attempt attempt, byte[] message, int length) {
        if (taps.length > 0) {
            tell(exchange, attempt, true, message, length);
        }
    }

    private void tell(Exchange exchange, Attempt attempt, boolean reply, byte[] message, int length) {
        Protocol over = switch (attempt.carrier()) {
            case UDP -> Protocol.UDP;
            case QUIC -> Protocol.QUIC;
            default -> Protocol.TCP;
        };
        for (MessageTap tap : taps) {
            tap.forwarded(exchange, reply, attempt.upstream().address(), over, attempt.startNanos(), message, 0, length);
        }
    }

    /** Whether one more query may be asked of an upstream that is down; if so, {@link #stopHoping} is called at its end. */
    boolean startHoping() {
        if (hoping.incrementAndGet() <= MAX_HOPING) {
            return true;
        }
        hoping.decrementAndGet();
        return false;
    }

    void stopHoping() {
        hoping.decrementAndGet();
    }

    Ranking ranking() {
        return ranking;
    }

    Counter allDown() {
        return allDown;
    }

    Counter hedged() {
        return hedged;
    }

    Counter joined() {
        return joined;
    }

    List<String> labels() {
        return Arrays.stream(upstreams).map(Upstream::label).toList();
    }

    Step forward(Exchange exchange) {
        int waiting = concurrent.incrementAndGet();
        if (waiting > settings.maxConcurrent()) {
            concurrent.decrementAndGet();
            rejected.increment();
            return exchange.fail(Rcode.REFUSED, "concurrent queries exceeded maximum " + settings.maxConcurrent());
        }
        if (waiting > MAX_UNHEARD && areSilent()) {
            concurrent.decrementAndGet();
            unheard.increment();
            return Call.fail(exchange, "no upstream has said anything for half a second, and many queries wait for them already", false);
        }
        Question question = Question.of(exchange.query(), exchange.passedOn());
        Lane lane = lanes.get(lanes.size() == 1 ? 0 : Math.floorMod(question.hashCode(), lanes.size()));
        lane.execute(new Call(this, lane, exchange, question));
        return Step.LATER;
    }

    private boolean areSilent() {
        for (Upstream upstream : upstreams) {
            if (upstream.excluded() == null && !upstream.isSilentFor(SILENCE_NANOS)) {
                return false;
            }
        }
        return true;
    }

    /** The calls of a lane by their question; for its thread. */
    Map<Question, Call> calls(Lane lane) {
        return calls.get(lane.index());
    }

    void left() {
        concurrent.decrementAndGet();
    }

    void probe(int destination, WireName name, int type, Consumer<Boolean> answered) {
        Lane lane = lanes.getFirst();
        Question question = Question.own(name, type, true);
        Upstream upstream = upstreams[destination];
        boolean tcp = settings.protocols() == ForwardSettings.Protocols.TCP;
        lane.execute(() -> upstream.ask(lane, question, upstream.carrier(tcp), System.nanoTime() + PROBE_NANOS, new Attempt.Listener() {
            @Override
            public void replied(Attempt attempt, byte[] message, int length) {
                answered.accept(true);
            }

            @Override
            public void failed(Attempt attempt, String reason) {
                answered.accept(false);
            }
        }));
    }

    void exclude(int destination, String reason) {
        upstreams[destination].exclude(reason);
    }

    void stop() {
        for (Upstream upstream : upstreams) {
            upstream.stop();
        }
    }
}
