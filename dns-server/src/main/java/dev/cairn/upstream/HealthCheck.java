package dev.cairn.upstream;

import dev.cairn.wire.DnsType;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Asks an upstream that has failed until it answers, whatever it answers. At most one question is on its way. Owned by the thread of its
 * lane, but for {@link #begin}.
 */
final class HealthCheck extends Timed implements Attempt.Listener {
    private final Upstream upstream;
    private final Lane lane;
    private final HealthSettings settings;
    private final Question question;
    private final AtomicBoolean running = new AtomicBoolean();
    private volatile boolean stopped;
    private volatile int failures;

    HealthCheck(Upstream upstream, Lane lane, HealthSettings settings) {
        this.upstream = upstream;
        this.lane = lane;
        this.settings = settings;
        this.question = Question.own(settings.domain(), DnsType.NS, settings.recursion());
    }

    /** How many checks have failed since the last success. */
    int failures() {
        return failures;
    }

    /** Checks until the upstream is healthy, unless that is being done. From any thread. */
    void begin() {
        if (!stopped && running.compareAndSet(false, true)) {
            lane.execute(this::ask);
        }
    }

    private void ask() {
        if (stopped) {
            return;
        }
        long limit = System.nanoTime() + settings.timeout().toNanos();
        upstream.ask(lane, question, upstream.carrier(settings.tcp()), limit, this);
    }

    @Override
    protected void due(long now) {
        ask();
    }

    @Override
    public void replied(Attempt attempt, byte[] message, int length) {
        failures = 0;
        running.set(false);
    }

    @Override
    public void failed(Attempt attempt, String reason) {
        int before = failures;
        failures = before == Integer.MAX_VALUE ? before : before + 1;
        upstream.metrics().healthCheckFailed();
        if (!stopped) {
            lane.at(System.nanoTime() + settings.interval().toNanos(), this);
        }
    }

    void stop() {
        stopped = true;
        lane.execute(() -> lane.cancel(this));
    }
}
