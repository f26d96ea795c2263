package dev.cairn.plugin.forward;

import dev.cairn.corefile.Use;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.forward.Destination.Kind;
import dev.cairn.plugin.forward.ForwardSettings.Policy;
import dev.cairn.plugin.forward.ForwardSettings.Protocols;
import dev.cairn.upstream.HealthSettings;
import dev.cairn.upstream.Upstream.Scheme;
import dev.cairn.upstream.UpstreamSettings;
import dev.cairn.wire.IpAddress;
import dev.cairn.wire.Rcode;
import dev.cairn.wire.WireName;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads one use of the directive, line by line. */
final class ForwardReader {
    private static final List<String> PROPERTIES = List.of("except", "force_tcp", "prefer_udp", "expire", "max_age", "max_idle_conns",
            "read_timeout", "max_fails", "max_connect_attempts", "doh_method", "tls", "tls_servername", "policy", "health_check",
            "max_concurrent", "next", "next_on_nodata", "failfast_all_unhealthy_upstreams", "failover", "source_address", "resolver",
            "case_randomization", "hedge");
    private static final String USAGE = "forward FROM TO...";
    private static final int ANY = Integer.MAX_VALUE;
    private static final Duration NANO = Duration.ofNanos(1);
    private static final Duration YEAR = Duration.ofDays(365);

    /** The most that wait if the Corefile does not say: about 3 KiB each. */
    static final int DEFAULT_CONCURRENT = 10_000;

    private static final Duration HEALTH_TIMEOUT = Duration.ofSeconds(1);

    private final Use use;
    private final Block block;
    private final boolean hasNext;
    private final List<WireName> except = new ArrayList<>();
    private final Set<Integer> next = new HashSet<>();
    private final Set<Integer> failover = new HashSet<>();
    private final List<Destination> resolvers = new ArrayList<>();
    private List<Path> tls = List.of();
    private String serverName = "";
    private boolean forceTcp;
    private boolean preferUdp;
    private Duration expire = Duration.ofSeconds(10);
    private Duration maxAge = Duration.ZERO;
    private int maxIdle;
    private Duration read = Duration.ofSeconds(2);
    private int maxFails = 2;
    private int maxAttempts = -1;
    private boolean httpGet;
    private Policy policy = Policy.RANDOM;
    private Duration interval = Duration.ofMillis(500);
    private boolean recursion = true;
    private WireName domain = WireName.ROOT;
    private int maxConcurrent;
    private boolean nextOnNodata;
    private boolean failFast;
    private @Nullable InetAddress source;
    private boolean randomCase;
    private boolean hedge = true;

    ForwardReader(Use use, Block block, boolean hasNext) {
        this.use = use;
        this.block = block;
        this.hasNext = hasNext;
    }

    /** Null if there is nothing to make a plugin of; that was reported. */
    @Nullable ForwardSettings read() {
        if (!use.expect(2, ANY, USAGE)) {
            return null;
        }
        List<WireName> from = zones(use.zonesOf(0));
        if (from.size() > 1) {
            use.warning(use.arg(0) + " stands for several zones, and only " + from.getFirst()
                    + " is forwarded: write one forward for each");
        }
        use.block().forEach(this::property);
        List<Destination> to = destinations();
        if (!maxAge.isZero() && maxAge.compareTo(expire) < 0) {
            use.error("max_age must not be less than expire: raise it, or lower expire");
        }
        Protocols protocols = forceTcp ? Protocols.TCP : preferUdp ? Protocols.UDP : Protocols.LIKE_CLIENT;
        UpstreamSettings upstreams = new UpstreamSettings(read, expire, maxAge, maxIdle, source, httpGet, randomCase);
        HealthSettings health = new HealthSettings(interval, HEALTH_TIMEOUT, recursion, domain, forceTcp);
        if (from.isEmpty() || to.isEmpty()) {
            return null;
        }
        return new ForwardSettings(from.getFirst(), except, to, protocols, maxFails, maxAttempts, policy, hedge,
                maxConcurrent == 0 ? DEFAULT_CONCURRENT : maxConcurrent, next, nextOnNodata, hasNext, failover, failFast, tls, serverName,
                resolvers, upstreams, health);
    }

    private static List<WireName> zones(List<String> names) {
        return names.stream().map(WireName::parse).toList();
    }

    private List<Destination> destinations() {
        List<Destination> to = new ArrayList<>();
        for (String text : use.args().subList(1, use.count())) {
            Destination destination = destination(use, text);
            if (destination != null) {
                to.add(destination);
            }
        }
        for (Destination one : to) {
            if (one.scheme() != Scheme.DNS && !one.zone().isEmpty() && !serverName.isEmpty()) {
                use.error("both tls_servername (" + serverName + ") and " + one.host() + "%" + one.zone() + " name the server: remove one");
            }
        }
        if (to.size() > ForwardService.MAX_UPSTREAMS) {
            use.error("more than " + ForwardService.MAX_UPSTREAMS + " TOs configured: " + to.size() + "; remove some");
        }
        return to;
    }

    private @Nullable Destination destination(Use line, String text) {
        try {
            return Destination.parse(text, block::file);
        } catch (IllegalArgumentException e) {
            line.error(String.valueOf(e.getMessage()));
            return null;
        }
    }

    private void property(Use line) {
        switch (line.name()) {
            case "except" -> {
                line.expect(1, ANY, "except NAME...");
                except.addAll(zones(line.zones(0)));
            }
            case "force_tcp" -> forceTcp = line.expect(0, 0, "force_tcp");
            case "prefer_udp" -> preferUdp = line.expect(0, 0, "prefer_udp");
            case "next_on_nodata" -> nextOnNodata = line.expect(0, 0, "next_on_nodata");
            case "failfast_all_unhealthy_upstreams" -> failFast = line.expect(0, 0, "failfast_all_unhealthy_upstreams");
            case "case_randomization" -> randomCase = line.expect(0, 0, "case_randomization");
            case "expire" -> expire = duration(line, Duration.ZERO, expire);
            case "max_age" -> maxAge = duration(line, Duration.ZERO, maxAge);
            case "read_timeout" -> read = duration(line, NANO, read);
            case "max_idle_conns" -> maxIdle = number(line, maxIdle);
            case "max_fails" -> maxFails = number(line, maxFails);
            case "max_connect_attempts" -> maxAttempts = number(line, maxAttempts);
            case "max_concurrent" -> maxConcurrent = number(line, maxConcurrent);
            case "doh_method" -> httpGet = one(line, "doh_method GET|POST") && line.choice(0, Map.of("GET", true, "POST", false), false);
            case "policy" -> policy = one(line, "policy random|round_robin|sequential|latency")
                    ? line.choice(0, Map.of("random", Policy.RANDOM, "round_robin", Policy.ROUND_ROBIN, "sequential", Policy.SEQUENTIAL,
                            "latency", Policy.LATENCY), policy)
                    : policy;
            case "hedge" -> hedge = !one(line, "hedge on|off") || line.choice(0, Map.of("on", true, "off", false), true);
            case "next" -> codes(line, next);
            case "failover" -> failover(line);
            case "health_check" -> healthCheck(line);
            default -> endpoint(line);
        }
    }

    /** Lines about where and how to connect. */
    private void endpoint(Use line) {
        switch (line.name()) {
            case "tls" -> {
                if (line.expect(0, 3, "tls [CERT KEY] [CA]")) {
                    tls = line.args().stream().map(block::file).toList();
                }
            }
            case "tls_servername" -> serverName = one(line, "tls_servername NAME") ? line.arg(0) : serverName;
            case "source_address" -> source = one(line, "source_address IP") ? address(line) : source;
            case "resolver" -> {
                line.expect(1, ANY, "resolver IP[:PORT]...");
                line.args().forEach(text -> resolver(line, text));
            }
            default -> line.unknown(PROPERTIES);
        }
    }

    private static boolean one(Use line, String usage) {
        return line.expect(1, 1, usage);
    }

    private static Duration duration(Use line, Duration min, Duration fallback) {
        return one(line, line.name() + " DURATION") ? line.durationArg(0, min, YEAR, fallback) : fallback;
    }

    private static int number(Use line, int fallback) {
        return one(line, line.name() + " NUMBER") ? line.intArg(0, 0, ANY, fallback) : fallback;
    }

    private static @Nullable InetAddress address(Use line) {
        byte[] bytes = IpAddress.parse(line.arg(0));
        try {
            if (bytes != null) {
                return InetAddress.getByAddress(bytes);
            }
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address has 4 or 16 bytes", e);
        }
        line.error("\"" + line.arg(0) + "\" is not an IP address: write one of this machine's");
        return null;
    }

    private void resolver(Use line, String text) {
        Destination resolver = destination(line, text);
        if (resolver != null && (resolver.kind() != Kind.ADDRESS || resolver.scheme() != Scheme.DNS)) {
            line.error("\"" + text + "\" is not an address: write IP or IP:PORT");
        } else if (resolver != null) {
            resolvers.add(resolver);
        }
    }

    private static void codes(Use line, Set<Integer> into) {
        line.expect(1, ANY, line.name() + " RCODE...");
        for (String text : line.args()) {
            int code = Rcode.fromText(text);
            if (code < 0) {
                line.error(text + " is not a valid rcode: write one such as SERVFAIL, NXDOMAIN or REFUSED");
            } else {
                into.add(code);
            }
        }
    }

    private void failover(Use line) {
        codes(line, failover);
        if (failover.remove(Rcode.NOERROR)) {
            line.error("NOERROR cannot be used in failover: remove it");
        }
    }

    private void healthCheck(Use line) {
        String usage = "health_check DURATION [no_rec] [domain FQDN]";
        if (!line.expect(1, 4, usage)) {
            return;
        }
        interval = line.durationArg(0, Duration.ZERO, YEAR, interval);
        for (int i = 1; i < line.count(); i++) {
            switch (line.arg(i)) {
                case "no_rec" -> recursion = false;
                case "domain" -> {
                    i++;
                    try {
                        domain = WireName.parse(line.arg(i));
                    } catch (IllegalArgumentException e) {
                        line.error(e.getMessage() + "; write: " + usage);
                    }
                }
                default -> line.error("unknown option " + line.arg(i) + "; write: " + usage);
            }
        }
    }
}
