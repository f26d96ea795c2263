/**
 * {@code secondary}: serves zones that are fetched from other servers. {@code SecondaryZone} fetches one zone and keeps it fresh, on a
 * virtual thread of its own; {@code SecondaryZones} keeps those over reloads of the configuration; {@code PrimaryClient} speaks to a
 * primary; {@code SecondaryPlugin} answers questions from the latest state and takes NOTIFY.
 */
@NullMarked
package dev.cairn.plugin.secondary;

import org.jspecify.annotations.NullMarked;
