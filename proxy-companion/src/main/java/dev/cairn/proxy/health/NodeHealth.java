package dev.cairn.proxy.health;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Whether changes get through to the kernel in time. Any thread may tell and ask. */
public final class NodeHealth {
    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;

    private final InstantSource clock;
    private final Duration timeout;
    private @Nullable Instant waitingSince;
    private Instant lastUpdated;
    private boolean leaving;

    /** Changes that wait for longer than {@code timeout} make it ill. */
    public NodeHealth(InstantSource clock, Duration timeout) {
        this.clock = clock;
        this.timeout = timeout;
        lastUpdated = clock.instant();
    }

    /** A change has come. */
    public synchronized void queued() {
        if (waitingSince == null) {
            waitingSince = clock.instant();
        }
    }

    /** All that had come is in the kernel. */
    public synchronized void updated() {
        waitingSince = null;
        lastUpdated = clock.instant();
    }

    /** Whether the node is about to be taken away, and load balancers shall not send here any more. */
    public synchronized void leaving(boolean now) {
        leaving = now;
    }

    public synchronized boolean isHealthy() {
        return waitingSince == null || !Duration.between(waitingSince, clock.instant()).minus(timeout).isPositive();
    }

    /** For load balancers: not to be used when it is ill or about to go. */
    public synchronized HealthAnswer healthz() {
        return answer(isHealthy() && !leaving);
    }

    /** For whoever restarts it: a node that goes is no reason. */
    public synchronized HealthAnswer livez() {
        return answer(isHealthy());
    }

    private HealthAnswer answer(boolean well) {
        String body = "{\"lastUpdated\":\"" + lastUpdated + "\",\"currentTime\":\"" + clock.instant() + "\",\"nodeEligible\":" + !leaving
                + ",\"healthy\":" + isHealthy() + "}";
        return new HealthAnswer(well ? OK : UNAVAILABLE, Map.of("Content-Type", "application/json", "X-Content-Type-Options", "nosniff"), body);
    }
}
