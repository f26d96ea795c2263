/**
 * The {@code cache} plugin: keeps what the plugins below it answered, for as long as the records' TTLs allow. {@code CacheSetup} reads the
 * directive, {@code CachePlugin} answers from the {@code AnswerStore} and lets one question go down for all who ask the same
 * ({@code Flight}), {@code Classifier} says what may be kept. It stands below the plugins that answer from memory, so what they say is
 * never kept. Used by all threads: a hit takes no lock and makes no garbage, a miss locks only its own flight.
 */
@NullMarked
package dev.cairn.plugin.cache;

import org.jspecify.annotations.NullMarked;
