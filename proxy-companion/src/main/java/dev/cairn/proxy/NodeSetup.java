package dev.cairn.proxy;

import dev.cairn.log.Log;
import dev.cairn.proxy.config.ProxyConfig;
import dev.cairn.proxy.config.ProxyMode;
import dev.cairn.proxy.kernel.ConntrackSettings;
import dev.cairn.proxy.kernel.KernelSettings;
import dev.cairn.proxy.sync.Backend;
import java.nio.file.Path;
import java.util.List;

/** What takes more rights than to program the network: the settings of the kernel. */
final class NodeSetup {
    private static final Log LOG = Log.server();

    private NodeSetup() {}

    /** Sets all; what could not be set. */
    private static List<String> set(ProxyConfig settings, Backend backend) {
        KernelSettings kernel = new KernelSettings(Path.of("/"));
        ConntrackSettings.of(settings, OwnNode.processors()).set(kernel);
        kernel.set(backend.sysctls());
        return kernel.complaints();
    }

    /**
     * Sets what virtual servers need before there is one: a connection that begins while they are not tracked cannot be masqueraded. Other settings come after
     * the rules, which have their modules loaded, and which guard what {@code route_localnet} opens.
     */
    static void prepare(ProxyConfig settings, Backend backend) {
        if (settings.mode() == ProxyMode.IPVS) {
            new KernelSettings(Path.of("/")).set(backend.sysctls());   // attempt complains
        }
    }

    /** Sets how much this process is spared when memory runs out, if that is given. */
    static void protect(ProxyConfig settings, Path root) {
        String score = settings.oomScore();
        if (score != null) {
            KernelSettings kernel = new KernelSettings(root);
            kernel.oomScore(score);
            kernel.complaints().forEach(complaint -> LOG.warning(complaint + "; less than before takes the capability SYS_RESOURCE"));
        }
    }

    /** Sets all, and complains in the log. */
    static void attempt(ProxyConfig settings, Backend backend) {
        List<String> complaints = set(settings, backend);
        if (!complaints.isEmpty()) {
            LOG.warning(String.join("; ", complaints) + "; set them on the node, or run cairn-proxy --init-only there with more rights");
        }
    }

    /** Sets all, or fails. */
    static void require(ProxyConfig settings, Backend backend) {
        List<String> complaints = set(settings, backend);
        if (!complaints.isEmpty()) {
            throw new CommandFailure(CairnProxy.FAILURE, String.join("; ", complaints));
        }
    }
}
