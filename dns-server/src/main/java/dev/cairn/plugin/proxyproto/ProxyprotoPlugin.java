package dev.cairn.plugin.proxyproto;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Plugin;
import dev.cairn.chain.Relay;
import dev.cairn.plugin.MetadataProvider;
import dev.cairn.plugin.MetadataValue;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Shares what a header told beside addresses; queries pass it by. */
final class ProxyprotoPlugin implements Plugin, MetadataProvider {
    @Override
    public String name() {
        return "proxyproto";
    }

    @Override
    public Map<String, MetadataValue> metadata() {
        return Map.of("proxyproto/tlv", ProxyprotoPlugin::tlvs);
    }

    private static @Nullable String tlvs(Exchange exchange) {
        Relay relay = exchange.relay();
        return relay == null || relay.tlvs().length == 0 ? null : HexFormat.of().formatHex(relay.tlvs());
    }
}
