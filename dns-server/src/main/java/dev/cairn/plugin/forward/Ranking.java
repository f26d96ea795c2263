package dev.cairn.plugin.forward;

import dev.cairn.plugin.forward.ForwardSettings.Policy;
import dev.cairn.upstream.Lane;
import dev.cairn.upstream.Upstream;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Finds the order in which upstreams are asked. Used by the threads of all lanes. */
final class Ranking {
    /** One query in so many starts with an upstream at random, so that one that has got faster is found out. */
    private static final int TRY_OTHER = 16;

    private final Policy policy;
    private final Upstream[] all;
    private final AtomicInteger turn = new AtomicInteger();

    Ranking(Policy policy, List<Upstream> all) {
        this.policy = policy;
        this.all = all.toArray(Upstream[]::new);
    }

    /** The upstreams that may be asked, the first to be asked first; to be left unchanged. */
    Upstream[] order(Lane lane) {
        if (all.length == 1 && all[0].excluded() == null) {
            return all;
        }
        Upstream[] order = included();
        if (order.length < 2) {
            return order;
        }
        switch (policy) {
            case SEQUENTIAL -> {}
            case ROUND_ROBIN -> toFront(order, Math.floorMod(turn.incrementAndGet(), order.length));
            case RANDOM -> shuffle(order, lane);
            case LATENCY -> {
                Arrays.sort(order, (a, b) -> Long.compare(a.expectedNanos(), b.expectedNanos()));
                if (lane.random(TRY_OTHER) == 0) {
                    toFront(order, lane.random(order.length));
                }
            }
        }
        if (policy != Policy.SEQUENTIAL) {
            suspectsLast(order);
        }
        return order;
    }

    private Upstream[] included() {
        Upstream[] order = new Upstream[all.length];
        int count = 0;
        for (Upstream one : all) {
            if (one.excluded() == null) {
                order[count++] = one;
            }
        }
        return count == order.length ? order : Arrays.copyOf(order, count);
    }

    /** Why there is none to ask. */
    String whyNone() {
        for (Upstream one : all) {
            String reason = one.excluded();
            if (reason != null) {
                return reason;
            }
        }
        return "no upstreams";
    }

    private static void shuffle(Upstream[] order, Lane lane) {
        for (int i = order.length - 1; i > 0; i--) {
            int j = lane.random(i + 1);
            Upstream moved = order[i];
            order[i] = order[j];
            order[j] = moved;
        }
    }

    private static void toFront(Upstream[] order, int index) {
        Upstream first = order[index];
        System.arraycopy(order, 0, order, 1, index);
        order[0] = first;
    }

    /** One that has just failed a health check is likely to make the client wait, though it does not count as down yet. */
    private static void suspectsLast(Upstream[] order) {
        for (Upstream one : order) {
            if (one.isSuspect()) {
                Arrays.sort(order, (a, b) -> Boolean.compare(a.isSuspect(), b.isSuspect()));
                return;
            }
        }
    }
}
