package dev.cairn.proxy;

import dev.cairn.proxy.config.ProxyConfig;
import dev.cairn.proxy.config.ProxyMode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The mode that is used on this machine: the one that was asked for, or the next best that can be had.
 *
 * @param complaint why it is not the one that was asked for, in one line; null if it is
 */
record ModeChoice(ProxyMode mode, @Nullable String complaint) {
    /** What is taken instead, best first. ipvs is used only where it is asked for. */
    private static final List<ProxyMode> OTHERS = List.of(ProxyMode.NFTABLES, ProxyMode.IPTABLES, ProxyMode.USERSPACE);

    /**
     * Chooses.
     *
     * @param strict whether to take no other
     * @param probe why a mode cannot be had, or null
     * @throws CommandFailure if none can be had
     */
    static ModeChoice choose(ProxyMode asked, boolean strict, Function<ProxyMode, @Nullable String> probe) {
        Set<ProxyMode> candidates = new LinkedHashSet<>(List.of(asked));
        if (!strict) {
            candidates.addAll(OTHERS);
        }
        List<String> reasons = new ArrayList<>();
        for (ProxyMode mode : candidates) {
            String reason = probe.apply(mode);
            if (reason == null) {
                return new ModeChoice(mode, reasons.isEmpty() ? null : complaint(reasons) + "; using " + mode + " instead");
            }
            reasons.add(mode + " cannot be had: " + reason);
        }
        throw new CommandFailure(CairnProxy.FAILURE, complaint(reasons));
    }

    /** Settings with this mode. */
    ProxyConfig in(ProxyConfig settings) {
        return settings.with(Map.of("mode", mode.toString()));
    }

    private static String complaint(List<String> reasons) {
        return "mode " + String.join("; ", reasons);
    }
}
