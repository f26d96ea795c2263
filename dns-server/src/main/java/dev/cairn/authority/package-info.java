/**
 * What plugins that serve whole zones have in common. {@code ZoneFile} reads master files with dnsjava, {@code LiveZone} holds the latest
 * state of a zone and is read by all threads, {@code LiveZones} finds the zone of a question, {@code ZoneAnswers} answers from it and
 * follows aliases that leave it, {@code ZonesPlugin} is the plugin over them, {@code ZoneFileWatch} reads a file again when it has changed, off
 * the threads that answer queries.
 */
@NullMarked
package dev.cairn.authority;

import org.jspecify.annotations.NullMarked;
