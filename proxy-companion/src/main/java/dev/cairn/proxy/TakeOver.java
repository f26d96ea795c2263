package dev.cairn.proxy;

import dev.cairn.log.Log;
import dev.cairn.proxy.config.ProxyConfig;
import dev.cairn.proxy.config.ProxyMode;
import dev.cairn.proxy.ipvs.IpvsBackend;
import dev.cairn.proxy.nft.NftTables;
import dev.cairn.proxy.sync.ApplyFailure;
import dev.cairn.proxy.sync.Backend;
import java.util.List;

/**
 * Removes what programmed this node before: kube-proxy in any mode, or this proxy in another. It is done when our own rules are in the kernel,
 * so that there is no moment without any; open connections stay where the connection tracker has them.
 * Sets of ipset come after the rules that refer to them.
 */
final class TakeOver {
    private static final Log LOG = Log.server();
    private static final List<String> KUBE_PROXY = List.of("ip kube-proxy", "ip6 kube-proxy");

    private final ProxyConfig settings;

    TakeOver(ProxyConfig settings) {
        this.settings = settings;
    }

    /** What cannot be removed is named, and left for the next start. */
    void run() {
        int removed = attempt("kube-proxy's nftables", () -> new NftTables().delete(KUBE_PROXY));
        for (ProxyMode mode : ProxyMode.values()) {
            if (mode != settings.mode()) {
                removed += attempt("what mode " + mode + " programmed", () -> cleanUp(mode, settings));
            }
        }
        removed += attempt("kube-proxy's sets", IpvsBackend::removeKubeProxySets);
        if (removed == 0) {
            LOG.info("nothing of kube-proxy or of another mode had to be removed");
        }
    }

    private static List<String> cleanUp(ProxyMode mode, ProxyConfig settings) throws ApplyFailure {
        try (Backend backend = Backends.make(mode, settings)) {
            return backend.cleanUp();
        }
    }

    /** Removes all that this proxy may have programmed, in whatever mode. */
    static void removeAll(ProxyConfig settings) throws ApplyFailure {
        for (ProxyMode mode : ProxyMode.values()) {
            log(cleanUp(mode, settings));
        }
        log(IpvsBackend.removeKubeProxySets());
    }

    private interface Removal {
        List<String> run() throws ApplyFailure;
    }

    /** How many things it removed or, if it failed, left. */
    private static int attempt(String what, Removal removal) {
        try {
            return log(removal.run());
        } catch (ApplyFailure e) {
            LOG.warning(what + " cannot be removed, which may be in the way: " + e.getMessage());
            return 1;
        }
    }

    private static int log(List<String> removed) {
        removed.forEach(thing -> LOG.info("removed " + thing));
        return removed.size();
    }
}
