package dev.cairn.upstream;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The links of one lane to one upstream by one carrier. Owned by the lane's thread. */
final class Pool {
    private final Upstream upstream;
    private final Carrier carrier;
    private final Lane lane;
    private final List<Link> links = new ArrayList<>();
    private boolean stopped;

    Pool(Upstream upstream, Carrier carrier, Lane lane) {
        this.upstream = upstream;
        this.carrier = carrier;
        this.lane = lane;
    }

    Upstream upstream() {
        return upstream;
    }

    Carrier carrier() {
        return carrier;
    }

    Lane lane() {
        return lane;
    }

    /** Puts the attempt on a link, a new one if {@code fresh}. */
    void send(Attempt attempt, boolean fresh) {
        Link chosen = fresh ? null : choose();
        if (chosen != null) {
            upstream.metrics().hit(carrier);
            chosen.take(attempt);
            return;
        }
        upstream.metrics().miss(carrier);
        Link link = open();
        links.add(link);
        link.take(attempt);
        if (stopped) {
            link.retire();
        }
        link.start();
    }

    private Link open() {
        return switch (carrier) {
            case UDP -> new UdpLink(this);
            case TCP, TLS -> new StreamLink(this);
            case HTTPS -> new HttpLink(this);
            case QUIC -> new QuicLink(this);
        };
    }

    /**
     * A link that is open already, null if another shall be opened. Among sockets any may be chosen, so that the port of a query is as hard
     * to foretell as can be; among connections the one with the least to do.
     */
    private @Nullable Link choose() {
        int most = upstream.settings().maxIdle() > 0 ? Math.min(upstream.settings().maxIdle(), carrier.links) : carrier.links;
        if (links.size() < most) {
            return null;
        }
        Link chosen = carrier == Carrier.UDP ? links.get(lane.random().next(links.size())) : leastBusy();
        if (chosen.load() >= carrier.perLink) {
            chosen = leastBusy();
        }
        if (chosen.isWornOut(System.nanoTime())) {
            chosen.retire();
            return null;
        }
        return chosen.load() >= carrier.perLink && links.size() < carrier.maxLinks ? null : chosen;
    }

    private Link leastBusy() {
        Link best = links.getFirst();
        for (int i = 1; i < links.size(); i++) {
            best = links.get(i).load() < best.load() ? links.get(i) : best;
        }
        return best;
    }

    void remove(Link link) {
        links.remove(link);
    }

    /** Whether one of the links that have nothing to do is one too many. */
    boolean hasTooManyIdle() {
        int most = upstream.settings().maxIdle();
        if (stopped || most == 0) {
            return stopped;
        }
        int idle = 0;
        for (Link link : links) {
            idle += link.load() == 0 ? 1 : 0;
        }
        return idle > most;
    }

    /** Links close when they have nothing more to do. */
    void stop() {
        stopped = true;
        List.copyOf(links).forEach(Link::retire);
    }
}
