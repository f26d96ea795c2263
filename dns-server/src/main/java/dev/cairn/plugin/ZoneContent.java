package dev.cairn.plugin;

import dev.cairn.wire.RrSet;

/**
 * A zone as another server can have it.
 *
 * @param soa its SOA record, as a set of one
 * @param sets all else of it; may be walked more than once, and on a thread that must not be kept waiting
 */
public record ZoneContent(RrSet soa, Iterable<RrSet> sets) {}
