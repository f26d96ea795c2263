package dev.cairn.proxy.iptables;

import java.util.Map;
import java.util.Set;

/** What the backend tells of packets where the kernel counts them. */
public final class IptablesMetrics {
    private IptablesMetrics() {}

    public static String text() {
        KernelFacts counting = new KernelFacts() {
            @Override
            public Map<String, Long> counts() {
                return Map.of(Layout.INVALID_COUNTER, 1L, Layout.LOCALHOST_COUNTER, 2L);
            }
        };
        try (IptablesBackend backend = new IptablesBackend(new IptablesRunner(), counting, Set.of(), 14, null)) {
            return backend.metrics();
        }
    }
}
