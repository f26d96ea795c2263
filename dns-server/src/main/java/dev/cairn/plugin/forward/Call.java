package dev.cairn.plugin.forward;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Protocol;
import dev.cairn.chain.Step;
import dev.cairn.plugin.forward.ForwardSettings.Policy;
import dev.cairn.plugin.forward.ForwardSettings.Protocols;
import dev.cairn.upstream.Attempt;
import dev.cairn.upstream.Carrier;
import dev.cairn.upstream.Lane;
import dev.cairn.upstream.Question;
import dev.cairn.upstream.Timed;
import dev.cairn.upstream.Upstream;
import dev.cairn.wire.Answer;
import dev.cairn.wire.Answer.Section;
import dev.cairn.wire.EdnsOption;
import dev.cairn.wire.HeaderFlag;
import dev.cairn.wire.Rcode;
import dev.cairn.wire.ReplyReader.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One client's query on its way to upstreams and back, with those who asked the same meanwhile. After {@link #run} has begun it belongs to
 * the thread of its lane. Thousands wait while an upstream stands still, so its fields are no wider than they must be.
 */
final class Call extends Timed implements Runnable, Attempt.Listener {
    /** How long a client is made to wait for upstreams, whatever they do. */
    private static final long TOTAL_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** When all upstreams have failed, they are given this time before they are asked again. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** A late upstream is given at least this time before another is asked too. */
    private static final long MIN_HEDGE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** The same for policies that do not look at time. */
    private static final long PATIENT_HEDGE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** However slow an upstream usually is, it is late after this: half of the time that a reply is waited for. */
    private static final long MAX_HEDGE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The time for one whose usual time is not known. */
    private static final long FIRST_HEDGE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private static final byte[] NETWORK_ERROR = {0, 23}; // RFC 8914 section 4.24
    private static final Upstream[] NONE = {};
    private static final Attempt[] NONE_ASKED = {};

    private final Forwarder forwarder;
    private final Lane lane;
    private final Exchange exchange;
    private final Question question;
    private Question asked;
    private Upstream[] order = NONE;
    private long deadlineNanos;
    private int failures;
    private byte next;
    private byte down;
    private byte failovers;
    private byte pending;
    private boolean overTcp;
    private boolean truncated;
    private boolean answerUsed;
    private boolean pausing;
    private boolean hedged;
    private boolean hoping;
    private boolean ended;
    /** Whether any upstream was asked at all. */
    private boolean sent;
    private String error = "no healthy proxies";
    private @Nullable Attempt firstAttempt;
    private Attempt[] otherAttempts = NONE_ASKED;
    private @Nullable List<Call> followers;

    Call(Forwarder forwarder, Lane lane, Exchange exchange, Question question) {
        this.forwarder = forwarder;
        this.lane = lane;
        this.exchange = exchange;
        this.question = question;
        this.asked = question;
    }

    private ForwardSettings settings() {
        return forwarder.settings();
    }

    @Override
    public void run() {
        Call leader = forwarder.calls(lane).putIfAbsent(question, this);
        if (leader != null) {
            leader.join(this);
            return;
        }
        deadlineNanos = System.nanoTime() + TOTAL_NANOS;
        if (exchange.hasDeadline() && exchange.deadlineNanos() - deadlineNanos < 0) {
            deadlineNanos = exchange.deadlineNanos();
        }
        order = forwarder.ranking().order(lane);
        if (order.length == 0) {
            error = forwarder.ranking().whyNone();
            giveUp();
        } else {
            askNext();
        }
    }

    private void join(Call follower) {
        if (followers == null) {
            followers = new ArrayList<>();
        }
        followers.add(follower);
        forwarder.joined().increment();
    }

    private boolean mayGoOn() {
        int most = settings().maxAttempts() < 0 ? 2 * order.length : settings().maxAttempts();
        return deadlineNanos - System.nanoTime() > 0 && (most == 0 || failures < most);
    }

    private void askNext() {
        while (mayGoOn()) {
            if (next == order.length) {
                next = 0;
                down = 0;
            }
            Upstream upstream = order[next++];
            if (!upstream.isDown(settings().maxFails())) {
                ask(upstream);
                return;
            }
            if (++down >= order.length) {
                forwarder.allDown().increment();
                if (settings().failFast() || !(hoping || forwarder.startHoping())) {
                    break;
                }
                hoping = true;
                ask(order[lane.random(order.length)]);
                return;
            }
        }
        giveUp();
    }

    private void ask(Upstream upstream) {
        Carrier carrier = upstream.carrier(overTcp || startsWithTcp());
        if (!hedged && settings().hedge() && order.length > 1 && (carrier == Carrier.UDP || settings().policy() == Policy.LATENCY)) {
            lane.at(System.nanoTime() + lateNanos(upstream), this);
        }
        pending++;
        sent = true;
        Attempt attempt = upstream.ask(lane, asked, carrier, deadlineNanos, this);
        if (!ended) {
            remember(attempt);
            forwarder.asked(exchange, attempt);
        }
    }

    private void remember(Attempt attempt) {
        if (firstAttempt == null) {
            firstAttempt = attempt;
        } else {
            otherAttempts = Arrays.copyOf(otherAttempts, otherAttempts.length + 1);
            otherAttempts[otherAttempts.length - 1] = attempt;
        }
    }

    /** After how long another upstream is asked, too. Where speed was not asked for, slow answers are rather waited for than asked twice. */
    private long lateNanos(Upstream upstream) {
        long least = settings().policy() == Policy.LATENCY ? MIN_HEDGE_NANOS : PATIENT_HEDGE_NANOS;
        return upstream.expectedNanos() == 0 ? FIRST_HEDGE_NANOS : Math.clamp(upstream.lateNanos(), least, MAX_HEDGE_NANOS);
    }

    /**
     * A question that the server asks itself counts as TCP so that its answer is whole, which it is by UDP as well, if TCP is tried then.
     */
    private boolean startsWithTcp() {
        return switch (settings().protocols()) {
            case TCP -> true;
            case UDP -> false;
            case LIKE_CLIENT -> exchange.protocol() != Protocol.UDP && exchange.depth() == 0;
        };
    }

    /** The pause is over, or the upstream is late. */
    @Override
    protected void due(long now) {
        if (pausing) {
            pausing = false;
            askNext();
        } else if (!ended && !hedged) {
            hedged = true;
            for (Upstream other : order) {
                if (!other.isDown(settings().maxFails()) && !wasAsked(other)) {
                    forwarder.hedged().increment();
                    ask(other);
                    return;
                }
            }
        }
    }

    private boolean wasAsked(Upstream upstream) {
        return (firstAttempt != null && firstAttempt.upstream().equals(upstream))
                || Arrays.stream(otherAttempts).anyMatch(attempt -> attempt.upstream().equals(upstream));
    }

    @Override
    public void replied(Attempt attempt, byte[] message, int length) {
        pending--;
        if (ended) {
            return;
        }
        forwarder.replied(exchange, attempt, message, length);
        Upstream upstream = attempt.upstream();
        Answer answer = exchange.answer();
        if (answerUsed) {
            answer.reset(exchange.query());
        }
        answerUsed = true;
        Outcome outcome = lane.reader().read(message, length, question.name(), returnsSubnet(), answer);
        if (outcome == Outcome.MALFORMED) {
            lost(attempt, "forward to " + upstream.label() + " over " + attempt.carrier().label() + ": the reply is malformed");
            return;
        }
        upstream.replied(answer.rcode(), System.nanoTime() - attempt.startNanos());
        if (outcome == Outcome.TRUNCATED && attempt.carrier() == Carrier.UDP) {
            truncated = true;
            overTcp = true;
            ask(upstream);
        } else if (answer.rcode() == Rcode.FORMERR && asked.hasEdns()) {
            asked = question.withoutEdns();
            ask(upstream);
        } else if (settings().failover().contains(answer.rcode()) && ++failovers < order.length) {
            if (pending == 0) {
                overTcp = false;
                askNext();
            }
        } else {
            overtaken(attempt);
            answered(upstream);
        }
    }

    /** A client that did not tell its subnet itself does not get to know what the upstream says of it (RFC 7871 section 7.2.2). */
    private boolean returnsSubnet() {
        return question.hasSubnet() && !exchange.passesOn(EdnsOption.CLIENT_SUBNET);
    }

    /** Who was asked before the one that answered is slow, and perhaps dead: nobody waits any longer to find out, but it has to tell. */
    private void overtaken(Attempt winner) {
        overtaken(firstAttempt, winner);
        for (Attempt attempt : otherAttempts) {
            overtaken(attempt, winner);
        }
    }

    private void overtaken(@Nullable Attempt attempt, Attempt winner) {
        if (attempt != null && attempt.isPending() && attempt.startNanos() - winner.startNanos() < 0) {
            attempt.upstream().overtaken(System.nanoTime() - attempt.startNanos());
            checkHealth(attempt.upstream());
        }
    }

    private void checkHealth(Upstream upstream) {
        if (settings().maxFails() > 0) {
            upstream.checkHealth();
        }
    }

    @Override
    public void failed(Attempt attempt, String reason) {
        pending--;
        if (!ended) {
            lost(attempt, reason);
        }
    }

    private void lost(Attempt attempt, String reason) {
        Upstream upstream = attempt.upstream();
        error = reason;
        upstream.failed(System.nanoTime() - attempt.startNanos());
        checkHealth(upstream);
        failures++;
        overTcp = false;
        if (pending > 0) {
            return;
        }
        if (down >= order.length || !mayGoOn()) {
            giveUp();
        } else if (next == order.length) {
            pausing = true;
            lane.at(System.nanoTime() + PAUSE_NANOS, this);
        } else {
            askNext();
        }
    }

    private void end() {
        ended = true;
        lane.cancel(this);
        forwarder.calls(lane).remove(question, this);
        if (hoping) {
            forwarder.stopHoping();
        }
        if (firstAttempt != null) {
            firstAttempt.cancel();
        }
        for (Attempt attempt : otherAttempts) {
            attempt.cancel();
        }
    }

    private void answered(Upstream upstream) {
        end();
        Answer answer = exchange.answer();
        exchange.upstream(upstream.label());
        if (goesToNext(answer)) {
            resumeAll(Step.NEXT);
            return;
        }
        Bailiwick.keep(answer, exchange.query());
        if (followers != null) {
            for (Call follower : followers) { // before hooks have changed the answer
                follower.exchange.answer().copyFrom(answer);
                follower.exchange.upstream(upstream.label());
            }
        }
        resumeAll(Step.ANSWERED);
    }

    private boolean goesToNext(Answer answer) {
        return settings().hasNext()
                && (settings().next().contains(answer.rcode())
                        || (settings().nextOnNodata() && answer.rcode() == Rcode.NOERROR && !answer.has(Section.ANSWER)));
    }

    private void resumeAll(Step step) {
        resume(step);
        if (followers != null) {
            followers.forEach(follower -> follower.resume(step));
        }
    }

    private void resume(Step step) {
        if (step == Step.NEXT) {
            exchange.answer().reset(exchange.query());
        }
        forwarder.left();
        exchange.resume(step);
    }

    /** Tells the client that upstreams did not answer. What was not sent to any says nothing of the name, which the next client may get an answer for. */
    static Step fail(Exchange exchange, String reason, boolean sent) {
        Step step = exchange.fail(Rcode.SERVFAIL, reason);
        exchange.answer().addOption(EdnsOption.EXTENDED_ERROR, NETWORK_ERROR);
        if (!sent) {
            exchange.momentary();
        }
        return step;
    }

    private void giveUp() {
        end();
        fail(this);
        if (followers != null) {
            followers.forEach(follower -> follower.fail(this));
        }
    }

    /** @param leader the call that has asked */
    private void fail(Call leader) {
        Answer answer = exchange.answer();
        answer.reset(exchange.query());
        if (leader.truncated && exchange.protocol() == Protocol.UDP) {
            answer.set(HeaderFlag.TC | HeaderFlag.RA); // there is an answer, and perhaps the client gets it by asking again
        } else {
            fail(exchange, leader.error, leader.sent);
        }
        forwarder.left();
        exchange.resume(Step.ANSWERED);
    }
}
