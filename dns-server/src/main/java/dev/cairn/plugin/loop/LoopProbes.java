package dev.cairn.plugin.loop;

import dev.cairn.plugin.Block;
import dev.cairn.plugin.Forwarding;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.WireName;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Asks every upstream of a block once for a name of its own, again each second until it has answered, since this server may not listen yet
 * or the upstream may not be up. Runs on the host's scheduler; {@link #stop} may come from another thread.
 */
final class LoopProbes {
    private static final long INTERVAL_MILLIS = 1000;
    private static final int ROUNDS = 30;

    /** An upstream may answer from elsewhere while the question is still on its way back. */
    private static final int LAST_ROUNDS = 2;

    private final Block block;
    private final LoopPlugin plugin;
    private final Set<Probe> answered = ConcurrentHashMap.newKeySet();
    private List<Probe> probes = List.of();
    private int round;
    private int quietRounds;
    private volatile @Nullable Future<?> task;

    LoopProbes(Block block, LoopPlugin plugin) {
        this.block = block;
        this.plugin = plugin;
    }

    void start() {
        task = block.host().scheduler().scheduleWithFixedDelay(this::round, INTERVAL_MILLIS / 10, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Ends the probing for good. */
    void stop() {
        plugin.expect();
        Future<?> running = task;
        if (running != null) {
            running.cancel(false);
        }
    }

    private void round() {
        if (round == 0 && forwarding().anyMatch(each -> each.destinations().isEmpty())) {
            return; // it comes after this plugin and is still starting: the next round finds it
        }
        if (round == 0) {
            probes = make();
            plugin.expect(probes.toArray(Probe[]::new));
        }
        List<Probe> left = probes.stream().filter(probe -> !answered.contains(probe)).toList();
        quietRounds = left.isEmpty() ? quietRounds + 1 : 0;
        if (++round > ROUNDS || quietRounds > LAST_ROUNDS) {
            stop(); // a name that anybody could learn by now must not be able to do harm
            return;
        }
        for (Probe probe : left) {
            probe.forwarding().probe(probe.destination(), probe.name(), DnsType.HINFO, got -> {
                if (got) {
                    answered.add(probe);
                }
            });
        }
    }

    private Stream<Forwarding> forwarding() {
        return block.plugins().stream().filter(Forwarding.class::isInstance).map(Forwarding.class::cast);
    }

    private List<Probe> make() {
        SecureRandom random = new SecureRandom();
        List<Probe> made = new ArrayList<>();
        forwarding().forEach(forwarding -> {
            List<String> labels = forwarding.destinations();
            for (int i = 0; i < labels.size(); i++) {
                String zone = forwarding.zone().toString();
                String name = random.nextLong(1L << 62) + "." + random.nextLong(1L << 62) + "." + (zone.equals(".") ? "" : zone);
                if (name.length() < WireName.MAX_LENGTH) {
                    made.add(new Probe(forwarding, i, labels.get(i), WireName.parse(name), new AtomicBoolean()));
                }
            }
        });
        return made;
    }
}
