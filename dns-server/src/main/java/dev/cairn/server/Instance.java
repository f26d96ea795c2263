package dev.cairn.server;

import dev.cairn.chain.Router;
import dev.cairn.listen.ListenAddress;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.ListenSettings;
import dev.cairn.plugin.ShutdownHook;
import dev.cairn.plugin.StartHook;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * A configuration ready to go into service.
 *
 * @param sites what to serve on each address, in the order of the configuration
 */
public record Instance(List<Block> blocks, Map<ListenAddress, Site> sites) {
    /**
     * What to serve on one address.
     *
     * @param zones the zones as start-up prints them
     */
    public record Site(Router router, ListenSettings settings, List<String> zones) {}

    /** Opens what the plugins need; on failure, be it a defect, everything is closed again. */
    public void start() throws IOException {
        boolean started = false;
        try {
            for (Block block : blocks) {
                start(block);
            }
            started = true;
        } finally {
            if (!started) {
                stop();
            }
        }
    }

    private static void start(Block block) throws IOException {
        try {
            for (StartHook hook : block.startHooks()) {
                hook.start();
            }
        } catch (RuntimeException e) {
            throw new IOException(block.at() + ": this block meets " + Defect.sentence(e), e);
        }
    }

    /** Tells plugins that the process is about to end; returns when they have had their time. */
    void shutdown() {
        blocks.stream()
                .flatMap(block -> block.shutdownHooks().stream())
                .sorted(Comparator.comparingInt(ShutdownHook::rank))
                .forEach(hook -> hook.action().run());
    }

    /** Whether no plugin keeps a query of a client. */
    boolean isIdle() {
        return sites.values().stream().allMatch(site -> site.router().isIdle());
    }

    /** Closes what the plugins opened. */
    public void stop() {
        for (Block block : blocks) {
            block.stopHooks().forEach(Runnable::run);
        }
    }
}
