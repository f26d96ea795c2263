package dev.cairn.plugin.ready;

import dev.cairn.http.HttpEndpoints;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;

/** The endpoints of one configuration: blocks that name the same address share one. */
final class ReadyEndpoints {
    private final Map<InetSocketAddress, ReadyEndpoint> byAddress = new HashMap<>();

    ReadyEndpoint at(InetSocketAddress address, HttpEndpoints http) {
        return byAddress.computeIfAbsent(address, _ -> new ReadyEndpoint(address, http));
    }
}
