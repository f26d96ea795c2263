package dev.cairn.plugin.cache;

import dev.cairn.corefile.Use;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.cache.CacheSettings.Prefetch;
import dev.cairn.plugin.cache.CacheSettings.Share;
import dev.cairn.plugin.cache.CacheSettings.Stale;
import dev.cairn.wire.WireName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Reads one directive, line by line. */
final class SettingsReader {
    private static final List<String> PROPERTIES =
            List.of("success", "denial", "prefetch", "serve_stale", "serve_stale_policy", "servfail", "disable", "keepttl");
    private static final Map<String, Boolean> KINDS = Map.of("success", true, "denial", false);
    private static final Map<String, Boolean> MODES = Map.of("immediate", false, "verify", true);

    private static final int DEFAULT_CAPACITY = 10_000;
    private static final int MIN_CAPACITY = 1024;
    private static final int SUCCESS_TTL = 3600;
    private static final int DENIAL_TTL = 1800;
    private static final Duration LONGEST = Duration.ofDays(365 * 10);
    private static final Duration DEFAULT_FAILURE = Duration.ofSeconds(Classifier.SHORTEST);

    /** RFC 2308 section 7.1. */
    private static final Duration LONGEST_FAILURE = Duration.ofMinutes(5);

    /** RFC 8767 section 4: more than 0, and best 30. */
    private static final Duration STALE_TTL = Duration.ofSeconds(30);

    /** RFC 8767 section 5. */
    private static final Duration LONGEST_RECHECK = Duration.ofMinutes(5);

    private final Use use;
    private final Block block;
    private final List<WireName> noSuccess = new ArrayList<>();
    private final List<WireName> noDenial = new ArrayList<>();
    private Bounds success = new Bounds(DEFAULT_CAPACITY, SUCCESS_TTL, Classifier.SHORTEST);
    private Bounds denial = new Bounds(DEFAULT_CAPACITY, DENIAL_TTL, Classifier.SHORTEST);
    private Duration failure = DEFAULT_FAILURE;
    private Prefetch prefetch = new Prefetch(0, Duration.ofMinutes(1).toNanos(), 10);
    private Stale stale = new Stale(0, false, 0, 0, 0, false);
    private boolean preferPositive;
    private boolean keepTtl;

    private record Bounds(int capacity, int maxTtl, int minTtl) {
        Share except(List<WireName> zones) {
            return new Share(Math.max(capacity, MIN_CAPACITY), maxTtl, minTtl, List.copyOf(zones));
        }
    }

    SettingsReader(Use use, Block block) {
        this.use = use;
        this.block = block;
    }

    CacheSettings read() {
        boolean hasTtl = use.arg(0, "").matches("[+-]?[0-9]+");
        if (hasTtl) {
            int ttl = use.intArg(0, 1, Integer.MAX_VALUE, SUCCESS_TTL);
            success = new Bounds(DEFAULT_CAPACITY, ttl, Classifier.SHORTEST);
            denial = new Bounds(DEFAULT_CAPACITY, ttl, Classifier.SHORTEST);
        }
        List<WireName> zones = block.zonesOr(use.zones(hasTtl ? 1 : 0));
        use.block().forEach(this::property);
        Use.onlyOnce(use.block().stream().filter(line -> line.name().equals("serve_stale_policy")).toList());
        if (preferPositive && use.block().stream().noneMatch(line -> line.name().equals("serve_stale"))) {
            use.error("serve_stale_policy requires serve_stale: add a line with it");
        }
        Stale policy = new Stale(
                stale.upToNanos(), stale.verify(), stale.timeoutNanos(), stale.ttl(), stale.recheckNanos(), preferPositive);
        String label = zones.stream().map(WireName::toString).collect(Collectors.joining(","));
        return new CacheSettings(
                zones, label, success.except(noSuccess), denial.except(noDenial), failure.toNanos(), prefetch, policy, keepTtl);
    }

    private void property(Use line) {
        switch (line.name()) {
            case "success" -> success = bounds(line, success);
            case "denial" -> denial = bounds(line, denial);
            case "prefetch" -> prefetch(line);
            case "serve_stale" -> serveStale(line);
            case "serve_stale_policy" -> {
                if (line.expect(1, 1, "serve_stale_policy prefer_positive")) {
                    preferPositive = line.choice(0, Map.of("prefer_positive", true), true);
                }
            }
            case "servfail" -> {
                if (line.expect(1, 1, "servfail DURATION (0 to keep no failures)")) {
                    failure = line.durationArg(0, Duration.ZERO, LONGEST_FAILURE, DEFAULT_FAILURE);
                }
            }
            case "disable" -> disable(line);
            case "keepttl" -> keepTtl = line.expect(0, 0, "keepttl");
            default -> line.unknown(PROPERTIES);
        }
    }

    private static Bounds bounds(Use line, Bounds before) {
        if (!line.expect(1, 3, line.name() + " CAPACITY [TTL] [MINTTL]")) {
            return before;
        }
        return new Bounds(
                line.intArg(0, 0, Integer.MAX_VALUE, before.capacity()),
                line.intArg(1, 1, Integer.MAX_VALUE, before.maxTtl()),
                line.intArg(2, 0, Integer.MAX_VALUE, before.minTtl()));
    }

    private void prefetch(Use line) {
        if (!line.expect(1, 3, "prefetch AMOUNT [[DURATION] [PERCENTAGE%]]")) {
            return;
        }
        int amount = line.intArg(0, 0, Integer.MAX_VALUE, 0);
        Duration gap = line.durationArg(1, Duration.ZERO, LONGEST, Duration.ofMinutes(1));
        prefetch = new Prefetch(amount, gap.toNanos(), percentage(line));
    }

    private static int percentage(Use line) {
        String text = line.arg(2, "10%");
        if (text.matches("[1-9][0-9]%") && Integer.parseInt(text.substring(0, 2)) <= 90) {
            return Integer.parseInt(text.substring(0, 2));
        }
        line.error("\"" + text + "\" is no percentage from 10% to 90%: write one, with the percent sign");
        return 10;
    }

    private void serveStale(Use line) {
        String usage = "serve_stale [DURATION] [immediate [RESPONSE_TTL [FAILURE_RECHECK]]"
                + " | verify [VERIFY_TIMEOUT [RESPONSE_TTL [FAILURE_RECHECK]]]]";
        boolean verify = line.choice(1, MODES, false);
        if (!line.expect(0, verify ? 5 : 4, usage)) {
            return;
        }
        Duration upTo = line.durationArg(0, Duration.ZERO, LONGEST, Duration.ofHours(1));
        Duration timeout = verify ? line.durationArg(2, Duration.ZERO, LONGEST, Duration.ZERO) : Duration.ZERO;
        int next = verify ? 3 : 2;
        Duration ttl = line.durationArg(next, Duration.ZERO, LONGEST, STALE_TTL);
        if (!ttl.equals(Duration.ofSeconds(ttl.toSeconds()))) {
            line.error("RESPONSE_TTL must be a whole number of seconds: write 30s, for example");
        }
        Duration recheck = line.durationArg(next + 1, Duration.ZERO, LONGEST_RECHECK, Duration.ZERO);
        stale = new Stale(upTo.toNanos(), verify, timeout.toNanos(), (int) ttl.toSeconds(), recheck.toNanos(), false);
    }

    private void disable(Use line) {
        if (!line.expect(1, Integer.MAX_VALUE, "disable success|denial [ZONES...]")) {
            return;
        }
        List<WireName> zones = line.count() == 1 ? List.of(WireName.ROOT) : line.zones(1).stream().map(WireName::parse).toList();
        (line.choice(0, KINDS, true) ? noSuccess : noDenial).addAll(zones);
    }
}
