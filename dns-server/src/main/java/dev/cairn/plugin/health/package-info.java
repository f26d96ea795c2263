/**
 * The {@code health} plugin: an HTTP endpoint that says OK for as long as the process runs. {@code HealthSetup} reads the directive,
 * {@code HealthEndpoint} opens the endpoint and starts a {@code HealthProbe}, which asks it once a second from a thread of its own
 * and measures how long that takes. {@code Lameduck} holds up the end of the process. Not part of the chain.
 */
@NullMarked
package dev.cairn.plugin.health;

import org.jspecify.annotations.NullMarked;
