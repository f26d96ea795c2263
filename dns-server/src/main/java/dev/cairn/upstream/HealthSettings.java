package dev.cairn.upstream;

import dev.cairn.wire.WireName;
import java.time.Duration;

/**
 * How upstreams are checked.
 *
 * @param interval from the end of a failed check to the next
 * @param timeout how long a check may take
 * @param recursion whether to ask for recursion
 * @param domain whose NS records to ask for
 * @param tcp whether plain upstreams are checked by TCP
 */
public record HealthSettings(Duration interval, Duration timeout, boolean recursion, WireName domain, boolean tcp) {}
