package dev.cairn.proxy.health;

import dev.cairn.proxy.plan.ServiceName;
import java.util.Map;

/**
 * What a load balancer hears that asks whether this node has endpoints of a service.
 *
 * @param localReady how many
 * @param proxyHealthy whether what the proxy was told gets through
 */
public record ServiceHealth(ServiceName service, int localReady, boolean proxyHealthy) {
    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;

    public HealthAnswer answer() {
        String body = "{\"service\":{\"namespace\":\"" + service.namespace() + "\",\"name\":\"" + service.name() + "\"},\"localEndpoints\":"
                + localReady + ",\"serviceProxyHealthy\":" + proxyHealthy + "}";
        return new HealthAnswer(localReady > 0 && proxyHealthy ? OK : UNAVAILABLE, Map.of(
                "Content-Type", "application/json",
                "X-Content-Type-Options", "nosniff",
                "X-Load-Balancing-Endpoint-Weight", Integer.toString(localReady)), body);
    }
}
