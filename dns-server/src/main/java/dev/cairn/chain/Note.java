package dev.cairn.chain;

import org.jspecify.annotations.Nullable;

/** What plugins left with a query on the way down, the last first. */
record Note(Plugin plugin, @Nullable Object object, @Nullable Note next) {
    /** What the plugin left last; null if nothing. */
    static @Nullable Object find(@Nullable Note last, Plugin plugin) {
        for (Note note = last; note != null; note = note.next) {
            if (note.plugin.equals(plugin)) {
                return note.object;
            }
        }
        return null;
    }
}
