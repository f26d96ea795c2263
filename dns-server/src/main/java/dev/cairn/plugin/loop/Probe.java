package dev.cairn.plugin.loop;

import dev.cairn.plugin.Forwarding;
import dev.cairn.wire.WireName;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One upstream under test.
 *
 * @param name what only this upstream is asked for
 * @param found whether the question has come back
 */
record Probe(Forwarding forwarding, int destination, String label, WireName name, AtomicBoolean found) {}
