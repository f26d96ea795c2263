package dev.cairn.plugin;

/** A plugin that needs time before it can answer well; {@code ready} asks it. */
public interface Readiness {
    /** Whether the plugin can answer now. Called from any thread, often. */
    boolean isReady();
}
