package dev.cairn.plugin;

import java.io.IOException;

/** Opens or starts something that belongs to an instance of the configuration. */
public interface StartHook {
    /**
     * Opens or starts it.
     *
     * @throws IOException with a message for the user: what could not be opened, and the way out
     */
    void start() throws IOException;
}
