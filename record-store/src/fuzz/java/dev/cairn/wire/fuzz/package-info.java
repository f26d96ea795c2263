/**
 * Fuzz targets for the wire format, run by Jazzer (coverage-guided, works on JDK 25). {@code WireFuzz} takes a packet to its reply, as a
 * worker thread does, and holds both against dnsjava. The wiring is {@code fuzzTargets} in the root build: a short, repeatable run from the seeds
 * inside {@code ./gradlew test}, a long one with {@code ./gradlew fuzz -PfuzzSeconds=600}. Single-threaded.
 */
@NullMarked
package dev.cairn.wire.fuzz;

import org.jspecify.annotations.NullMarked;
