package dev.cairn.proxy.kernel;

import dev.cairn.proxy.config.ProxyConfig;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What is set for the connection tracker; 0 leaves a value as it is.
 *
 * @param max how many connections are tracked at least
 * @param sysctls the rest, by their names below /proc/sys
 */
public record ConntrackSettings(long max, Map<String, String> sysctls) {
    private static final int PER_CORE = 32 * 1024;
    private static final int LEAST = 128 * 1024;
    private static final long MOST = 1024 * 1024;
    /** Connections to a bucket of the kernel's table. */
    private static final int PER_BUCKET = 4;
    private static final String BUCKETS = "sys/module/nf_conntrack/parameters/hashsize";
    private static final String BELOW = "net/netfilter/nf_conntrack_";

    public ConntrackSettings {
        sysctls = Map.copyOf(sysctls);
    }

    /**
     * By the {@code conntrack} part of the configuration; what it leaves out is as with kube-proxy.
     *
     * @throws IllegalArgumentException with a sentence for the user
     */
    public static ConntrackSettings of(ProxyConfig settings, int processors) {
        int perCore = settings.number("conntrack.maxPerCore", PER_CORE);
        long scaled = Math.min(MOST, (long) perCore * processors);
        long max = perCore == 0 ? 0 : Math.max(settings.number("conntrack.min", LEAST), scaled);
        Map<String, String> sysctls = new LinkedHashMap<>();
        seconds(sysctls, "tcp_timeout_established", settings.duration("conntrack.tcpEstablishedTimeout", Duration.ofHours(24)));
        seconds(sysctls, "tcp_timeout_close_wait", settings.duration("conntrack.tcpCloseWaitTimeout", Duration.ofHours(1)));
        seconds(sysctls, "udp_timeout", settings.duration("conntrack.udpTimeout", Duration.ZERO));
        seconds(sysctls, "udp_timeout_stream", settings.duration("conntrack.udpStreamTimeout", Duration.ZERO));
        if (settings.flag("conntrack.tcpBeLiberal", false)) {
            sysctls.put(BELOW + "tcp_be_liberal", "1");
        }
        return new ConntrackSettings(max, sysctls);
    }

    private static void seconds(Map<String, String> sysctls, String name, Duration time) {
        if (time.toSeconds() > 0) {
            sysctls.put(BELOW + name, Long.toString(time.toSeconds()));
        }
    }

    /** Sets them. A limit that is higher already stays. */
    public void set(KernelSettings kernel) {
        if (max > 0) {
            kernel.raise("proc/sys/" + BELOW + "max", max);
            kernel.raise(BUCKETS, max / PER_BUCKET);
        }
        kernel.set(sysctls);
    }
}
