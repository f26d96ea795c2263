package dev.cairn.upstream;

import dev.cairn.metrics.MetricRegistry;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Another name server that questions are sent on to. Asked from the threads of all lanes, each with links of its own; what they share, the
 * health and the response time, is read and written without locks.
 */
public final class Upstream {
    /** How an upstream is spoken to. */
    public enum Scheme {
        DNS,
        TLS,
        HTTPS,
        QUIC
    }

    /** So long after the last question nobody waits for its answer any more, and that none came says nothing. */
    private static final long FORGOTTEN_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Scheme scheme;
    private final InetSocketAddress address;
    private final String label;
    private final String serverName;
    private final String authority;
    private final @Nullable TlsContexts tls;
    private final UpstreamSettings settings;
    private final UpstreamMetrics metrics;
    private final List<Lane> lanes;
    private final Pool[][] pools;
    private final HealthCheck health;

    // Written by all lanes without care: an update that gets lost does not matter.
    private volatile long meanNanos;
    private volatile long deviationNanos;
    private volatile long askedNanos;
    private volatile long unheardNanos;
    private volatile @Nullable String excluded;

    /**
     * @param label the address as metrics name it
     * @param serverName whom its certificate must be for, empty for its address
     * @param tls null for plain DNS
     */
    public Upstream(Scheme scheme, InetSocketAddress address, String label, String serverName, @Nullable TlsContexts tls,
            UpstreamSettings settings, HealthSettings health, MetricRegistry registry, List<Lane> lanes) {
        this.scheme = scheme;
        this.address = address;
        this.label = label;
        this.serverName = serverName.isEmpty() ? address.getAddress().getHostAddress() : serverName;
        String host = serverName.isEmpty() ? label.substring(0, label.lastIndexOf(':')) : serverName;
        this.authority = address.getPort() == 443 ? host : host + ":" + address.getPort();
        this.tls = tls;
        this.settings = settings;
        this.metrics = new UpstreamMetrics(registry, label);
        this.lanes = List.copyOf(lanes);
        this.pools = new Pool[lanes.size()][Carrier.values().length];
        for (Lane lane : lanes) {
            for (Carrier carrier : Carrier.values()) {
                pools[lane.index()][carrier.index] = new Pool(this, carrier, lane);
            }
        }
        this.health = new HealthCheck(this, lanes.get(Math.floorMod(label.hashCode(), lanes.size())), health);
    }

    /** The address as metrics name it, {@code 192.0.2.1:53}. */
    public String label() {
        return label;
    }

    public InetSocketAddress address() {
        return address;
    }

    String serverName() {
        return serverName;
    }

    /** Whom an HTTP request is for. */
    String authority() {
        return authority;
    }

    @Nullable TlsContexts tls() {
        return tls;
    }

    UpstreamSettings settings() {
        return settings;
    }

    UpstreamMetrics metrics() {
        return metrics;
    }

    /** How to ask; {@code tcp} makes a difference only for plain DNS. */
    public Carrier carrier(boolean tcp) {
        return switch (scheme) {
            case DNS -> tcp ? Carrier.TCP : Carrier.UDP;
            case TLS -> Carrier.TLS;
            case HTTPS -> Carrier.HTTPS;
            case QUIC -> Carrier.QUIC;
        };
    }

    /**
     * Asks a question; on the lane's thread. The listener hears of its end once, on the same thread, perhaps before this returns.
     *
     * @param limitNanos when nobody waits any more, in {@link System#nanoTime}
     */
    public Attempt ask(Lane lane, Question question, Carrier carrier, long limitNanos, Attempt.Listener listener) {
        Pool pool = pools[lane.index()][carrier.index];
        Attempt attempt = new Attempt(pool, question, limitNanos, listener);
        asked(attempt.startNanos());
        pool.send(attempt, false);
        return attempt;
    }

    private void asked(long now) {
        if (unheardNanos == 0 || now - askedNanos > FORGOTTEN_NANOS) {
            unheardNanos = now == 0 ? 1 : now;
        }
        askedNanos = now;
    }

    /** It has said something. */
    void heard() {
        unheardNanos = 0;
    }

    /** Whether it was asked so long ago, and has said nothing to anybody since. */
    public boolean isSilentFor(long nanos) {
        long since = unheardNanos;
        return since != 0 && System.nanoTime() - since > nanos;
    }

    /** Tells how long a reply took; for metrics and for {@link #expectedNanos}. */
    public void replied(int rcode, long nanos) {
        metrics.replied(rcode, nanos);
        took(nanos);
    }

    /** Tells that another was faster, after so long without a reply: it would have taken at least that. */
    public void overtaken(long nanos) {
        if (nanos > meanNanos) {
            took(nanos);
        }
    }

    private void took(long nanos) {
        long mean = meanNanos;
        if (mean == 0) {
            meanNanos = Math.max(1, nanos);
            deviationNanos = nanos / 2;
        } else {
            // As TCP reckons its round trips (RFC 6298 section 2).
            long deviation = deviationNanos;
            deviationNanos = deviation + (Math.abs(nanos - mean) - deviation) / 4;
            meanNanos = Math.max(1, mean + (nanos - mean) / 8);
        }
    }

    /** Tells that no reply came for so long. */
    public void failed(long nanos) {
        meanNanos = Math.min(settings.readNanos(), Math.max(2 * meanNanos, nanos));
    }

    /** How long replies take, 0 if that is not known yet. */
    public long expectedNanos() {
        return meanNanos;
    }

    /** After how long a reply is late: nearly all come before. */
    public long lateNanos() {
        return meanNanos + 4 * deviationNanos;
    }

    /** Checks its health until it is well again. */
    public void checkHealth() {
        health.begin();
    }

    /** Whether more than {@code maxFails} checks have failed in a row; never with 0. */
    public boolean isDown(int maxFails) {
        return maxFails > 0 && health.failures() > maxFails;
    }

    /** Whether the last health check failed, though it may not count as down yet. */
    public boolean isSuspect() {
        return health.failures() > 0;
    }

    /** Why it must not be asked, null if it may. */
    public @Nullable String excluded() {
        return excluded;
    }

    /** Takes it out of service for good. */
    public void exclude(String reason) {
        excluded = reason;
    }

    /** Closes all links as soon as their last question has its answer. From any thread. */
    public void stop() {
        health.stop();
        for (Lane lane : lanes) {
            lane.execute(() -> {
                for (Pool pool : pools[lane.index()]) {
                    pool.stop();
                }
            });
        }
    }
}
