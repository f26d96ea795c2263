package dev.cairn.plugin;

/**
 * What a plugin does when the process is about to end.
 *
 * @param rank the plugin's place in the order of plugins: hooks run by it, over all blocks, so that readiness goes before lameduck starts
 */
public record ShutdownHook(int rank, Runnable action) {}
