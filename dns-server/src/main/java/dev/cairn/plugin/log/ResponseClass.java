package dev.cairn.plugin.log;

import java.util.Locale;

/** The classes of replies that a {@code log} line may be limited to. */
enum ResponseClass {
    ALL,
    SUCCESS,
    DENIAL,
    ERROR;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
