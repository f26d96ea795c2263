package dev.cairn.plugin.rewrite;

import dev.cairn.wire.Bytes;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.WireName;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;

/** What can stand in braces, beside labels of metadata. */
final class QueryVariables {
    static final Map<String, OptionData> BY_NAME = Map.of(
            "qname", new OptionData.ForAll(
                    exchange -> WireName.toText(exchange.query().message(), QueryView.HEADER).getBytes(StandardCharsets.US_ASCII)),
            "qtype", new OptionData.ForAll(exchange -> number(exchange.query().type())),
            "client_ip", exchange -> Arrays.copyOf(exchange.clientAddress(), exchange.addressLength()),
            "client_port", exchange -> number(exchange.clientPort()),
            "server_ip", exchange -> Arrays.copyOf(exchange.localAddress(), exchange.addressLength()),
            "server_port", exchange -> number(exchange.localPort()),
            "protocol", exchange -> exchange.protocol().label().getBytes(StandardCharsets.US_ASCII));

    private QueryVariables() {}

    private static byte[] number(int value) {
        byte[] bytes = new byte[2];
        Bytes.put16(bytes, 0, value);
        return bytes;
    }
}
