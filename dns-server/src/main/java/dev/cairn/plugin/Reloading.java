package dev.cairn.plugin;

import dev.cairn.corefile.Problems;
import org.jspecify.annotations.Nullable;

/** The running configuration, as seen by those who watch for a new one. */
public interface Reloading {
    /** The digest of the configuration now on disk; null, with the reasons in {@code problems}, if it can't be read or parsed. */
    @Nullable String digestOnDisk(Problems problems);

    /** Reads the configuration again and puts it into service; on any error the old one stays, the errors are logged, and the result is false. */
    boolean reload();

    /** Whether the process is to end, so that a configuration that is not in service yet need not wait for anything any more. */
    default boolean isStopping() {
        return false;
    }
}
