/**
 * What others ask the proxy over HTTP. {@code NodeHealth} knows whether changes get through to the kernel, and answers /healthz and /livez;
 * {@code ServiceHealth} answers load balancers on health-check node ports; {@code SyncMetrics} counts; {@code HealthServers} listens. States are published by the sync
 * loop and read by the thread that serves HTTP.
 */
@NullMarked
package dev.cairn.proxy.health;

import org.jspecify.annotations.NullMarked;
